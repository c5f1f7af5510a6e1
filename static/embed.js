// Defines <fencepost-lab>: a frame with Fencepost in it that is as high as its content.
//
//   <script src="https://your.host/fencepost/embed.js"></script>
//   <fencepost-lab scenario="reconcile" theme="dark"></fencepost-lab>
//
// What it can be told stands in docs/embedding.md. A script of the plain kind, so that it
// runs wherever a page can name a script.
(function () {
  "use strict";
  // Beside this script lies the page that it puts into a frame.
  var page = new URL("./", document.currentScript.src);
  var PARAMETERS = ["scenario", "chapter", "question", "theme", "speed"];

  class FencepostLab extends HTMLElement {
    static observedAttributes = PARAMETERS.concat("run", "title");

    constructor() {
      super();
      var style = new CSSStyleSheet();
      style.replaceSync(
        ":host { display: block } :host([hidden]) { display: none }" +
          "iframe { display: block; width: 100%; height: 40rem; border: 0 }"
      );
      this.frame = document.createElement("iframe");
      var root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [style];
      root.append(this.frame);
      this.hear = this.hear.bind(this);
    }

    connectedCallback() {
      window.addEventListener("message", this.hear);
      this.load();
    }

    disconnectedCallback() {
      window.removeEventListener("message", this.hear);
    }

    attributeChangedCallback() {
      if (this.isConnected) this.load();
    }

    load() {
      var address = new URL(page);
      address.searchParams.set("embed", "1");
      for (var name of PARAMETERS) {
        if (this.hasAttribute(name)) address.searchParams.set(name, this.getAttribute(name));
      }
      if (this.hasAttribute("run")) address.hash = this.getAttribute("run");
      this.frame.title = this.getAttribute("title") || "Fencepost";
      if (this.frame.src !== address.href) this.frame.src = address.href;
    }

    hear(event) {
      var said = event.data;
      var isOurs = event.source === this.frame.contentWindow && event.origin === page.origin;
      if (!isOurs || !said || said.source !== "fencepost" || said.version !== 1) return;
      if (said.type === "height" && Number.isFinite(said.height_px)) {
        this.frame.style.height = said.height_px + "px";
      } else if (said.type === "ready" || said.type === "answered") {
        this.dispatchEvent(new CustomEvent(said.type, { detail: said, bubbles: true, composed: true }));
      }
    }
  }

  if (!customElements.get("fencepost-lab")) customElements.define("fencepost-lab", FencepostLab);
})();
