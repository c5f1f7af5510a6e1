// A host as docs/embedding.md describes one.
const from = new URL(new URL(location).searchParams.get("at"));
const heard = { one: [], two: [] };
function hold(id, query) {
  const frame = document.createElement("iframe");
  frame.id = id;
  frame.title = "Fencepost";
  frame.src = new URL("?embed=1&" + query, from);
  document.body.append(frame);
}
window.addEventListener("message", (event) => {
  if (event.origin !== from.origin) return;
  const frames = [...document.querySelectorAll("iframe")];
  const frame = frames.find((frame) => frame.contentWindow === event.source);
  if (!frame) return;
  heard[frame.id].push(event.data);
  const said = event.data;
  if (said.source === "fencepost" && said.version === 1 && said.type === "height") {
    frame.style.height = said.height_px + "px";
  }
});
hold("one", "scenario=refund&theme=dark");
hold("two", "question=second-token&theme=light");
