// The page: controls and drawing of what the address holds.

import { control, make, picture } from "/controls.js";
import { bare, format, parse } from "/state.js";

const IMPATIENT = 450; // ms after which a drawing is given up for a later one
const PATIENT = 1000; // ms after which the address is tried again
const find = (id) => document.getElementById(id);
const key = document.querySelector("meta[name=studio-key]").content;
const tab = Math.random().toString(36).slice(2);
const FORMATS = "File"; // the group of controls that stands beside the download

let components = bare();
let examples = [];
let state = { component: "", values: {}, texts: {}, page: 1 };
let shown = bare(); // controls by option
let kept = bare(); // what was given for components that were left
let facts = null; // of the drawing that is shown

// -- what is given ----------------------------------------------------------------------------------

let late = 0;

/** Put what is given into the address. Browsers let it change so often only, in silence or with an error: then later. */
function remember() {
  clearTimeout(late);
  try {
    history.replaceState(null, "", format(state));
  } catch {
    // as below
  }
  if (location.hash !== format(state)) late = setTimeout(remember, PATIENT);
}

function give(name, value, text) {
  if (value === undefined) {
    delete state.values[name];
    delete state.texts[name];
  } else {
    state.values[name] = value;
    if (text !== undefined) state.texts[name] = text;
    else delete state.texts[name];
  }
  shown[name]?.given(value);
  label();
  remember();
  draw();
}

/** Begin a set of one's own with the set that is chosen now; what it holds is no longer given. */
async function ownText(option, wanted) {
  if (!option.holds.length) return option.sample;
  const reply = await send("/file", { ...request(), file: ".toml" });
  const text = reply.ok ? await reply.text() : option.sample;
  for (const name of wanted() ? option.holds : []) {
    if (!(name in shown)) continue;
    delete state.values[name];
    shown[name].show(undefined);
  }
  return text;
}

function open(next) {
  state = next;
  if (state.component === "kit") state.values.game ??= "spiral"; // a kit is of a game, and none is the usual one
  const component = components[state.component];
  document.title = `${state.component} – Studio`;
  find("about").textContent = component.help;
  for (const link of find("components").querySelectorAll("a")) {
    if (link.dataset.name !== state.component) {
      link.removeAttribute("aria-current");
      continue;
    }
    link.setAttribute("aria-current", "page");
    link.scrollIntoView({ block: "nearest", inline: "nearest" }); // on a phone not all have room
  }
  const own = examples.filter((example) => example.component === state.component);
  find("examples").replaceChildren(
    make("option", { value: "", textContent: "an example …" }),
    ...own.map((example) => make("option", { value: example.name, textContent: example.about })),
  );
  build(component);
  label();
  remember();
  draw();
}

function build(component) {
  const wasOpen = new Set([...document.querySelectorAll("details[open]")].map((d) => d.dataset.group));
  shown = bare();
  const groups = new Map();
  for (const option of component.controls) {
    if (option.kind === "file" && !option.choices.length && !option.text) continue;
    const made = control(
      option,
      (value, text) => give(option.name, value, text),
      (wanted) => ownText(option, wanted),
    );
    made.show(state.values[option.name], state.texts[option.name]);
    shown[option.name] = made;
    if (!groups.has(option.group)) groups.set(option.group, []);
    groups.get(option.group).push(made);
  }
  const sections = [];
  for (const [name, members] of groups) {
    const elements = members.map((member) => member.element);
    if (name === FORMATS) {
      find("file").replaceChildren(...elements);
      continue;
    }
    const isOpen = !sections.length || wasOpen.has(name) || members.some((m) => m.name in state.values);
    const section = make("details", { open: isOpen }, make("summary", { textContent: name }), ...elements);
    section.dataset.group = name;
    sections.push(section);
  }
  find("groups").replaceChildren(...sections);
}

/** Open a state to which the browser's way back leads from here. */
function goTo(next) {
  history.pushState(null, "", format(next));
  open(next);
}

/** Go to another component: common options go along, its own are as they were left. */
function leaveFor(name) {
  kept[state.component] = state;
  const common = {};
  const texts = {};
  const own = new Set(components[state.component].controls.filter((c) => c.group === "Design").map((c) => c.name));
  for (const option of components[name].controls) {
    const value = state.values[option.name];
    if (option.group === "Design" || own.has(option.name) || value === undefined) continue;
    common[option.name] = value;
    if (option.name in state.texts) texts[option.name] = state.texts[option.name];
  }
  const before = { values: {}, texts: {} };
  for (const option of components[name].controls) {
    if (option.group !== "Design" || !(option.name in (kept[name]?.values ?? {}))) continue;
    before.values[option.name] = kept[name].values[option.name];
    if (option.name in kept[name].texts) before.texts[option.name] = kept[name].texts[option.name];
  }
  goTo({
    component: name,
    values: { ...before.values, ...common },
    texts: { ...before.texts, ...texts },
    page: 1,
  });
}

// -- drawing ----------------------------------------------------------------------------------------

function request() {
  return { tab, component: state.component, values: state.values, texts: state.texts, page: state.page };
}

