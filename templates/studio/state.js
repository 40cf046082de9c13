// What is given: a component, values by option, texts of files, a page; and its form in the address.

/** @typedef {{component: string, values: Object, texts: Object, page: number}} State */

const PAGE = "page";
const TEXT = ".text"; // no option's name has a dot

/** Return an object without anything in it, not even what all objects inherit: names come from addresses. */
export function bare() {
  return Object.create(null);
}

/** Return the state in an address's fragment; `known` are the components by name. */
export function parse(fragment, known) {
  const [head, query = ""] = split(fragment.replace(/^#/, ""), "?");
  const name = decode(head) in known ? decode(head) : Object.keys(known)[0];
  const state = { component: name, values: bare(), texts: bare(), page: 1 };
  const kinds = new Map(known[name].controls.map((control) => [control.name, control]));
  for (const [key, value] of new URLSearchParams(query)) {
    if (key === PAGE) {
      state.page = Math.max(1, parseInt(value, 10) || 1);
    } else if (key.endsWith(TEXT)) {
      state.texts[key.slice(0, -TEXT.length)] = value;
    } else {
      state.values[key] = typed(kinds.get(key), value);
    }
  }
  return state;
}

/** Return a state as a fragment that `parse` reads back. */
export function format(state) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(state.values)) {
    query.append(name, written(value));
    if (name in state.texts) query.append(name + TEXT, state.texts[name]);
  }
  if (state.page > 1) query.append(PAGE, state.page);
  const text = query.toString();
  return "#" + encodeURIComponent(state.component) + (text ? "?" + text : "");
}

function split(text, sign) {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function typed(control, value) {
  if (control?.kind === "flag" && (value === "yes" || value === "no")) return value === "yes";
  if (control?.kind !== "counts" || !control.choices.length) return value;
  const pairs = value.split(",").filter(Boolean).map((pair) => split(pair, "="));
  return Object.fromEntries(pairs.map(([kind, number = ""]) => [kind, number]));
}

function written(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object") return value;
  return Object.entries(value).map(([kind, number]) => `${kind}=${number}`).join(",");
}
