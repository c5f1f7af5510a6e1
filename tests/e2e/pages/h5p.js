// The host's half of H5P's protocol, from its description.
const from = new URL(new URL(location).searchParams.get("at"));
const frame = document.createElement("iframe");
const actions = [];
frame.id = "one";
frame.title = "Fencepost";
frame.src = new URL("?embed=1&scenario=refund", from);
document.body.append(frame);
window.addEventListener("message", (event) => {
  const said = event.data;
  if (event.source !== frame.contentWindow || said.context !== "h5p") return;
  const answer = (action) =>
    event.source.postMessage({ context: "h5p", action }, from.origin);
  actions.push(said.action);
  if (said.action === "hello") {
    answer("hello");
  } else if (said.action === "prepareResize") {
    frame.style.height = said.clientHeight + "px";
    answer("resizePrepared");
  } else if (said.action === "resize") {
    frame.style.height = said.scrollHeight + "px";
  }
});