function send(path, body, signal) {
  return fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Studio-Key": key },
    body: JSON.stringify(body),
    signal,
  });
}

let running = null;
let wanted = false;

/** Draw what is given now; while a drawing is on its way only the latest wish is kept. */
function draw() {
  wanted = true;
  if (running && performance.now() - running.since < IMPATIENT) {
    clearTimeout(running.timer);
    running.timer = setTimeout(draw, IMPATIENT);
    return;
  }
  running?.controller.abort();
  wanted = false;
  const mine = { controller: new AbortController(), since: performance.now() };
  running = mine;
  const slow = setTimeout(() => find("view").setAttribute("aria-busy", "true"), 200);
  answer(mine)
    .catch((error) => {
      if (error.name !== "AbortError") fail([{ message: "the studio does not answer; is it still running?" }]);
    })
    .finally(() => {
      clearTimeout(slow);
      clearTimeout(mine.timer);
      if (running !== mine) return;
      running = null;
      find("view").removeAttribute("aria-busy");
      if (wanted) draw();
      else document.documentElement.dataset.drawn = format(state); // for tests, and for style
    });
}

async function answer(mine) {
  const reply = await send("/draw", request(), mine.controller.signal);
  if (running !== mine || reply.status === 409) return;
  if (!reply.headers.get("Content-Type").startsWith("application/json")) {
    fail([{ message: (await reply.text()).trim() }]);
    return;
  }
  const found = await reply.json();
  if (running !== mine) return;
  if (found.faults) fail(found.faults);
  else show(found);
}

function show(found) {
  facts = found;
  clearFaults();
  state.page = found.page;
  remember();
  const sheet = find("sheet");
  const old = sheet.src;
  sheet.src = URL.createObjectURL(new Blob([found.svg], { type: "image/svg+xml" }));
  if (old.startsWith("blob:")) URL.revokeObjectURL(old);
  sheet.hidden = false;
  const title = found.pages[found.page - 1];
  sheet.alt = `${title}: page ${found.page} of ${found.pages.length}`;
  size();
  const count = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
  const told = [count(found.pages.length, "page")];
  if (found.sheets !== found.pages.length) told.push(`${count(found.sheets, "sheet")} of paper`);
  find("status").textContent = [...told, ...found.totals].join(" · ");
  find("notes").textContent = found.notes.join(" · ");
  find("command").replaceChildren(
    ...found.command.split(/ (?=--)/).flatMap((part, k) => [k ? " " : "", make("span", { textContent: part })]),
  );
  pages(found);
  beside(found);
  for (const made of Object.values(shown)) made.kinds?.(found.kinds);
  document.body.classList.remove("stale");
  label();
}

function size() {
  if (!facts) return;
  const actual = find("zoom").getAttribute("aria-pressed") === "true";
  const [width, height] = facts.size;
  find("sheet").style.setProperty("--ratio", width / height);
  find("sheet").style.setProperty("--wide", `${width}mm`);
  find("desk").classList.toggle("actual", actual);
}

function pages(found) {
  const list = find("pages");
  const names = found.pages.map((name, k) => `${k + 1} of ${found.pages.length}: ${name}`);
  if ([...list.options].map((option) => option.textContent).join("\n") !== names.join("\n")) {
    list.replaceChildren(...names.map((name, k) => make("option", { value: k + 1, textContent: name })));
  }
  list.value = found.page;
  list.disabled = false;
  find("back").disabled = found.page <= 1;
  find("forward").disabled = found.page >= found.pages.length;
}

function beside(found) {
  const names = { ".csv": "Table (CSV)", ".toml": "Tile set (TOML)" };
  const buttons = found.files.map((suffix) => {
    const button = make("button", { type: "button", textContent: names[suffix] ?? suffix });
    button.dataset.file = suffix;
    return button;
  });
  const texts = components[state.component].controls.filter((c) => c.text && state.values[c.name] === c.text);
  const saves = texts.map((option) => {
    const button = make("button", { type: "button", textContent: `Save ${option.text}` });
    button.dataset.text = option.name;
    button.title = "The command reads this file.";
    return button;
  });
  find("beside").replaceChildren(...buttons, ...saves);
}

function turn(by) {
  state.page += by;
  remember();
  draw();
}

// -- what is wrong ----------------------------------------------------------------------------------

function clearFaults() {
  for (const made of Object.values(shown)) made.fault([]);
  find("faults").hidden = true;
}

/** Return a message in which options that have a control here are buttons that lead to it. */
function spoken(message) {
  const [line, ...pointer] = message.split("\n");
  if (pointer.length) return [...spoken(line), make("code", { className: "pointer", textContent: pointer.join("\n") })];
  return line.split(/(--(?:no-)?[a-z][a-z-]*)/).map((part) => {
    const name = part.replace(/^--(no-)?/, "");
    if (!part.startsWith("--") || !(name in shown)) return part;
    const button = make("button", { type: "button", className: "lead", textContent: part });
    button.addEventListener("click", () => lead(name));
    return button;
  });
}

function lead(name) {
  const section = shown[name].element.closest("details");
  if (section) section.open = true;
  shown[name].focus();
}

