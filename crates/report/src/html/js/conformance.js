// Scores, the matrix, behaviour, limits, the public suite and random messages.

/** A part with a heading, or a word about what is missing. */
function part(title, there, lacking, make) {
  return [el("h3", {}, title), ...(there ? make() : [missing(lacking)])];
}

function conformance(data) {
  const { cases, behaviour, suite, fuzz } = data.conformance;
  const limits = cases.rows.filter(([id]) => id.startsWith("limits/"));
  const none = "Nobody was asked in this record.";
  section("conformance").append(
    ...part("Scores", cases.scores.length > 0, none, () => [scores(cases)]),
    ...part("Cases", cases.rows.length > 0, none, () => matrix(cases)),
    ...part("Behaviour where the specification leaves a choice", behaviour.rows.length > 0, none, () => [behaviourTable(behaviour)]),
    ...part("Limits: memory and time for hostile messages", limits.length > 0, none, () => [limitsTable(cases, limits)]),
    ...part("Public suite", suite.codecs.length > 0, none, () => publicSuite(suite)),
    ...part("Random messages", fuzz.length > 0, none, () => [fuzzTable(fuzz)]),
  );
}

function scores(cases) {
  const rows = cases.codecs.map((codec, place) => ({ name: codec.name, place }));
  const columns = cases.scores.map(([category, sums]) => ({
    name: category,
    number: true,
    value: (row) => (sums[row.place][1] > 0 ? sums[row.place][0] / sums[row.place][1] : null),
    show: (row) => scoreCell(sums[row.place]),
  }));
  return makeTable({ id: "table-scores", caption: "Points won of points to be won", columns: [{ name: "codec", value: (row) => row.name }, ...columns], rows }).node;
}

function scoreCell([points, of]) {
  if (of === 0) return DASH;
  const share = (points / of) * 100;
  return el("span", { className: "score" }, el("span", { className: "bar", aria: { hidden: "true" } }, el("span", { style: `width:${share}%` })), `${points}/${of}`);
}

function behaviourTable({ codecs, rows }) {
  const lines = codecs.map((codec, place) => ({ name: codec.name, place }));
  const columns = rows.map(([question, answers]) => ({ name: question, value: (row) => answers[row.place] }));
  return makeTable({ id: "table-behaviour", caption: "What codecs do", columns: [{ name: "codec", value: (row) => row.name }, ...columns], rows: lines }).node;
}

function limitsTable(cases, limits) {
  const rows = limits.flatMap(([id, , cells]) =>
    cells.flatMap((cell, place) => (cell ? [{ id, codec: cases.codecs[place].name, ...answer(cases, cell) }] : [])),
  );
  const made = makeTable({
    id: "table-limits",
    caption: "Answers to hostile messages",
    rows,
    columns: [
      { name: "case", value: (row) => row.id.replace("limits/", "") },
      { name: "codec", value: (row) => row.codec },
      { name: "verdict", value: (row) => row.verdict, show: (row) => el("span", { className: row.verdict }, row.verdict) },
      { name: "outcome", value: (row) => row.outcome },
      { name: "memory", title: "most memory that the program asked for", number: true, value: (row) => row.memoryBytes, show: (row) => memory(row.memoryBytes) },
      { name: "time", title: "of the answer, with the way to the program and back", number: true, value: (row) => row.wallNs, show: (row) => timeWithUnit(row.wallNs) },
    ],
  });
  made.node.classList.add("tall");
  return made.node;
}

function publicSuite(suite) {
  const rows = suite.codecs.map((codec, place) => ({ name: codec.name, right: suite.right[place][0], of: suite.right[place][1] }));
  const counts = makeTable({
    id: "table-suite",
    caption: "Encodings of the public suite",
    rows,
    columns: [
      { name: "codec", value: (row) => row.name },
      { name: "right", number: true, value: (row) => row.right },
      { name: "asked", number: true, value: (row) => row.of },
      { name: "findings", number: true, value: (row) => row.of - row.right },
    ],
  });
  if (suite.findings.length === 0) return [counts.node, el("p", {}, "No codec did what it should not have done.")];
  const findings = makeTable({
    id: "table-suite-findings",
    caption: "Findings by encoding",
    rows: suite.findings,
    columns: [
      { name: "encoding", value: ([encoding]) => encoding.replace("suite/", "") },
      { name: "codec", value: ([, codec]) => suite.codecs[codec].name },
      { name: "finding", className: "words", value: ([, , finding]) => finding },
    ],
  });
  return [counts.node, findings.node];
}

function fuzzTable(fuzz) {
  const rows = fuzz.flatMap((line) => (line.findings.length > 0 ? line.findings.map((finding) => ({ ...line, finding })) : [{ ...line, finding: null }]));
  return makeTable({
    id: "table-fuzz",
    caption: "Differences from the oracle",
    rows,
    columns: [
      { name: "codec", value: (row) => row.codec },
      { name: "messages", number: true, value: (row) => row.messages, show: (row) => count(row.messages) },
      { name: "finding", value: (row) => row.finding?.kind, show: (row) => row.finding?.kind ?? "none" },
      { name: "what", className: "words", value: (row) => row.finding?.what },
      { name: "smallest message", value: (row) => row.finding?.message, show: (row) => (row.finding ? el("code", { className: "long" }, row.finding.message) : DASH) },
      { name: "seed", value: (row) => row.seed },
    ],
  }).node;
}
