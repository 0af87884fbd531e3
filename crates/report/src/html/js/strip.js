// Process values of one cell, round by round.

const strip = {
  data: null,
  at: { operation: 0, codec: "", cell: 0 },
  choices: {},
  chart: null,
  words: null,

  start(data) {
    this.data = data;
    const place = section("strip");
    if (data.operations.length === 0 || data.codecs.length === 0) {
      place.append(missing("This record has no process values."));
      return;
    }
    this.at.codec = (data.operations[0].lines[0] ?? {}).codec ?? data.codecs[0].id;
    const operations = data.operations.map((operation, index) => [String(index), operation.name]);
    const codecs = data.codecs.map((codec) => [codec.id, codec.name]);
    const cells = data.cells.map((name, index) => [String(index), name]);
    const refresh = () => this.refresh();
    this.choices = {
      codec: choice("strip-codec", "Codec", codecs, (value) => { this.at.codec = value; refresh(); }),
      operation: choice("strip-operation", "Operation", operations, (value) => { this.at.operation = Number(value); refresh(); }),
      cell: choice("strip-cell", "Dataset", cells, (value) => { this.at.cell = Number(value); refresh(); }),
    };
    this.chart = makeChart({ label: "Process values by round: the table below has the same numbers", height: 320, option: (ink) => stripOption(this.seen(), ink) });
    this.words = el("div", { id: "strip-words", aria: { live: "polite" } });
    place.append(
      el("p", {}, "Each point is one fresh process: the smallest of its samples, per operation. The axis of times does not begin at zero. Hollow points belong to void rounds, which count in no figure; a round without its canary is not finished, and counts until it is measured again."),
      el("div", { className: "filter" }, Object.values(this.choices).map(({ node }) => node)),
      this.chart.node,
      this.words,
    );
    this.refresh();
  },

  /** A number that opens its process values. */
  link(operation, line, cell, text) {
    if (!line.values[cell].some(isNumber)) return text;
    return el("button", { type: "button", className: "cell", title: "show its process values", onclick: () => this.show(operation.name, line.codec, cell) }, text);
  },

  show(operation, codec, cell) {
    this.at = { operation: this.data.operations.findIndex((one) => one.name === operation), codec, cell };
    this.refresh();
    section("strip").scrollIntoView();
  },

  seen() {
    const operation = this.data.operations[this.at.operation];
    const line = operation.lines.find((line) => line.codec === this.at.codec);
    const codec = this.data.codecs.find((codec) => codec.id === this.at.codec);
    const values = line?.values[this.at.cell] ?? [];
    const state = (round) => (operation.void.includes(round) ? "void" : operation.unfinished.includes(round) ? "not finished" : "counts");
    const points = operation.rounds.map((round, index) => ({ round, ns: values[index] ?? null, state: state(round), used: operation.used.includes(round) }));
    return { operation, codec, points, summary: line?.cells[this.at.cell] ?? null, cell: this.data.cells[this.at.cell] };
  },

  refresh() {
    const { codec, operation, cell } = this.choices;
    codec.select.value = this.at.codec;
    operation.select.value = String(this.at.operation);
    cell.select.value = String(this.at.cell);
    const seen = this.seen();
    this.words.replaceChildren(stripWords(seen), stripTable(seen));
    this.chart.draw();
  },
};

function stripWords({ codec, operation, cell, summary }) {
  const what = `${codec.name}, ${operation.name} of ${cell}`;
  if (!summary) return missing(`${what}: no process gave a number that counts.`);
  const [minimum, median, spread, rounds] = summary;
  return el("p", {}, `${what}: minimum ${timeWithUnit(minimum)}, median ${timeWithUnit(median)}, spread ${percent(spread)} over ${plural(rounds, "round")}.`);
}

function stripTable({ points, summary }) {
  const unit = timeUnit(points.map((point) => point.ns));
  const { node } = makeTable({
    id: "table-strip",
    caption: "Process values",
    filter: false,
    rows: points,
    columns: [
      { name: "round", number: true, value: (point) => point.round },
      { name: unit.name, number: true, value: (point) => point.ns, show: (point) => time(point.ns, { ...unit, digits: unit.digits + 1 }) },
      { name: "above the minimum", number: true, value: (point) => (summary && isNumber(point.ns) ? point.ns / summary[0] - 1 : null), show: (point) => (summary && isNumber(point.ns) ? percent(point.ns / summary[0] - 1) : DASH) },
      { name: "round is", value: (point) => point.state },
    ],
  });
  return el("details", {}, el("summary", {}, "The same as a table"), node);
}

function stripOption({ codec, points, summary }, ink) {
  const values = points.map((point) => point.ns).filter(isNumber);
  const unit = timeUnit(values);
  const scaled = (wanted) => points.flatMap((point, place) => (wanted(point) && isNumber(point.ns) ? [{ value: [place, point.ns / unit.ns] }] : []));
  const level = (at, name) => ({ yAxis: at / unit.ns, name, label: { formatter: name, position: "end", color: ink.weak } });
  const range = values.length > 0 ? [Math.min(...values), Math.max(...values)].map((ns) => ns / unit.ns) : [0, 1];
  const room = (range[1] - range[0]) * 0.15 || range[1] * 0.01 || 1;
  const digits = Math.max(0, 1 - Math.floor(Math.log10(room * 4)));
  const dots = { type: "scatter", symbolSize: 11, z: 5 };
  return {
    ...plainOption(ink, {
      trigger: "item",
      formatter: ({ value }) => {
        const point = points[value[0]];
        return hover(`round ${point.round}`, [["time", `${(point.ns / unit.ns).toFixed(digits + 1)} ${unit.name}`], ["above the minimum", summary ? percent(point.ns / summary[0] - 1) : null], ["round", point.state]]);
      },
    }),
    grid: { left: 76, right: 76, top: 30, bottom: 44 },
    xAxis: axis(ink, { type: "category", data: points.map((point) => String(point.round)), name: "round", nameLocation: "middle", nameGap: 26, splitLine: { show: false } }),
    yAxis: axis(ink, { type: "value", name: unit.name, min: Math.max(0, range[0] - room), max: range[1] + room, axisLabel: { formatter: (value) => value.toFixed(digits), showMinLabel: false, showMaxLabel: false } }),
    series: [
      {
        ...dots,
        data: scaled((point) => point.used),
        itemStyle: { color: codec.colour },
        markLine: summary ? { ...LEVEL, lineStyle: { color: ink.weak, type: "dashed" }, data: levels(summary, level, (range[1] - range[0]) * unit.ns) } : undefined,
      },
      { ...dots, data: scaled((point) => !point.used), itemStyle: { color: "transparent", borderColor: ink.weak, borderWidth: 2 } },
    ],
  };
}

/** Lines for minimum and median; one line for both where their labels would run into each other. */
function levels([minimum, median], level, range) {
  if (median - minimum < range * 0.06) return [level(minimum, median === minimum ? "minimum" : "min, median")];
  return [level(minimum, "minimum"), level(median, "median")];
}
