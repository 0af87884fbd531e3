// Every conformance case against every codec.

const SIGNS = { passed: "✓", failed: "✗", shown: "•" };

/** A cell of the matrix with its texts. */
function answer(cases, cell) {
  if (!cell) return null;
  const [verdict, outcome, points, of, expected, observed, known, memoryBytes, wallNs] = cell;
  const text = (place) => (place === null ? null : cases.texts[place]);
  return { verdict, outcome: text(outcome), points, of, expected: text(expected), observed: text(observed), known: text(known), memoryBytes, wallNs };
}

function matrix(cases) {
  const rows = cases.rows.map(([id, category, cells]) => ({ id, category, cells }));
  const detail = el("aside", { id: "case-detail", tabindex: "-1", aria: { live: "polite", label: "Answer" } }, el("p", { className: "weak" }, "Choose a sign to see what was expected and what came; arrow keys move between signs."));
  const columns = [
    { name: "case", value: (row) => row.id },
    { name: "scored as", value: (row) => row.category, show: (row) => row.category ?? "not scored" },
    ...cases.codecs.map(({ name }, place) => ({
      name,
      headClass: "upright",
      className: "sign",
      value: (row) => row.cells[place]?.[0],
      show: (row) => sign(answer(cases, row.cells[place]), row, place),
    })),
  ];
  const made = makeTable({ id: "table-matrix", caption: "Every case", columns, rows });
  made.table.classList.add("matrix");
  const wanted = { category: "", verdict: "" };
  const test = (row) => {
    const verdicts = row.cells.filter(Boolean).map(([verdict]) => verdict);
    return (wanted.category === "" || (row.category ?? "not scored") === wanted.category) && (VERDICTS[wanted.verdict]?.(verdicts, row) ?? true);
  };
  const categories = [...new Set(rows.map((row) => row.category ?? "not scored"))].map((name) => [name, name]);
  const category = choice("matrix-category", "Scored as", [["", "anything"], ...categories], (value) => { wanted.category = value; made.only(test); });
  const verdicts = Object.keys(VERDICTS).map((name) => [name, name]);
  const verdict = choice("matrix-verdict", "Verdict", [["", "any"], ...verdicts], (value) => { wanted.verdict = value; made.only(test); });
  made.bar.append(category.node, verdict.node);
  walk(made.table, (button) => detail.replaceChildren(answerWords(cases, rows, button)));
  return [el("p", {}, "✓ passed, ✗ failed, • shown: the specification leaves it to the library; known failures are underlined."), el("div", {}, made.node, detail)];
}

const VERDICTS = {
  "failed by some": (verdicts) => verdicts.includes("failed"),
  "failed by all": (verdicts) => verdicts.every((verdict) => verdict === "failed"),
  "passed by all": (verdicts) => verdicts.every((verdict) => verdict === "passed"),
  "shown": (verdicts) => verdicts.includes("shown"),
  "known to fail": (_, row) => row.cells.some((cell) => cell && cell[6] !== null),
  "not all asked": (_, row) => row.cells.some((cell) => !cell),
};

function sign(seen, row, place) {
  if (!seen) return el("span", { title: "not asked" }, DASH);
  const className = `${seen.verdict}${seen.known ? " known" : ""}`;
  const title = `expected: ${seen.expected}\nobserved: ${seen.observed}`;
  return el("button", { type: "button", className, tabindex: "-1", title, data: { case: row.id, codec: place }, aria: { label: seen.verdict } }, SIGNS[seen.verdict] ?? "?");
}

/** One stop of the tab key for the whole matrix; arrows go on from there. */
function walk(table, show) {
  const buttons = (row) => [...row.querySelectorAll("td button")];
  const first = table.querySelector("td button");
  if (first) first.tabIndex = 0;
  const go = (from, to) => {
    if (!to) return;
    from.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
    show(to);
  };
  const neighbour = (row, step) => {
    let next = row;
    do next = next[step]; while (next && next.hidden);
    return next;
  };
  table.addEventListener("click", ({ target }) => {
    const button = target.closest("td button");
    if (button) go(table.querySelector('td button[tabindex="0"]') ?? button, button);
  });
  table.addEventListener("keydown", (event) => {
    const button = event.target.closest("td button");
    if (!button) return;
    const row = button.closest("tr");
    const column = button.closest("td").cellIndex;
    const inRow = (other) => other?.cells[column].querySelector("button");
    const own = buttons(row);
    const at = own.indexOf(button);
    const moves = {
      ArrowLeft: () => own[at - 1],
      ArrowRight: () => own[at + 1],
      ArrowUp: () => inRow(neighbour(row, "previousElementSibling")),
      ArrowDown: () => inRow(neighbour(row, "nextElementSibling")),
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    go(button, moves[event.key]());
  });
}

function answerWords(cases, rows, button) {
  const row = rows.find((row) => row.id === button.dataset.case);
  const seen = answer(cases, row.cells[Number(button.dataset.codec)]);
  return el("div", {}, el("strong", { className: seen.verdict }, `${cases.codecs[Number(button.dataset.codec)].name}: ${row.id}`), terms([
    ["verdict", `${seen.verdict}, ${seen.outcome}`],
    ["points", seen.of > 0 ? `${seen.points} of ${seen.of}` : null],
    ["expected", seen.expected],
    ["observed", seen.observed],
    ["known", seen.known],
    ["memory", isNumber(seen.memoryBytes) ? memory(seen.memoryBytes) : null],
    ["time", isNumber(seen.wallNs) ? timeWithUnit(seen.wallNs) : null],
  ]));
}
