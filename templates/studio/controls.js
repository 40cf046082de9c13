// Controls for options. Each is an element with `name`, `show(value, text)`, `fault(message)`.

const SEGMENTS = 4; // so many choices stand side by side
const OWN = "your own text …";

/** Return a new element; properties that are no properties of it become attributes. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

let pictures = new Map();

/** Return the address of an SVG's picture; the same text has the same one. */
export function picture(svg) {
  if (!pictures.has(svg)) {
    if (pictures.size > 200) forget();
    pictures.set(svg, URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })));
  }
  return pictures.get(svg);
}

function forget() {
  pictures.forEach((address) => URL.revokeObjectURL(address));
  pictures = new Map();
}

/**
 * Return the control of an option. `changed(value, text)` is called with what is given, undefined for
 * what is not; `sample(wanted)` resolves to how a text of one's own begins, if `wanted()` holds by then.
 */
export function control(option, changed, sample) {
  const id = "o-" + option.name;
  const parts = FIELDS[option.kind] ?? words;
  const field = parts(option, id, changed, sample);
  const group = field.group;
  const reset = make("button", { type: "button", className: "reset", hidden: true, textContent: "↺" });
  reset.setAttribute("aria-label", `Back to the default: ${option.label}`);
  reset.title = "Back to the default";
  reset.addEventListener("click", () => {
    field.show(undefined);
    changed(undefined);
    field.focus();
  });
  const label = group
    ? make("span", { id: id + "-label", className: "label", textContent: option.label })
    : make("label", { htmlFor: id, textContent: option.label });
  const help = make("p", { id: id + "-help", className: "help", textContent: option.help });
  const fault = make("p", { id: id + "-fault", className: "fault", hidden: true });
  const element = make(
    "div",
    { className: `control ${option.kind}`, id: "c-" + option.name },
    make("div", { className: "head" }, label, reset, ...(field.beside ?? [])),
    field.element,
    fault,
    help,
  );
  if (group) {
    element.setAttribute("role", "group");
    element.setAttribute("aria-labelledby", id + "-label");
  }
  element.title = "--" + option.name;
  (group ? element : field.input).setAttribute("aria-describedby", `${id}-fault ${id}-help`);
  return {
    name: option.name,
    element,
    focus: field.focus,
    kinds: field.kinds,
    show(value, text) {
      reset.hidden = value === undefined;
      element.classList.toggle("given", value !== undefined);
      field.show(value, text);
    },
    given(value) {
      reset.hidden = value === undefined;
      element.classList.toggle("given", value !== undefined);
    },
    fault(content) {
      fault.replaceChildren(...content);
      fault.hidden = !content.length;
      for (const input of element.querySelectorAll("input, select, textarea")) {
        if (content.length) input.setAttribute("aria-invalid", "true");
        else input.removeAttribute("aria-invalid");
      }
    },
  };
}

const FIELDS = { flag, choice, several, int: number, length: number, number, counts, file };

function words(option, id, changed) {
  const input = make("input", { id, type: "text", spellcheck: false, maxLength: 4000 });
  input.placeholder = option.default ?? "";
  const list = option.choices.length ? suggestions(option, id, input) : [];
  input.addEventListener("input", () => changed(input.value.trim() ? input.value : undefined));
  return {
    element: make("div", {}, input, ...list),
    input,
    focus: () => input.focus(),
    show: (value) => (input.value = value === undefined ? "" : String(value)),
  };
}

function suggestions(option, id, input) {
  input.setAttribute("list", id + "-list");
  const items = option.choices.map((choice) => make("option", { value: choice }));
  return [make("datalist", { id: id + "-list" }, ...items)];
}