function fail(faults) {
  clearFaults();
  document.body.classList.add("stale");
  const lines = [];
  for (const { message, option, fix } of faults) {
    const made = shown[option];
    const content = ["⚠ ", ...spoken(message)];
    const line = message.split("\n")[0];
    const head = `--${option} `; // the button says it
    if (fix && made) {
      const button = make("button", { type: "button", className: "fix", textContent: `Take ${fix}` });
      button.addEventListener("click", () => {
        made.show(fix);
        give(option, fix);
      });
      content.push(" ", button);
    }
    if (made) {
      made.fault(content);
      const section = made.element.closest("details");
      if (section) section.open = true;
      const button = make("button", { type: "button", className: "lead", textContent: "--" + option });
      button.addEventListener("click", () => lead(option));
      lines.push(make("p", {}, "⚠ ", button, ` ${line.startsWith(head) ? line.slice(head.length) : line}`));
    } else {
      lines.push(make("p", {}, ...content));
    }
  }
  find("faults").replaceChildren(...lines);
  find("faults").hidden = false;
  if (!facts) for (const id of ["back", "forward", "pages"]) find(id).disabled = true;
  find("status").textContent = facts ? "Not drawn; below is the last drawing that could be made." : "Not drawn.";
}

// -- files ------------------------------------------------------------------------------------------

function chosen() {
  const option = components[state.component].controls.find((c) => c.name === "format");
  return String(state.values.format ?? option.default).toLowerCase();
}

function label() {
  const many = chosen() !== "pdf" && (facts?.pages.length ?? 1) > 1;
  find("download").textContent = `Download ${chosen().toUpperCase()}${many ? "s (ZIP)" : ""}`;
}

async function save(suffix) {
  const told = find("told");
  told.textContent = "in the making …";
  try {
    const reply = await send("/file", { ...request(), file: suffix });
    if (!reply.ok) {
      told.textContent = "";
      if (reply.headers.get("Content-Type").startsWith("application/json")) {
        fail((await reply.json()).faults ?? [{ message: "another download of this page took its place" }]);
      } else fail([{ message: (await reply.text()).trim() }]);
      return;
    }
    const name = /filename="([^"]+)"/.exec(reply.headers.get("Content-Disposition"))[1];
    keep(decodeURIComponent(name), await reply.blob());
  } catch {
    told.textContent = "";
    fail([{ message: "the studio does not answer; is it still running?" }]);
  }
}

function keep(name, data) {
  const link = make("a", { href: URL.createObjectURL(data), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  find("told").textContent = `${name}, ${Math.ceil(data.size / 1000).toLocaleString("en")} kB`;
}

function keepText(name) {
  const { text } = components[state.component].controls.find((option) => option.name === name);
  keep(text, new Blob([state.texts[name]], { type: "text/plain" }));
}

async function copy(text, what) {
  const told = find("told");
  try {
    await navigator.clipboard.writeText(text);
    told.textContent = `${what} copied`;
  } catch {
    getSelection().selectAllChildren(find("command"));
    told.textContent = "the browser does not let the page copy; the command is selected";
  }
}

// -- the beginning ----------------------------------------------------------------------------------

function listen() {
  find("back").addEventListener("click", () => turn(-1));
  find("forward").addEventListener("click", () => turn(1));
  find("pages").addEventListener("change", (event) => turn(Number(event.target.value) - state.page));
  find("zoom").addEventListener("click", ({ currentTarget: zoom }) => {
    zoom.setAttribute("aria-pressed", zoom.getAttribute("aria-pressed") !== "true");
    size();
  });
  find("reset").addEventListener("click", () =>
    goTo({ component: state.component, values: {}, texts: {}, page: 1 }),
  );
  find("examples").addEventListener("change", ({ target }) => {
    const example = examples.find((entry) => entry.name === target.value);
    if (example) goTo({ component: example.component, values: { ...example.values }, texts: {}, page: 1 });
  });
  find("controls").addEventListener("submit", (event) => event.preventDefault());
  find("skip").addEventListener("click", (event) => {
    event.preventDefault();
    find("view").focus();
  });
  find("copy").addEventListener("click", () => copy(find("command").textContent, "command"));
  find("link").addEventListener("click", () => copy(location.href.split("#")[0] + format(state), "link"));
  find("download").addEventListener("click", () => save("." + chosen()));
  find("beside").addEventListener("click", (event) => {
    if (event.target.dataset.file) save(event.target.dataset.file);
    if (event.target.dataset.text) keepText(event.target.dataset.text);
  });
  addEventListener("hashchange", () => {
    if (location.hash !== format(state)) open(parse(location.hash, components));
  });
}

async function begin() {
  const data = await (await fetch("/components.json")).json();
  for (const component of data.components) components[component.name] = component;
  examples = data.examples;
  for (const name of Object.keys(components)) {
    const link = make("a", { href: "#" + name, textContent: name });
    link.dataset.name = name;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      if (name !== state.component) leaveFor(name);
    });
    find("components").append(make("li", {}, link));
  }
  listen();
  open(parse(location.hash || "#hex-lightning", components));
}

begin();
