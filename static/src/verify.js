// The page on C programs: a page whose text is a program, and whose answer says whether it can fail. It connects the
// program's lines to events and steps of the execution.

import { pathTo } from "./base.js";
import { mount } from "./bench.js";
import { cLanguage, setFailing, showing } from "./clanguage.js";
import * as engines from "./engines.js";
import * as execution from "./execution.js";
import * as macros from "./macros.js";
import * as programFiles from "./programfiles.js";
import { send } from "./send.js";
import * as stepping from "./stepping.js";
import * as waiting from "./waiting.js";

const form = document.getElementById("verify");
const pane = document.getElementById("picture");
const pickName = document.getElementById("pick-name");
const meaning = ["defines", "entry", "data-model", "char", "target", "volatile", "plain", "language", "level"]; // options with which the same text is another program
const usualProperties = ["assertion", "data-race"]; // ticked by default; alone, data races are checked only under models of languages

/** @type {Record<string, Place>} */
let lines = {}; // positions of the statements in the picture, by "thread:statement"
/** @type {Element | null} */
let places = null; // the element with these positions
/** @type {Places | null} */
let executed = null; // its parsed content
let stepper = /** @type {ReturnType<typeof stepping.mount>} */ (/** @type {unknown} */ (null)); // set when the editor is ready
const files = programFiles.mount(form, {
  editor: () => stepper && bench.editor,
  shown() {
    mark();
    bench.editor.recheck();
  },
  changed: () => bench.changed(),
  renamed() {
    bench.changed();
    checkAgain();
  },
});
const showMacros = macros.mount(form.elements["option-defines"], () => {
  bench.changed();
  checkAgain();
});
let pause = 0;

// checkAgain checks the text again after a change of another field.
function checkAgain() {
  clearTimeout(pause);
  pause = setTimeout(() => bench.editor.checkAgain(), 350);
}

/** @param {string} name */
const ticked = (name) => [...form.querySelectorAll(`input[name=${name}]:checked`)].map((e) => e.value);

/**
 * @param {string} name
 * @param {string[]} values
 */
const tick = (name, values) => {
  for (const e of form.querySelectorAll(`input[name=${name}]`)) e.checked = values.includes(e.value);
};

const races = form.elements.races;
let everywhere = races.checked; // the visitor's choice of data races under all models, where there is a choice

/** @param {string[]} properties */
const areUsual = (properties) => properties.join() === usualProperties.join();

// fitRaces ticks "under all models" as the server understands the boxes: with other properties, data races are checked
// under all models or under none.
function fitRaces() {
  const properties = ticked("property");
  races.disabled = !areUsual(properties);
  races.checked = races.disabled ? properties.includes("data-race") : everywhere;
}

// properties returns the chosen properties; [] for the default.
function properties() {
  const all = ticked("property");
  return areUsual(all) && !races.checked ? [] : all;
}

const showButtons = () => [...bench.result.querySelectorAll("button.show")];