function number(option, id, changed) {
  const input = make("input", { id, type: "text", inputMode: "decimal", spellcheck: false });
  const shown = option.default ?? "";
  input.placeholder = shown || "automatic";
  const list = option.choices.length ? suggestions(option, id, input) : [];
  const slides = option.kind === "int" && option.most !== null && option.most - option.least <= 60;
  const slider = slides
    ? make("input", { type: "range", min: option.least, max: option.most, step: 1, tabIndex: -1 })
    : null;
  slider?.setAttribute("aria-hidden", "true");
  const give = (text) => changed(text.trim() ? text : undefined);
  const follow = () => {
    if (slider) slider.value = parseInt(input.value || shown, 10) || option.least;
  };
  const step = (by) => {
    const next = stepped(option, input.value || shown, by);
    if (next === null) return;
    input.value = next;
    follow();
    give(next);
  };
  input.addEventListener("input", () => {
    follow();
    give(input.value);
  });
  input.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    step(by);
  });
  slider?.addEventListener("input", () => {
    input.value = slider.value;
    give(slider.value);
  });
  const button = (sign, by, what) => {
    const made = make("button", { type: "button", className: "step", textContent: sign, tabIndex: -1 });
    made.setAttribute("aria-label", `${what}: ${option.label}`);
    made.addEventListener("click", () => step(by));
    return made;
  };
  const row = make("div", { className: "stepper" }, button("−", -1, "Less"), input, button("+", 1, "More"));
  return {
    element: make("div", { className: "number" }, row, ...(slider ? [slider] : []), ...list),
    input,
    focus: () => input.focus(),
    show(value) {
      input.value = value === undefined ? (slider ? shown : "") : String(value);
      follow();
    },
  };
}

/** Return a number one step on, with its unit, within the option's bounds; null for what is none. */
function stepped(option, text, by) {
  const match = /^\s*([+-]?[\d.]+)\s*(.*?)\s*$/.exec(text || (option.kind === "length" ? "10 mm" : "0"));
  if (!match) return null;
  const unit = match[2];
  const size = Math.abs(parseFloat(match[1]));
  const inch = unit === "in" || unit === '"';
  const small = option.most !== null && option.most <= 3;
  const step = option.kind === "int" ? 1 : small ? 0.01 : inch ? 0.05 : size < 10 ? 0.5 : 1;
  let next = Math.round((parseFloat(match[1]) + by * step) * 1000) / 1000;
  if (unit === "mm" || !unit) {
    if (option.least !== null) next = Math.max(option.least, next);
    if (option.most !== null) next = Math.min(option.most, next);
  }
  return unit ? `${next} ${unit}` : String(next);
}

function flag(option, id, changed) {
  if (option.default === null) {
    const field = choice({ ...option, choices: ["yes", "no"] }, id, (value) =>
      changed(value === undefined ? undefined : value === "yes"),
    );
    const show = field.show;
    field.show = (value) => show(value === undefined ? undefined : value ? "yes" : "no");
    return field;
  }
  const input = make("input", { id, type: "checkbox", className: "switch" });
  input.setAttribute("role", "switch");
  input.addEventListener("change", () => changed(input.checked));
  return {
    element: make("span", {}),
    beside: [input],
    input,
    focus: () => input.focus(),
    show: (value) => (input.checked = value === undefined ? option.default : value === true),
  };
}

function choice(option, id, changed) {
  const known = option.default === null ? ["", ...option.choices] : option.choices;
  const name = (value) => value || "automatic";
  if (known.length > SEGMENTS) return listed(option, id, changed, known, name);
  const radios = known.map((value) => make("input", { type: "radio", name: id, value }));
  const labels = radios.map((radio) => make("label", {}, radio, make("span", { textContent: name(radio.value) })));
  for (const radio of radios) radio.addEventListener("change", () => changed(radio.value || undefined));
  return {
    group: true,
    element: make("div", { className: "segments" }, ...labels),
    input: radios[0],
    focus: () => (radios.find((radio) => radio.checked) ?? radios[0]).focus(),
    show(value) {
      for (const radio of radios) radio.checked = radio.value === (value ?? option.default ?? "");
    },
  };
}

/** Words with commas between, each of which is taken or not. */
function several(option, id, changed) {
  const boxes = option.choices.map((value) => make("input", { type: "checkbox", value }));
  const labels = boxes.map((box) => make("label", {}, box, make("span", { textContent: box.value })));
  const joined = () => boxes.filter((box) => box.checked).map((box) => box.value).join(",");
  for (const box of boxes) box.addEventListener("change", () => changed(joined()));
  return {
    group: true,
    element: make("div", { className: "segments several" }, ...labels),
    input: boxes[0],
    focus: () => boxes[0].focus(),
    show(value) {
      const taken = String(value ?? option.default).toLowerCase().split(/[\s,]+/);
      for (const box of boxes) box.checked = taken.includes(box.value.toLowerCase());
    },
  };
}

