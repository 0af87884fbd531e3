// One table and one picture for every operation.

const CLASSES = { fresh: "Fresh: everything made anew", reused: "Reused: memory kept for the next message" };

function timing(data) {
  const place = section("timing");
  if (data.operations.length === 0) {
    place.append(missing("This record has no operations."));
    return;
  }
  place.append(
    el("p", {}, "Bars begin at zero and end at the smallest process value; the mark is the median, the whisker reaches to the largest. Striped bars are zero-copy: their documents point into the input, so compare them with others by read. Codecs of one tier have no order that the run could resolve; a tier ends before the first that is slower than its best beyond doubt, so neighbours in two tiers may lie close; a twin is another codec's program under a second name, as a control. A number in a table opens its process values; the head of a column sorts."),
  );
  const shown = { cell: 0 };
  const cells = data.cells.map((name, index) => [String(index), name]);
  const chooser = choice("timing-dataset", "Charts show", cells, (value) => {
    shown.cell = Number(value);
    drawCharts();
  });
  place.append(el("div", { className: "filter" }, chooser.node));
  for (const operation of data.operations) place.append(...operationPart(data, operation, shown));
}

function operationPart(data, operation, shown) {
  const parts = [el("h3", { id: `timing-${operation.name}` }, operation.name)];
  const measured = operation.lines.filter((line) => line.cells.some(Boolean));
  if (measured.length === 0) {
    return [...parts, missing(`Nothing was measured for ${operation.name}.`), timingTable(data, operation).node];
  }
  const figures = Object.entries(CLASSES).map(([name, title]) => {
    const lines = measured.filter((line) => line.class === name);
    return lines.length > 0 ? barFigure(data, operation, lines, title, shown) : null;
  });
  return [...parts, el("div", { className: "figures" }, figures), timingTable(data, operation).node, el("p", { className: "weak" }, resolution(operation))];
}

/** What the run could tell apart. */
function resolution(operation) {
  const words = [plural(operation.used.length, "round")];
  if (operation.resolvable) {
    const [finest, coarsest] = operation.resolvable.map(percent);
    words.push(`the steadiest pair resolves differences from ${finest}, the most restless from ${coarsest}`);
  }
  else words.push("no difference could be resolved");
  words.push(`margin ${percent(operation.margin)}${operation.has_twins ? "" : ", without an A/A pair to measure it"}`);
  return `${[...words, ...operation.doubts].join("; ")}.`;
}

function timingTable(data, operation) {
  const codecs = new Map(data.codecs.map((codec) => [codec.id, codec]));
  const ranked = operation.lines.filter((line) => line.class !== "control");
  const unit = (cell, field) => timeUnit(ranked.map((line) => line.cells[cell]?.[field]));
  const overall = unit(0, 0);
  const cellColumn = (cell, field, name, unit, title) => ({
    name,
    unit: unit.name,
    title,
    number: true,
    value: (line) => line.cells[cell]?.[field],
    show: (line) => strip.link(operation, line, cell, time(line.cells[cell]?.[field], unit)),
  });
  const columns = [
    { name: "codec", value: (line) => codecs.get(line.codec).name, show: (line) => [swatch(codecs.get(line.codec)), codecs.get(line.codec).name] },
    { name: "memory", title: "whether memory is kept for the next message", value: (line) => line.class },
    { name: "strings", title: "who owns the strings of a document", value: (line) => line.strings || null },
    { name: "tier", title: "codecs of one tier are not resolved", number: true, value: (line) => line.tier, show: (line) => (codecs.get(line.codec).twin_of ? "twin" : (line.tier ?? DASH)) },
    cellColumn(0, 0, "overall", overall, "smallest process value, the sum over all datasets"),
    { name: "ratio", title: "to the best of its kind", number: true, value: (line) => line.ratio, show: (line) => ratio(line.ratio) },
    { name: "rate", unit: "MB/s", title: "bytes of the messages, 10⁶ per second", number: true, value: (line) => line.bytes_per_s, show: (line) => rate(line.bytes_per_s) },
    cellColumn(0, 1, "median", unit(0, 1), "median of the process values"),
    { name: "spread", title: "largest process value over the smallest, less one", number: true, value: (line) => line.cells[0]?.[2], show: (line) => percent(line.cells[0]?.[2]) },
    ...data.cells.slice(1).map((name, index) => cellColumn(index + 1, 0, name, unit(index + 1, 0), `smallest process value for ${name}`)),
    { name: "doubts", className: "words", value: (line) => line.doubts.join("; ") || null, show: (line) => line.doubts.join("; ") },
  ];
  return makeTable({ id: `table-${operation.name}`, caption: `${operation.name}, time of one operation`, columns, rows: operation.lines, rowClass: (line) => line.class });
}

