// Codecs with their sources and sizes, the machine, and how it was measured.

function codecsAndSizes(data) {
  const place = section("codecs");
  if (data.codecs.length === 0) {
    place.append(missing("This record has no codecs."));
    return;
  }
  place.append(
    makeTable({
      id: "table-codecs",
      caption: "Codecs, their versions and pins",
      rows: data.codecs,
      columns: [
        { name: "codec", value: (codec) => codec.name, show: (codec) => [swatch(codec), codec.name] },
        { name: "version", className: "wrap", value: (codec) => codec.description?.version },
        { name: "pinned package", className: "wrap", value: (codec) => pin(codec) },
        { name: "pin's age", title: "days from the publication of the pinned package to the run, as far as its files say", number: true, value: (codec) => codec.age_days, show: (codec) => (isNumber(codec.age_days) ? plural(codec.age_days, "day") : "unknown") },
        { name: "memory", value: (codec) => codec.class },
        { name: "adds", title: "loaded bytes of the program for parse beyond the same program without a library", number: true, value: (codec) => codec.added_bytes, show: (codec) => memory(codec.added_bytes) },
        { name: "claims", className: "words", value: (codec) => claims(codec.description?.capabilities) },
        { name: "remarks", className: "words", value: (codec) => remarks(codec) },
      ],
    }).node,
    outputs(data),
  );
}

function pin({ source, package: adapter }) {
  return source ? `${source.package} (${source.client})` : `Cargo.lock, by ${adapter}`;
}

function claims(capabilities) {
  if (!capabilities) return null;
  const { max_depth: depth, ...claimed } = capabilities;
  const words = Object.entries(claimed).filter(([, holds]) => holds).map(([name]) => name.replaceAll("_", " "));
  return [...words, depth === null ? "no fixed depth" : `depth ${depth}`].join(", ");
}

function remarks(codec) {
  const words = [];
  if (codec.twin_of) words.push(`the same program as ${codec.twin_of}, as a control`);
  if (codec.excluded) words.push(codec.excluded);
  if (codec.adapter) words.push("adapter of the user's");
  return words.join("; ") || null;
}

function outputs(data) {
  const rows = data.codecs.flatMap((codec) => Object.entries(codec.outputs).map(([dataset, output]) => ({ name: codec.name, dataset, ...output })));
  const json = data.datasets.map((dataset) => [dataset.id, dataset.json_bytes]).filter(([, bytes]) => isNumber(bytes));
  const source = json.length > 0 ? el("p", { className: "weak" }, `As JSON: ${json.map(([id, bytes]) => `${id} ${count(bytes)} bytes`).join(", ")}.`) : null;
  if (rows.length === 0) return missing("No output of a codec was judged in this record.");
  const size = (name, field, title) => ({ name, title, number: true, value: (row) => row[field], show: (row) => count(row[field]) });
  const made = makeTable({
    id: "table-outputs",
    caption: "What codecs write, in bytes",
    rows,
    columns: [
      { name: "codec", value: (row) => row.name },
      { name: "dataset", value: (row) => row.dataset },
      { name: "by the oracle", value: (row) => (row.outcome === "measured" ? "right" : row.outcome) },
      size("bytes", "bytes"),
      size("gzip", "gzip_bytes", "level 6"),
      size("zstd", "zstd_bytes", "level 3"),
      { name: "as the input", value: (row) => (row.identical ? "identical" : "differs") },
      size("floats narrowed", "floats_narrowed"),
      size("maps reordered", "keys_reordered"),
    ],
  });
  made.node.classList.add("tall");
  return el("div", {}, made.node, source);
}

