// Numbers as people read them; a number that is missing is a dash.

const DASH = "–";

const TIMES = [
  { name: "s", ns: 1e9 },
  { name: "ms", ns: 1e6 },
  { name: "µs", ns: 1e3 },
  { name: "ns", ns: 1 },
];

function isNumber(value) {
  return typeof value === "number" && Number.isFinite(value);
}

/** Unit and digits in which all of these times can be compared at a glance. */
function timeUnit(times) {
  const seen = times.filter((ns) => isNumber(ns) && ns > 0);
  const most = Math.max(1, ...seen);
  const least = Math.min(most, ...seen);
  const unit = TIMES.find((unit) => most >= unit.ns) ?? TIMES.at(-1);
  const whole = Math.floor(Math.log10(least / unit.ns));
  return { ...unit, digits: Math.min(4, Math.max(0, 2 - whole)) };
}

/** A time in a unit, with more digits if it would vanish otherwise. */
function time(ns, unit) {
  if (!isNumber(ns)) return DASH;
  const scaled = ns / unit.ns;
  const text = scaled.toFixed(unit.digits);
  return scaled > 0 && Number(text) === 0 ? shortNumber(scaled, 1) : text;
}

function timeWithUnit(ns) {
  if (!isNumber(ns)) return DASH;
  const unit = timeUnit([ns]);
  return `${time(ns, unit)} ${unit.name}`;
}

/** A few digits that count, without an exponent. */
function shortNumber(value, digits = 3) {
  if (!isNumber(value)) return DASH;
  if (value === 0) return "0";
  const behind = digits - 1 - Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.min(12, Math.max(0, behind)));
}

function percent(share, digits = 1) {
  return isNumber(share) ? `${(share * 100).toFixed(digits)} %` : DASH;
}

function ratio(value, digits = 2) {
  return isNumber(value) ? value.toFixed(digits) : DASH;
}

/** Bytes per second in decimal megabytes. */
function rate(bytesPerSecond) {
  return isNumber(bytesPerSecond) ? shortNumber(bytesPerSecond / 1e6) : DASH;
}

function count(value) {
  return isNumber(value) ? value.toLocaleString("en-US") : DASH;
}

function memory(bytes) {
  if (!isNumber(bytes)) return DASH;
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let place = 0;
  let scaled = bytes;
  while (scaled >= 1024 && place + 1 < units.length) {
    scaled /= 1024;
    place += 1;
  }
  return `${place === 0 ? scaled : shortNumber(scaled)} ${units[place]}`;
}

function date(unixMs) {
  return isNumber(unixMs) ? `${new Date(unixMs).toISOString().slice(0, 16).replace("T", " ")} UTC` : DASH;
}

function plural(number, word) {
  return `${count(number)} ${word}${number === 1 ? "" : "s"}`;
}
