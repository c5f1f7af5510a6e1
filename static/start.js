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

  function start(program) {
    return program.default({ module_or_path: new URL(script.dataset.wasm, document.baseURI) });
  }

  panel.hidden = true;
  // Until the program puts its own content there.
  app.textContent = "Loading Fencepost\u2026";
  import(new URL(script.dataset.program, document.baseURI)).then(start).catch(fail);
})();
