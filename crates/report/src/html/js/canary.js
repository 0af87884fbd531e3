// The canary: one fixed program, run around every round.

function canary({ fence_ns: fence, rounds }) {
  if (rounds.length === 0) return [missing("No canary ran in this record.")];
  const chart = makeChart({
    label: `Canary: ${plural(rounds.length, "round")}, ${rounds.filter((round) => round[5]).length} void`,
    height: 280,
    option: (ink) => canaryOption(fence, rounds, ink),
  });
  return [
    el("p", {}, "A program that no codec has a part in does the same work before and after each round. A round counts as void if the slower of the two lies above the fence, the dashed line."),
    chart.node,
  ];
}

function canaryOption(fence, rounds, ink) {
  const worse = ([, , , before, after]) => Math.max(before, after);
  const unit = timeUnit([...rounds.map(worse), fence]);
  const values = [...rounds.map(worse), fence].filter(isNumber).map((ns) => ns / unit.ns);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low) * 0.1 || high * 0.01;
  const digits = Math.max(0, 1 - Math.floor(Math.log10(room * 5)));
  const points = (isVoid) => rounds.flatMap((round, place) => (round[5] === isVoid ? [[place, worse(round) / unit.ns]] : []));
  const dots = { type: "scatter", symbolSize: 8 };
  return {
    ...plainOption(ink, {
      trigger: "item",
      formatter: ({ value }) => {
        const [operation, round, started, before, after, isVoid] = rounds[value[0]];
        return hover(`${operation}, round ${round}`, [["started", date(started)], ["before", timeWithUnit(before)], ["after", timeWithUnit(after)], ["round", isVoid ? "void" : "inside the fence"]]);
      },
    }),
    grid: { left: 76, right: 60, top: 30, bottom: 44 },
    xAxis: axis(ink, { type: "category", data: rounds.map((_, place) => String(place + 1)), name: "rounds of all operations, in the order of time", nameLocation: "middle", nameGap: 26, splitLine: { show: false } }),
    yAxis: axis(ink, { type: "value", name: unit.name, min: low - room, max: high + room, axisLabel: { formatter: (value) => value.toFixed(digits), showMinLabel: false, showMaxLabel: false } }),
    series: [
      {
        ...dots,
        data: points(false),
        itemStyle: { color: ink.weak },
        markLine: isNumber(fence) ? { ...LEVEL, lineStyle: { color: ink.text, type: "dashed" }, data: [{ yAxis: fence / unit.ns, label: { formatter: "fence", position: "end", color: ink.weak } }] } : undefined,
      },
      { ...dots, symbol: "diamond", symbolSize: 13, data: points(true), itemStyle: { color: ink.text } },
    ],
  };
}