function machinePart({ machine, run }) {
  const hz = (value) => (isNumber(value) ? `${(value / 1e9).toFixed(2)} GHz` : "unknown");
  section("machine").append(
    terms([
      ["processor", machine.cpu_model ?? "unknown"],
      ["measuring CPU", run.cpu === null ? "not pinned" : `CPU ${run.cpu}`],
      ["CPUs, cores", `${machine.cpus ?? "unknown"}, ${machine.cores ?? "unknown"}`],
      ["clock when idle, highest", `${hz(machine.clock_hz)}, ${hz(machine.max_clock_hz)}`],
      ["caches", machine.caches.map((cache) => `L${cache.level} ${cache.kind.toLowerCase()} ${memory(cache.bytes)}`).join(", ")],
      ["memory", isNumber(machine.memory_bytes) ? memory(machine.memory_bytes) : "unknown"],
      ["kernel", machine.kernel ?? "unknown"],
      ["hypervisor", machine.hypervisor ?? "none seen"],
      ["checks", machine.summary],
    ]),
    machine.checks.length === 0
      ? missing("No check of the machine is in this record.")
      : makeTable({
          id: "table-machine",
          caption: "What check-machine saw before the first sample",
          rows: machine.checks,
          columns: [
            { name: "check", value: (check) => check.name },
            { name: "answer", value: (check) => check.answer, show: (check) => el("span", { className: `answer-${check.answer}` }, check.answer) },
            { name: "found", className: "words", value: (check) => check.found },
            { name: "remedy", className: "words", value: (check) => check.remedy },
            { name: "why it matters", className: "words", value: (check) => check.why },
            { name: "from", className: "words", value: (check) => check.from },
          ],
        }).node,
  );
}

function methodPart(data) {
  const { run } = data;
  const { tools } = run;
  const rounds = data.operations.map((operation) => `${operation.name}: ${operation.used.length} count, ${operation.void.length} void, ${operation.unfinished.length} not finished`);
  const compilers = new Map(data.codecs.flatMap((codec) => codec.compilers.map((compiler) => [JSON.stringify(compiler), compiler])));
  const list = (items) => (items.length > 0 ? el("ul", {}, items.map((item) => el("li", {}, el("code", {}, item)))) : null);
  section("method").append(
    el("p", {}, "A process is a fresh one, for one codec and operation; a round has one process of every codec. A process value is the smallest sample of a process, per operation. The headline is the smallest process value, overall the sum over the datasets by round. A tier begins where the interval of the ratios, round by round, excludes the margin."),
    terms([
      ["METHOD", `${run.method}; results/README.md of the project says what it is`],
      ["profile", run.profile],
      ["rounds wanted", roundsWanted(run)],
      ["rounds", rounds.join("; ")],
      ["turns", run.lock_step ? "the processes of a round took turns, sample by sample" : "one process after the other"],
      ["layouts of each program", run.relinks === 0 ? "one" : String(run.relinks)],
      ["warm-up", `${timeWithUnit(run.warm_up.least_ns)} and ${plural(run.warm_up.least_operations, "operation")} at least, ${timeWithUnit(run.warm_up.most_ns)} at most`],
      ["time limit", `${run.time_limit_s} s for a process`],
      ["samples", data.datasets.map((dataset) => `${dataset.id}: ${dataset.samples} of ${plural(dataset.batch, "operation")}`).join("; ")],
      ["seed of the order", run.seed],
      ["commit", tools.commit ? `${tools.commit}${tools.modified ? ", with changes" : ""}` : "unknown"],
      ["Rust compiler", tools.rustc.split("\n")[0]],
      ["Rust flags", list(tools.rust_flags)],
      ["C and C++ compilers", list([...compilers.values()].map(compilerWords))],
      ["environment", list(Object.entries(tools.environment).map(([name, value]) => `${name}=${value}`))],
      ["lock files", list(Object.entries(tools.locks).map(([file, hash]) => `${file} ${hash.slice(0, 16)}…`))],
    ]),
    el("h3", {}, "Canary"),
    ...canary(data.canary),
  );
}

function compilerWords(compiler) {
  if (typeof compiler !== "object" || compiler === null) return String(compiler);
  const text = (value) => (Array.isArray(value) ? value.join(" ") : String(value));
  return ["library", "language", "compiler", "version", "flags"].filter((key) => key in compiler).map((key) => text(compiler[key])).join(" · ");
}
