// The verdict on two codecs, as a pair by itself.

const TURNED = { faster: "slower", slower: "faster" };

function pair(data) {
  const place = section("pair");
  if (data.pairs.all.length === 0) {
    place.append(missing("A pair needs two codecs that were measured; this record has fewer."));
    return;
  }
  const there = [...new Set(data.pairs.all.flatMap(([codec, base]) => [base, codec]))].sort((a, b) => a - b);
  const options = there.map((index) => [String(index), data.codecs[index].name]);
  const out = el("div", { id: "pair-verdict", aria: { live: "polite" } });
  const refresh = () => out.replaceChildren(...verdictOn(data, Number(codec.select.value), Number(base.select.value)));
  const codec = choice("pair-codec", "Codec", options, refresh);
  const base = choice("pair-base", "compared with", options, refresh);
  const swap = el("button", { type: "button", id: "pair-swap", onclick: () => {
    [codec.select.value, base.select.value] = [base.select.value, codec.select.value];
    refresh();
  } }, "swap");
  codec.select.value = String(there[1]);
  base.select.value = String(there[0]);
  place.append(
    el("p", {}, "The ratio is the median over rounds of the first one's time over the second one's, so less than 1 is faster. The interval is that of the sign test at 95 % for this pair by itself; who looks through many pairs will find some that differ by chance."),
    el("div", { className: "filter" }, codec.node, base.node, swap),
    out,
  );
  refresh();
}

function verdictOn(data, codec, base) {
  if (codec === base) return [missing("These are one and the same codec.")];
  const rows = data.operations.flatMap((operation, at) =>
    data.cells.map((cell, column) => ({ operation: operation.name, cell, ...verdictOf(data, codec, base, at, column) })),
  );
  const names = [codec, base].map((index) => data.codecs[index].name);
  const { node } = makeTable({
    id: "table-pair",
    caption: `${names[0]} compared with ${names[1]}`,
    rows,
    rowClass: (row) => `verdict-${row.word.replace(" ", "-")}`,
    columns: [
      { name: "operation", value: (row) => row.operation },
      { name: "dataset", value: (row) => row.cell },
      { name: "verdict", className: "verdict", value: (row) => row.word },
      { name: "ratio", number: true, value: (row) => row.ratio, show: (row) => ratio(row.ratio, 3) },
      { name: "from", title: "lower end of the interval", number: true, value: (row) => row.low, show: (row) => ratio(row.low, 3) },
      { name: "to", title: "upper end of the interval", number: true, value: (row) => row.high, show: (row) => ratio(row.high, 3) },
      { name: "margin", title: "no verdict turns on less", number: true, value: (row) => row.margin, show: (row) => percent(row.margin) },
      { name: "rounds", number: true, value: (row) => row.rounds },
      { name: "why", className: "words", value: (row) => row.why },
    ],
  });
  return [node];
}

/** The verdict as the record's order of the pair has it, or turned round. */
function verdictOf(data, codec, base, operation, cell) {
  const isIt = ([a, b]) => (a === codec && b === base) || (a === base && b === codec);
  const found = data.pairs.all.find(isIt);
  const seen = found?.[2][operation][cell];
  if (!seen) return { word: "not resolved", ratio: null, low: null, high: null, margin: null, rounds: 0, why: "no round has both" };
  const [value, low, high, place, margin, rounds] = seen;
  const word = data.pairs.words[place];
  const turned = found[0] !== codec;
  const over = (number) => (isNumber(number) ? 1 / number : null);
  return {
    word: turned ? (TURNED[word] ?? word) : word,
    ratio: turned ? over(value) : value,
    low: turned ? over(high) : low,
    high: turned ? over(low) : high,
    margin,
    rounds,
    why: why(word, low, rounds, data.pairs.rounds_needed),
  };
}

function why(word, low, rounds, needed) {
  if (!isNumber(low)) return `${rounds} of the ${needed} rounds that a verdict needs`;
  if (word === "not resolved") return "the interval reaches across an end of the margin";
  return word === "same" ? "the interval lies within the margin" : "the interval lies beyond the margin";
}
