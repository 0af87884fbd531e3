// What all charts share: colours of the page, size, and words on hover.

const charts = [];

/** Lines across a chart; without a precision of their own they would be drawn at two digits. */
const LEVEL = { silent: true, symbol: "none", precision: 12 };

/** A chart in a box of its own, drawn again when the box, the colours or the numbers change. */
function makeChart({ label, height, option, onclick }) {
  const node = el("div", { className: "chart", role: "img", style: `height:${height}px`, aria: { label } });
  const self = { node, instance: null, draw };
  function draw() {
    if (!node.isConnected) return;
    self.instance ??= start();
    self.instance.setOption(option(ink()), { notMerge: true });
  }
  function start() {
    const instance = echarts.init(node);
    if (onclick) instance.on("click", onclick);
    new ResizeObserver(() => instance.resize()).observe(node);
    return instance;
  }
  charts.push(self);
  return self;
}

function drawCharts() {
  for (const chart of charts) chart.draw();
}

/** The colours of the page, which are others in the dark. */
function ink() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  return { text: colour("--text"), weak: colour("--weak"), line: colour("--line"), paper: colour("--paper") };
}

/** What every option begins with. */
function plainOption(ink, tooltip) {
  return {
    animation: false,
    textStyle: { fontFamily: "system-ui, sans-serif", color: ink.text },
    tooltip: {
      confine: true,
      backgroundColor: ink.paper,
      borderColor: ink.line,
      textStyle: { color: ink.text, fontSize: 13 },
      ...tooltip,
    },
  };
}

function axis(ink, more) {
  return {
    nameTextStyle: { color: ink.weak },
    axisLabel: { color: ink.text, ...more.axisLabel },
    axisLine: { lineStyle: { color: ink.line }, ...more.axisLine },
    splitLine: { lineStyle: { color: ink.line }, ...more.splitLine },
    ...Object.fromEntries(
      Object.entries(more).filter(([key]) => !["axisLabel", "axisLine", "splitLine"].includes(key)),
    ),
  };
}

/** Words on hover: a heading, then terms with values. */
function hover(heading, pairs) {
  return el("div", { className: "hover" }, el("strong", {}, heading), terms(pairs));
}

/** Width of the widest of these labels, in pixels. */
function labelWidth(labels, size = 13) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `${size}px system-ui, sans-serif`;
  return Math.ceil(Math.max(0, ...labels.map((label) => context.measureText(label).width)));
}

/** A colour with stripes, which also tells a bar apart where there are no colours. */
function hatched(colour, ink) {
  const size = 8;
  const canvas = el("canvas", { width: size, height: size });
  const context = canvas.getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, size, size);
  context.strokeStyle = ink.paper;
  context.lineWidth = 2;
  context.beginPath();
  for (const offset of [-size, 0, size]) {
    context.moveTo(offset - 1, size + 1);
    context.lineTo(offset + size + 1, -1);
  }
  context.stroke();
  return { image: canvas, repeat: "repeat" };
}