const bench = mount(form, {
  compile: () => compile(),
  editor: {
    label: "Program",
    language: (known) => [cLanguage(known), stepping.standingGutter],
    writing: async () => (await import("./cwriting.js")).writing(),
    undoing: programFiles.undoing,
    open: files.show,
    here: files.here,
    pasted() {},
    cell: (line) => lightLine(line),
  },
  pictures: {
    at: "/programs",
    still: true,
    columns: () => [],
    light: (keys) => bench.editor.light(new Set([...keys].map((key) => lineOf(lines[key])))),
    steps: (run) => stepper.steps(run),
    stepped: (state) => stepper.stepped(state),
    chosen({ column }) {
      for (const b of showButtons()) b.setAttribute("aria-pressed", String(b.value === column));
    },
  },
  files: {
    kinds: Object.fromEntries(["c", "h", "i", "inc", "inl", "def", "txt", "cpp", "cc", "cxx", "hpp", "rs", "ll"].map((kind) => [kind, "program"])),
    what: "no program (.c, .cpp, .rs, .ll) and no header (.h, .hpp)",
    many: true,
    load({ files: found }) {
      const all = files.with(/** @type {SourceFile[]} */ (found));
      return bench.take(all[0].text, () => {
        files.put(all);
        named(all[0].name);
      });
    },
  },
  name: () => pickName.textContent.trim(),
  state() {
    const [{ name: file, text: source }, ...others] = files.all();
    return { source, file, files: others, properties: properties(), meaning: meaning.map((name) => form.elements[`option-${name}`].value) };
  },
  choose(s) {
    tick("model", s.models);
    const chosen = s.properties ?? [];
    everywhere = chosen.length > 0;
    tick("property", everywhere ? chosen : usualProperties);
    fitRaces();
    files.put([{ name: s.file ?? programFiles.usual, text: s.source }, ...(s.files ?? [])]);
  },
  restored(s) {
    showMacros();
    if (s.source !== form.elements.source.defaultValue) named("Your own");
  },
  brief(link, { properties: chosen = [], file, files: others = [] }) {
    const options = { ...link.options };
    if (chosen.length > 0) options.property = chosen.join("+");
    if (file && file !== programFiles.usual) options.file = file;
    if (others.length > 0) options.files = JSON.stringify(others);
    return Object.keys(options).length > 0 ? { ...link, options } : link;
  },
  whole: (state, { options: { property = "", file = programFiles.usual, files: others = "" } }) => ({
    ...state,
    arch: "program",
    properties: property ? property.split("+") : [],
    file,
    files: programFiles.kept(others),
  }),
  unnamed: () => named("Your own"),
  checks: pathTo("/programs/check"),
  checkAll: true,
  chose: (name) => /^option-(defines|entry|data-model|language)$/.test(name) && checkAgain(),
  examples: pathTo("/programs/program?program="),
  address: pathTo("/programs?program="),
  noExample: "There is no program",
  picked(/** @type {ProgramExample} */ example) {
    engines.release(form);
    tick("model", example.models);
    everywhere = Boolean(example.properties);
    tick("property", example.properties ?? usualProperties);
    fitRaces();
    form.elements["option-language"].value = "";
    files.put([{ name: programFiles.usual, text: example.source }]);
    form.elements["option-defines"].value = (example.defines ?? []).join(" ");
    showMacros();
    const rounds = form.elements["option-unroll"];
    rounds.value = /** @type {string | undefined} */ (/** @type {unknown} */ (example.unroll)) ?? rounds.closest("[data-default]").dataset.default;
    engines.fit(form);
    named(example.name);
  },
  show(html) {
    bench.result.innerHTML = html;
    const column = bench.result.querySelector("[data-summary]")?.dataset.first;
    return column ? { column, state: "" } : null;
  },
  pick(first, wished, last) {
    const failing = showButtons().map((b) => b.value);
    const column = [wished, bench.pictures.state().pick, first].map((p) => p?.column).find((c) => c && failing.includes(c)) ?? (last && failing[0]);
    return column ? { column, state: "" } : null;
  },
  wishes: false,
  placed: place,
});

// lineOf returns the line of a position in the open file; "" for other files.
/** @param {Place | undefined} place */
const lineOf = (place) => (place && files.here(place.file) ? String(place.line) : "");

// lightLine highlights the events of a line of the program.
/** @param {string | null} line */
function lightLine(line) {
  const keys = Object.keys(lines).filter((key) => line !== null && lineOf(lines[key]) === line);
  for (const box of pane.querySelectorAll(".picture")) execution.lightCell(box, keys);
}

// place connects a new picture to the lines of the program.
function place() {
  const now = pane.querySelector("#places");
  if (now === places) return;
  places = now;
  executed = now ? JSON.parse(now.textContent) : null;
  lines = executed?.lines ?? {};
  if (!now) stepper.steps(null);
  stepper.place(executed);
  const fails = mark();
  if (!bench.editor.view.hasFocus && fails.length > 0) showing(bench.editor.view, fails[0]);
}

// mark marks the lines of the open file that have events, and returns the failing ones.
function mark() {
  const fails = (executed?.fails ?? []).map(lineOf).filter(Boolean).map(Number);
  const { editor } = bench;
  editor.setCells(cells(editor.view.state.doc));
  editor.view.dispatch({ effects: setFailing.of(fails) });
  stepper.again();
  return fails;
}