function barFigure(data, operation, lines, title, shown) {
  const chart = makeChart({
    label: `${operation.name}, ${title}: the table below has the same numbers`,
    height: 58 + 26 * lines.length,
    option: (ink) => barOption(data, operation, lines, shown.cell, ink),
    onclick: ({ dataIndex }) => lines[dataIndex] && strip.show(operation.name, lines[dataIndex].codec, shown.cell),
  });
  return el("figure", {}, el("figcaption", {}, title), chart.node);
}

function barOption(data, operation, lines, cell, ink) {
  const codecs = new Map(data.codecs.map((codec) => [codec.id, codec]));
  const names = lines.map((line) => codecs.get(line.codec).name);
  const most = (line) => line.cells[cell] && line.cells[cell][0] * (1 + line.cells[cell][2]);
  // One scale for all pictures of an operation, so that fresh and reused can be set side by side.
  const ranked = operation.lines.filter((line) => line.class !== "control");
  const unit = timeUnit(ranked.map(most).filter(Boolean));
  const top = Math.max(0, ...ranked.map((line) => most(line) ?? 0)) / unit.ns;
  const bars = lines.map((line) => {
    const colour = codecs.get(line.codec).colour;
    const value = line.cells[cell] ? line.cells[cell][0] / unit.ns : null;
    return { value, itemStyle: { color: line.strings === "zero-copy" ? hatched(colour, ink) : colour } };
  });
  const points = (value) => lines.flatMap((line, place) => (line.cells[cell] ? [[value(line) / unit.ns, place]] : []));
  const whiskers = lines.flatMap((line, place) =>
    line.cells[cell] ? [[{ coord: [line.cells[cell][0] / unit.ns, place] }, { coord: [most(line) / unit.ns, place] }]] : [],
  );
  const tiers = lines.map((line) => tierWords(line, codecs.get(line.codec), cell));
  const rows = { type: "category", inverse: true, axisTick: { show: false } };
  const mark = { type: "scatter", silent: true, symbol: "rect", itemStyle: { color: ink.text }, z: 5 };
  return {
    ...plainOption(ink, {
      trigger: "axis",
      axisPointer: { type: "shadow" },
      formatter: ([{ dataIndex }]) => barHover(data, lines[dataIndex], cell),
    }),
    grid: { left: labelWidth(ranked.map((line) => codecs.get(line.codec).name)) + 18, right: 68, top: 8, bottom: 44 },
    xAxis: axis(ink, { type: "value", ...roundScale(top), name: `${unit.name}, ${data.cells[cell]}`, nameLocation: "middle", nameGap: 26 }),
    yAxis: [
      axis(ink, { ...rows, data: names, axisLabel: { fontSize: 13, interval: 0 } }),
      axis(ink, { ...rows, data: tiers, axisLine: { show: false }, axisLabel: { color: ink.weak, interval: 0 } }),
    ],
    series: [
      {
        type: "bar",
        data: bars,
        barMaxWidth: 16,
        markLine: { ...LEVEL, lineStyle: { color: ink.text, width: 1, type: "solid" }, label: { show: false }, data: whiskers },
      },
      { ...mark, data: points((line) => line.cells[cell][1]), symbolSize: [3, 14] },
      { ...mark, data: points(most), symbolSize: [1, 8] },
    ],
  };
}

/** Tiers are those of the sum over all datasets. */
function tierWords(line, codec, cell) {
  if (!line.cells[cell]) return "no number";
  if (cell !== 0) return "";
  if (codec.twin_of) return "twin";
  return line.tier === null ? "" : `tier ${line.tier}`;
}

/** A scale from zero whose last mark is a round number. */
function roundScale(top) {
  const rough = (top || 1) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const interval = [1, 2, 5, 10].map((step) => step * power).find((step) => step >= rough);
  return { min: 0, max: interval * Math.ceil((top || 1) / interval - 1e-9), interval };
}

function barHover(data, line, cell) {
  const codec = data.codecs.find((codec) => codec.id === line.codec);
  const [minimum, median, spread, rounds] = line.cells[cell] ?? [];
  return hover(`${codec.name}, ${data.cells[cell]}`, [
    ["minimum", timeWithUnit(minimum)],
    ["median", timeWithUnit(median)],
    ["spread", percent(spread)],
    ["rounds", isNumber(rounds) ? String(rounds) : "none"],
    ["tier", line.tier === null ? "none" : String(line.tier)],
    ["strings", line.strings],
    ["doubts", line.doubts.join("; ")],
  ]);
}
