const told = [];
const script = document.createElement("script");
script.src = new URL("embed.js", new URL(location).searchParams.get("at"));
document.head.append(script);
for (const kind of ["ready", "answered"]) {
  document.addEventListener(kind, (event) => told.push(event.detail.type));
}
