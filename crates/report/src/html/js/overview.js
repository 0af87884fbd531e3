// The head of the page: which run this is, and what to know before its numbers.

function overview(data) {
  const { run, machine, notes } = data;
  const stamps = [];
  if (machine.is_bad) stamps.push("NOISY");
  if (run.profile === "quick") stamps.push("QUICK: a look, no evidence");
  section("top").append(
    el("h1", {}, "packbench ", el("span", { className: "run" }, run.name ?? ""), stamps.map((stamp) => el("strong", { className: "stamp" }, stamp))),
    terms([
      ["measured", date(run.started_unix_ms)],
      ["on", machine.title],
      ["METHOD", String(run.method)],
      ["profile", run.profile],
      ["rounds", roundsWanted(run)],
      ["messages", data.datasets.map((dataset) => `${dataset.id} ${count(dataset.input_bytes)} bytes`).join(", ")],
    ]),
    notes.length > 0
      ? el("details", { id: "notes", open: true }, el("summary", {}, `What to know of this record (${notes.length})`), el("ul", {}, notes.map((note) => el("li", {}, note))))
      : el("p", { id: "notes" }, "Nothing speaks against this record: all was measured, and no check of the machine was bad or unknown."),
  );
  const links = [...document.querySelectorAll("main > section")].map((part) =>
    el("a", { href: `#${part.id}` }, part.querySelector("h2").textContent),
  );
  document.querySelector("nav").append(...links);
}

function roundsWanted(run) {
  return run.minutes === null ? String(run.rounds) : `as many as fit into ${plural(run.minutes, "minute")}`;
}
