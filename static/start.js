// Starts the program. A script of the plain kind and not a module, because it has to
// run where modules cannot (from a file, in an old browser): there it leaves the
// panel of index.html to be seen.
(function () {
  "use strict";
  var script = document.currentScript;
  var panel = document.getElementById("failure");
  var app = document.getElementById("app");

  function fail(error) {
    document.getElementById("failure-detail").textContent =
      "What the browser says: " + String(error && error.message ? error.message : error);
    panel.hidden = false;
    app.hidden = true;
    console.error(error);
  }

  function address(name) {
    return new URL(script.dataset[name], document.baseURI);
  }

  // The rest of the program: what chapter 1 does not call. It is fetched once the page
  // stands, or along with the first part where the address asks for more than the
  // beginning. Without `data-rest` the program is in one piece.
  var parts = {
    first: null, there: !script.dataset.rest, coming: null, placing: null, tries: 0, failed: null
  };

  function put(module) {
    return WebAssembly.instantiate(module, { first: parts.first }).then(done);
  }

  function done() {
    if (parts.failed) return;
    parts.first.rest_there.value = 1;
    parts.there = true;
  }

  // One that fails is asked for again when it is needed, from the site and from no cache.
  function fetched() {
    var cache = parts.tries > 0 ? "reload" : "default";
    parts.coming = parts.coming || fetch(address("rest"), { cache: cache }).then(function (response) {
      if (!response.ok) throw new Error("HTTP " + response.status);
      return response.arrayBuffer();
    }).then(function (bytes) {
      return WebAssembly.compile(bytes);
    }).catch(function (error) {
      parts.coming = null;
      parts.tries += 1;
      throw error;
    });
    return parts.coming;
  }

  // However many wait for it, it is put in place once.
  function whenThere() {
    parts.placing = parts.placing || fetched().then(function (module) {
      return parts.there ? null : put(module);
    }).catch(function (error) {
      parts.placing = null;
      throw error;
    });
    return parts.placing;
  }

  // Controls that need the rest say so (`data-later`). One that is used before the rest is
  // there is used again once it is: nothing else waits. Of buttons that is the last one.
  var waiting = document.getElementById("waiting");
  var held = [];

  function hold(event) {
    var control = event.target.closest && event.target.closest("button, select, input");
    // What was said of a failure has been read.
    if (held.length === 0) waiting.textContent = "";
    if (parts.there || !control || !control.closest("[data-later]")) return;
    if (event.type === "click" && control.localName !== "button") return;
    event.stopImmediatePropagation();
    held = held.filter(function (it) { return it.control !== control && it.isChoice; });
    held.push({ control: control, isChoice: event.type === "change", words: control.textContent });
    say("Loading the rest of the program\u2026", control);
    whenThere().then(letGo, function (error) {
      held = [];
      say("The rest of the program could not be loaded (" + error.message +
        "). Nothing is lost: try again when the network is back.", control);
    });
  }

  function letGo() {
    // Each use waits for the rest; the first to hear of it lets go of all.
    if (held.length === 0) return;
    say("", null);
    held.splice(0).forEach(function (it) {
      var isSame = it.control.isConnected && it.control.textContent === it.words;
      if (it.isChoice) it.control.dispatchEvent(new Event("change", { bubbles: true }));
      else if (isSame) it.control.click();
      else say("What you pressed is another control by now: nothing was done.", null);
    });
  }

  // Beside what was used.
  function say(text, control) {
    waiting.textContent = text;
    if (!control) return;
    var place = control.getBoundingClientRect();
    waiting.style.top = place.bottom + window.scrollY + 4 + "px";
    waiting.style.left = Math.max(0, Math.min(place.left, innerWidth - waiting.offsetWidth)) + "px";
  }

  // What was not held back and yet needs the rest waits for it, and all else with it. Such a
  // request gives text alone: each character stands for a byte.
  function fetchNow() {
    var request = new XMLHttpRequest();
    request.open("GET", address("rest"), false);
    request.overrideMimeType("text/plain; charset=x-user-defined");
    try {
      request.send();
    } catch (error) {
      throw new Error("the network gave no answer");
    }
    if (request.status !== 200) throw new Error("HTTP " + request.status);
    var bytes = Uint8Array.from(request.responseText, function (character) {
      return character.charCodeAt(0) & 255;
    });
    new WebAssembly.Instance(new WebAssembly.Module(bytes), { first: parts.first });
    done();
  }

  // What was open at this address before the page was loaded again or gone back to
  // (src/app/again.rs).
  function openBefore() {
    try {
      var way = performance.getEntriesByType("navigation")[0].type;
      var again = way === "reload" || way === "back_forward";
      return again ? sessionStorage.getItem("fencepost-open " + location.href) : null;
    } catch (denied) {
      return null;
    }
  }

  // Called by the program: when the page stands, and when something of the rest is called.
  // After a failure the program is stopped in the middle and asks in vain.
  window.fencepost = {
    openBefore: openBefore,
    isThere: function () { return parts.there; },
    rest: function (atOnce) {
      if (parts.failed) throw parts.failed;
      if (parts.there) return;
      if (!atOnce) {
        ["click", "change"].forEach(function (kind) { addEventListener(kind, hold, true); });
        (window.requestIdleCallback || setTimeout)(function () { whenThere().catch(function () {}); });
        return;
      }
      try {
        fetchNow();
      } catch (error) {
        parts.failed = new Error("a part of the program could not be loaded (" + error.message +
          "); load the page again");
        fail(parts.failed);
        throw parts.failed;
      }
    }
  };

  // Read when the page opens, by what is in the rest (src/app/kept.rs); so is that storage
  // is denied.
  function hasProgress() {
    try {
      return localStorage.getItem("fencepost-progress") !== null;
    } catch (denied) {
      return true;
    }
  }

  var asksForMore = location.hash.length > 1 || hasProgress() || openBefore() !== null ||
    /[?&](scenario|chapter|question)=/.test(location.search);

  function start(program) {
    return Promise.all([
      program.default({ module_or_path: address("wasm") }),
      along
    ]).then(function (loaded) {
      parts.first = loaded[0];
      return loaded[1] && put(loaded[1]);
    }).then(function () {
      program.open();
    });
  }

  panel.hidden = true;
  // Until the program puts its own content there.
  app.textContent = "Loading Fencepost\u2026";
  // One that fails is asked for again when it is needed.
  var along = asksForMore && !parts.there ? fetched().catch(function () {}) : null;
  import(address("program")).then(start).catch(fail);
})();
