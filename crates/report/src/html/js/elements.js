// Elements of the page, made from names, properties and children.

/** An element; a property that starts with `on` is a listener, `data` and `aria` are objects. */
function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(node.dataset, value);
    else if (name === "aria") {
      for (const [key, text] of Object.entries(value)) node.setAttribute(`aria-${key}`, text);
    } else if (name === "className") node.className = value;
    else if (name === "style") node.style.cssText = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

function section(id) {
  return document.getElementById(id);
}

/** What stands where a record has nothing to show. */
function missing(text) {
  return el("p", { className: "missing" }, text);
}

/** A labelled choice; `options` are `[value, text]`. */
function choice(id, label, options, onchange) {
  const select = el("select", { id, onchange: () => onchange(select.value) });
  select.append(...options.map(([value, text]) => el("option", { value }, text)));
  return { select, node: el("label", {}, `${label} `, select) };
}

/** A list of terms, without those that have no value. */
function terms(pairs) {
  const list = el("dl", { className: "terms" });
  for (const [term, value] of pairs) {
    if (value === null || value === undefined || value === "") continue;
    list.append(el("div", {}, el("dt", {}, term), el("dd", {}, value)));
  }
  return list;
}

/** A square in the colour of a library; the name beside it says the same in words. */
function swatch(codec) {
  if (!codec) return null;
  return el("span", { className: "swatch", style: `background:${codec.colour}`, aria: { hidden: "true" } });
}
