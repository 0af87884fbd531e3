// A table that can be sorted by each of its columns and filtered by words.

/**
 * Makes a table.
 *
 * A column has a `name`, perhaps a `unit`, and a `value` of a row, by which it sorts; `show` gives what stands in the cell, the value itself without it.
 * `number` columns stand to the right and start with the smallest.
 */
function makeTable({ id, caption, columns, rows, rowClass, filter = true }) {
  const heads = columns.map((column, place) => head(column, () => sortBy(place)));
  const body = el("tbody");
  const lines = rows.map((row, place) => ({ row, place, node: line(row) }));
  let sorted = { column: -1, direction: "none" };
  let isWanted = () => true;

  function line(row) {
    const cells = columns.map((column, place) => {
      const value = column.value(row);
      const properties = {
        className: [column.number ? "number" : "", column.className ?? ""].join(" ").trim() || null,
        scope: place === 0 ? "row" : null,
        data: value === null || value === undefined ? {} : { value: String(value) },
      };
      const shown = column.show ? column.show(row) : (value ?? DASH);
      return el(place === 0 ? "th" : "td", properties, shown);
    });
    return el("tr", { className: rowClass?.(row) || null }, cells);
  }

  /** Upwards, downwards, and back to the order of the record. */
  function sortBy(place) {
    const next = { none: "ascending", ascending: "descending", descending: "none" };
    const direction = sorted.column === place ? next[sorted.direction] : "ascending";
    sorted = { column: direction === "none" ? -1 : place, direction };
    heads.forEach((node, at) => node.setAttribute("aria-sort", at === sorted.column ? direction : "none"));
    order();
  }

  function order() {
    const { column, direction } = sorted;
    const ordered = [...lines];
    if (column >= 0) {
      const value = columns[column].value;
      const sign = direction === "ascending" ? 1 : -1;
      ordered.sort((a, b) => compare(value(a.row), value(b.row), sign) || a.place - b.place);
    }
    body.append(...ordered.map(({ node }) => node));
  }

  const input = el("input", { type: "search", id: `${id}-filter`, placeholder: "words", oninput: refresh });
  const shown = el("output", { className: "count", for: `${id}-filter`, aria: { live: "polite" } });

  function refresh() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let number = 0;
    for (const { row, node } of lines) {
      const text = words.length > 0 ? node.textContent.toLowerCase() : "";
      const wanted = isWanted(row) && words.every((word) => text.includes(word));
      node.hidden = !wanted;
      if (wanted) number += 1;
    }
    shown.textContent = `${number} of ${plural(lines.length, "row")}`;
  }

  const table = el("table", { id }, el("caption", {}, caption), el("thead", {}, el("tr", {}, heads)), body);
  const bar = el("div", { className: "filter" }, el("label", {}, "Filter ", input), shown);
  order();
  refresh();
  const scroller = el("div", { className: "scroller", role: "region", tabindex: "0", aria: { label: caption } }, table);
  return {
    node: el("div", { className: "table" }, filter ? bar : null, scroller),
    table,
    bar,
    /** Shows only rows of which `test` holds, besides those of the words. */
    only(test) {
      isWanted = test;
      refresh();
    },
  };
}

function head(column, onclick) {
  const button = el("button", { type: "button", title: column.title, onclick }, words(column.name), column.unit ? el("span", { className: "unit" }, ` ${column.unit}`) : null);
  const className = [column.number ? "number" : "", column.headClass ?? ""].join(" ").trim();
  return el("th", { scope: "col", className: className || null, aria: { sort: "none" } }, button);
}

/** A name that may be broken after the joints of an id. */
function words(name) {
  return name.split(/(?<=[_/-])/).flatMap((piece, place) => (place > 0 ? [el("wbr"), piece] : [piece]));
}

/** Whatever has no value stands last, upwards and downwards. */
function compare(a, b, sign) {
  const [noA, noB] = [a ?? null, b ?? null].map((value) => value === null);
  if (noA || noB) return Number(noA) - Number(noB);
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * String(a).localeCompare(String(b), "en", { numeric: true });
}