function listed(option, id, changed, known, name) {
  const items = known.map((value) => make("option", { value, textContent: name(value) }));
  const input = make("select", { id }, ...items);
  input.addEventListener("change", () => changed(input.value || undefined));
  return {
    element: make("div", {}, input),
    input,
    focus: () => input.focus(),
    show: (value) => (input.value = value ?? option.default ?? ""),
  };
}

function file(option, id, changed, sample) {
  const first = option.default === null ? [make("option", { value: "", textContent: "none" })] : [];
  const names = option.choices.map((value) => make("option", { value, textContent: value }));
  const own = option.text ? [make("option", { value: option.text, textContent: OWN })] : [];
  const input = make("select", { id }, ...first, ...names, ...own);
  const area = make("textarea", { rows: 9, spellcheck: false, hidden: true, maxLength: 100000 });
  area.setAttribute("aria-label", `${option.label}: the text of ${option.text}`);
  input.addEventListener("change", async () => {
    if (input.value === option.text && option.text) {
      const wanted = () => input.isConnected && input.value === option.text; // it may be left meanwhile
      const text = area.value.trim() ? area.value : await sample(wanted);
      if (!wanted()) return;
      area.value = text;
      area.hidden = false;
      changed(option.text, area.value);
    } else {
      area.hidden = true;
      changed(input.value || undefined);
    }
  });
  area.addEventListener("input", () => changed(option.text, area.value));
  return {
    element: make("div", {}, input, area),
    input,
    focus: () => (area.hidden ? input : area).focus(),
    show(value, text) {
      input.value = value ?? option.default ?? "";
      area.hidden = !option.text || value !== option.text;
      if (text !== undefined) area.value = text;
    },
  };
}

function counts(option, id, changed) {
  if (!option.choices.length) return words({ ...option, default: null }, id, changed);
  const grid = make("div", { className: "kinds" });
  let given = {};
  let cells = new Map();
  const give = (name, text) => {
    given = { ...given };
    if (text.trim()) given[name] = text.trim();
    else delete given[name];
    changed(Object.keys(given).length ? given : undefined);
  };
  const cell = (kind) => {
    const image = make("img", { alt: "" });
    const input = make("input", { type: "text", inputMode: "numeric", maxLength: 6 });
    input.setAttribute("aria-label", `${kind.name}: how many tiles`);
    const step = (by) => {
      input.value = Math.max(0, (parseInt(input.value || input.placeholder, 10) || 0) + by);
      give(kind.name, input.value);
    };
    input.addEventListener("input", () => give(kind.name, input.value));
    input.addEventListener("keydown", (event) => {
      const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (by) {
        event.preventDefault();
        step(by);
      }
    });
    const button = (sign, by, what) => {
      const made = make("button", { type: "button", className: "step", textContent: sign, tabIndex: -1 });
      made.setAttribute("aria-label", `${what} ${kind.name}`);
      made.addEventListener("click", () => step(by));
      return made;
    };
    const about = make("span", { className: "capacity" });
    const element = make(
      "div",
      { className: "kind" },
      image,
      make("span", { className: "name", textContent: kind.name }),
      about,
      make("div", { className: "stepper" }, button("−", -1, "One less"), input, button("+", 1, "One more")),
    );
    return { element, image, input, about };
  };
  const show = (value) => {
    given = typeof value === "object" && value ? value : {};
    for (const [name, { input, element }] of cells) {
      if (document.activeElement !== input) input.value = given[name] ?? "";
      element.classList.toggle("given", name in given);
    }
  };
  return {
    group: true,
    element: grid,
    input: grid,
    focus: () => grid.querySelector("input")?.focus(),
    show,
    kinds(kinds) {
      if (kinds.map((kind) => kind.name).join() !== [...cells.keys()].join()) {
        cells = new Map(kinds.map((kind) => [kind.name, cell(kind)]));
        grid.replaceChildren(...[...cells.values()].map((made) => made.element));
      }
      for (const kind of kinds) {
        const { element, image, input, about } = cells.get(kind.name);
        const address = picture(kind.picture);
        if (image.src !== address) image.src = address;
        input.placeholder = kind.count;
        about.textContent = `reach ${kind.capacity}`;
        element.title = `${kind.name} joins ${kind.joins}; connective capacity ${kind.capacity}`;
      }
      show(given);
    },
  };
}
