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

  // The rest of the program: what chapter 1 does not call. The first part has it fetched
  // when something of it is called, and waits; so it is fetched before, as soon as the
  // page is touched, or along with the first part where the address asks for more than
  // the beginning. Without `data-rest` the program is in one piece.
  var parts = { first: null, there: !script.dataset.rest, coming: null };

  function put(module) {
    if (parts.there) return;
    new WebAssembly.Instance(module, { first: parts.first });
    parts.first.rest_there.value = 1;
    parts.there = true;
  }

  function fetched() {
    parts.coming = parts.coming || fetch(address("rest")).then(function (response) {
      if (!response.ok) throw new Error("HTTP " + response.status);
      return response.arrayBuffer();
    }).then(function (bytes) { return WebAssembly.compile(bytes); });
    return parts.coming;
  }

  // One that fails is asked for again with the next touch, or when it is needed.
  function fetchSoon() {
    if (parts.there) {
      ["pointerdown", "keydown"].forEach(function (kind) {
        removeEventListener(kind, fetchSoon, true);
      });
    } else {
      fetched().then(put).catch(function () { parts.coming = null; });
    }
  }

  // A request that is waited for gives text alone: each character stands for a byte.
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
    put(new WebAssembly.Module(Uint8Array.from(request.responseText, function (character) {
      return character.charCodeAt(0) & 255;
    })));
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

  // Called by the program.
  window.fencepost = {
    openBefore: openBefore,
    isThere: function () { return parts.there; },
    rest: function (atOnce) {
      if (!atOnce) {
        ["pointerdown", "keydown"].forEach(function (kind) {
          addEventListener(kind, fetchSoon, true);
        });
      } else if (!parts.there) {
        try {
          fetchNow();
        } catch (error) {
          fail(new Error("a part of the program could not be loaded (" + error.message +
            "); load the page again"));
          throw error;
        }
      }
    }
  };

  // Read when the page opens, by what is in the rest (src/app/kept.rs).
  function hasProgress() {
    try {
      return localStorage.getItem("fencepost-progress") !== null;
    } catch (denied) {
      return false;
    }
  }

  function start(program) {
    var asksForMore = location.hash.length > 1 || hasProgress() || openBefore() !== null ||
      /[?&](scenario|chapter|question)=/.test(location.search);
    return Promise.all([
      program.default({ module_or_path: address("wasm") }),
      asksForMore && !parts.there ? fetched().catch(function () { parts.coming = null; }) : null
    ]).then(function (loaded) {
      parts.first = loaded[0];
      if (loaded[1]) put(loaded[1]);
      program.open();
    });
  }

  panel.hidden = true;
  // Until the program puts its own content there.
  app.textContent = "Loading Fencepost\u2026";
  import(address("program")).then(start).catch(fail);
})();