// cells returns the lines of the text that have events in the picture.
/** @param {Doc} doc */
function cells(doc) {
  const numbers = [...new Set(Object.values(lines).map(lineOf))].map(Number).filter((n) => n >= 1 && n <= doc.lines);
  return numbers.map((line) => {
    const { text } = doc.line(line);
    const col = text.search(/\S|$/);
    return { key: String(line), line, col, length: text.trimEnd().length - col };
  });
}

// named sets the name of the program in the editor.
/** @param {string} name */
function named(name) {
  pickName.textContent = name;
}

// compile shows the program compiled for each architecture.
async function compile() {
  const { compile: show } = await import("./compiling.js");
  return show(bench.result.querySelector(".compile .made"), bench.question(), "all", pathTo("/programs/compiled"));
}

// repair shows repairs under one model or all of them.
/** @param {string} model */
async function repair(model) {
  const { repairs } = await import("./repairs.js");
  const asked = bench.question();
  const box = /** @type {HTMLElement} */ (bench.result.querySelector(".repairing .mended"));
  box.scrollIntoView({ block: "nearest" });
  await repairs(box, model, asked, {
    at: "/programs/repair",
    what: "repair",
    take(text) {
      const all = programFiles.changed(files.all(), JSON.parse(text));
      bench.take(all[0].text, () => {
        files.put(all);
        named("Your own");
      });
    },
    fails: (button) => fails(button, asked),
  });
}

// fails shows the execution in which the program fails without a change, or says that it does not.
/**
 * @param {HTMLButtonElement} button
 * @param {URLSearchParams} asked
 */
async function fails(button, asked) {
  const around = /** @type {HTMLElement} */ (button.parentElement);
  const shown = around.querySelector(".execution");
  button.setAttribute("aria-expanded", String(!shown));
  if (shown) return shown.remove();
  const box = document.createElement("div");
  box.className = "execution";
  around.append(box);
  const mine = new AbortController();
  const wait = waiting.begin(box, { what: "the program without this change", cancel: () => mine.abort() });
  const question = programFiles.asking(asked, JSON.parse(button.dataset.without));
  question.set("column", button.dataset.model);
  try {
    box.innerHTML = await (await send(pathTo("/programs/picture"), question, mine.signal)).text();
    // The picture belongs to another text than the editor's: do not connect it, and show one panel.
    for (const e of box.querySelectorAll("script, .panel:not([data-panel=graph]), .panel h3")) e.remove();
    for (const e of box.querySelectorAll(".picture, .drawing")) e.setAttribute("aria-label", `${button.dataset.what}: ${e.getAttribute("aria-label")}`);
    execution.activate(box, () => {}, {});
  } catch (e) {
    box.textContent = mine.signal.aborted ? "Cancelled." : e.message;
  } finally {
    wait.end();
  }
  return undefined;
}

// raise raises a bound as a button of the answer says: "unroll=4".
/** @param {string} text */
function raise(text) {
  const [name, value] = text.split("=");
  form.elements[`option-${name}`].value = value;
  bench.changed();
  bench.run();
}

form.addEventListener("change", ({ target }) => {
  if (target === races) everywhere = races.checked;
  if (target === races || target.name === "property") fitRaces();
}, true);
fitRaces();
form.addEventListener("submit", (e) => {
  const { name, value } = /** @type {HTMLButtonElement} */ (e.submitter ?? {});
  if (name === "open") return; // elsewhere
  e.preventDefault();
  if (name === "show") bench.pictures.show({ column: value, state: "" });
  else if (name === "raise") raise(value);
  else if (name === "to") compile();
  else if (name === "repair") repair(value);
  else bench.run();
});
bench.result.addEventListener("click", (e) => {
  const at = e.target.closest("[data-line]");
  if (!at) return;
  e.preventDefault();
  files.show(at.dataset.file);
  bench.editor.goTo(Number(at.dataset.line), Number(at.dataset.col));
});
stepper = stepping.mount(bench.editor.view, { here: files.here, open: files.show });
bench.begin();
