// The editor of models of one's own: a tab for each, and for each file of one's own that
// it includes. It works over the form's fields, which are all there is without scripts: a
// fieldset for each model, with its name, its text, and, as JSON, what it includes. Fetched
// when the pane is opened.

import { pathTo } from "./base.js";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap } from "@codemirror/view";
import { catLanguage, completeModel, included, titleOf } from "./catlanguage.js";
import { offered } from "./completion.js";
import { base, goTo } from "./editing.js";
import { apart, keys } from "./keys.js";
import { diagnostic, forceLinting, linting, mend } from "./linting.js";
import * as problems from "./problems.js";
import { words } from "./words.js";

/** @typedef {OwnModel & { row: HTMLElement, docs: Map<string, ModelDoc>, named?: boolean }} EditedModel a model with its fields */
/** @typedef {{ model: EditedModel, file: string, state: EditorState }} ModelDoc a model's text, or a file's */

// nothing stands for the document in sight while there is none, which is never for longer than an event takes.
const nothing = /** @type {ModelDoc} */ (/** @type {unknown} */ (null));

/** @type {import("@codemirror/state").StateEffectType<number[]>} */
const setLines = StateEffect.define();
const litLine = Decoration.line({ class: "cm-lit-line" });
const litLines = StateField.define({
  create: () => Decoration.none,
  update(marks, tr) {
    marks = marks.map(tr.changes);
    for (const e of tr.effects) {
      if (!e.is(setLines)) continue;
      /** @type {import("@codemirror/state").Range<Decoration>[]} */
      const ranges = [];
      for (const n of e.value) {
        if (n >= 1 && n <= tr.state.doc.lines) ranges.push(litLine.range(tr.state.doc.line(n).from));
      }
      marks = Decoration.set(ranges, true);
    }
    return marks;
  },
  provide: (f) => EditorView.decorations.from(f),
});

/** @param {string} text */
const wholeText = (text) => text.replace(/\r\n?/g, "\n");

/**
 * mount puts tabs and an editor over the models' fields.
 * @param {HTMLElement} box holds the models' fieldsets; data-most says how many there may
 *   be (16)
 * @param {ModelPage} page
 *   nonce: the page's permission for style elements;
 *   run(): the visitor asks for a run;
 *   change(): a text, a name, or how many models there are, has changed;
 *   rename(from, to): a model goes by another name;
 *   check(models): a promise of {own: [{name, errors: [{file, line, col, message}]}]} for
 *     models [{name, text, files}]
 * @returns state() and restore(list): the models [{name, text, files}];
 *   open({name, text}): one more model, or the text of the one that is empty;
 *   names(): [{name, title}] of those that have a text; lightLines(file, from, to): lights
 *   lines of a model, by its name, or of a file, and brings them into sight; recheck()
 */
export async function mount(box, page) {
  const most = Number(box.dataset.most);
  const known = await words("cat");
  const library = new Set(known?.files.map((f) => f.name));

  // A document is a model's text, or a file's: {model, file ("" for the text), state}.
  /** @type {EditedModel[]} */
  let models = []; // {row, name, text, files, docs: Map of file → document}
  let at = nothing; // the document in sight
  /** @type {{ model: EditedModel, file: string }[]} */
  let tabbed = []; // what the tabs are of, {model, file}
  /** @type {(OwnModel & { i: number }) | null} */
  let removed = null;
  /** @type {Problem[]} */
  let found = []; // problems, of all models
  let asking = 0;

  const ui = build(box);
  const view = new EditorView({ parent: ui.host });
  const below = problems.mount(
    ui.host,
    (p) => {
      select(documentOf(/** @type {EditedModel} */ (p.model), /** @type {string} */ (p.path)));
      goTo(view, p.line, p.col);
    },
    (p) => {
      select(documentOf(/** @type {EditedModel} */ (p.model), /** @type {string} */ (p.path)));
      mend(view, p.fix);
    },
  );

  const extensions = [
    base(page.nonce, "Model in cat", page.run),
    keys(),
    catLanguage(known),
    offered(completeModel(known, (file) => at?.model.files[file] ?? null)),
    litLines,
    highlightSelectionMatches(),
    keymap.of(searchKeymap),
    linting(lint),
    EditorView.updateListener.of((u) => {
      at.state = u.state;
      if (u.docChanged) {
        keep(at, u.state.doc.toString());
        changed();
      }
    }),
  ];

  /**
   * @param {EditedModel} model
   * @param {string} file
   */
  function documentOf(model, file) {
    if (!model.docs.has(file)) {
      const doc = file === "" ? model.text : model.files[file];
      model.docs.set(file, { model, file, state: EditorState.create({ doc, extensions }) });
    }
    return /** @type {ModelDoc} */ (model.docs.get(file));
  }

  function keep(/** @type {ModelDoc} */ { model, file }, /** @type {string} */ text) {
    if (file === "") model.text = text;
    else model.files[file] = text;
    if (file === "") entitle(model);
    sync(model);
  }

  // sync writes a model to its fields.
  /** @param {EditedModel} model */
  function sync(model) {
    field(model.row, "text").value = model.text;
    field(model.row, "files").value = Object.keys(model.files).length > 0 ? JSON.stringify(model.files) : "";
    field(model.row, "name").value = model.name;
  }

  // name calls a model something else, everywhere.
  /**
   * @param {EditedModel} model
   * @param {string} to
   */
  function name(model, to) {
    if (to === model.name) return;
    const from = model.name;
    model.name = to;
    sync(model);
    page.rename(from, to);
  }

  // entitle has a model that nobody has named go by its title.
  /** @param {EditedModel} model */
  function entitle(model) {
    if (model.named) return;
    const title = nameOf(titleOf(model.text));
    const taken = known?.builtin.includes(title.toLowerCase()) || models.some((m) => m !== model && m.name === title);
    if (title && !taken) name(model, title);
  }

  /** @param {string} name */
  const automatic = (name) => /^own\d*$/.test(name);

  function changed() {
    tabs();
    page.change();
  }

  /** @param {ModelDoc} doc */
  function select(doc, focus = false) {
    if (at === doc) return;
    at = doc;
    view.setState(doc.state);
    forceLinting(view);
    tabs();
    if (focus) view.focus();
  }

  // lint asks about all models at once; the answer is of what was asked, or is forgotten.
  /** @param {CodeView} view */
  async function lint(view) {
    const mine = ++asking;
    const doc = view.state.doc;
    const asked = models.filter((m) => m.text.trim() !== "");
    try {
      const { own } = asked.length > 0 ? await page.check(asked.map(plain)) : { own: [] };
      if (mine === asking) {
        found = asked.flatMap((model, i) =>
          (own[i]?.errors ?? []).map((e) => ({
            ...e,
            severity: "error",
            model,
            path: e.file && e.file in model.files ? e.file : "",
            file: [asked.length > 1 ? model.name : "", e.file].filter(Boolean).join(" "),
          })),
        );
        below.show(found);
        tabs();
      }
    } catch {
      // a run will say what is wrong
    }
    if (view.state.doc !== doc) return [];
    return found.filter((p) => p.model === at.model && p.path === at.file).map((p) => diagnostic(doc, p));
  }

  /** @param {EditedModel} m */
  const plain = (m) => ({ name: m.name, text: m.text, files: { ...m.files } });

  /** @param {Partial<OwnModel> & {row?: HTMLElement | null}} model */
  function add({ name, text = "", files = {}, row = null }) {
    /** @type {EditedModel} */
    const model = { row: row ?? newRow(), name: name || freeName(), text: wholeText(text), files, docs: new Map() };
    // A name that is made of the title goes on with it.
    model.named = !automatic(model.name) && nameOf(titleOf(model.text)) !== model.name;
    models.push(model);
    sync(model);
    return model;
  }

  function newRow() {
    const row = /** @type {HTMLElement} */ (/** @type {EditedModel} */ (models.at(-1)).row.cloneNode(true));
    for (const e of row.querySelectorAll("[id]")) e.removeAttribute("id");
    /** @type {EditedModel} */ (models.at(-1)).row.after(row);
    return row;
  }

  function freeName() {
    const taken = new Set(models.map((m) => m.name));
    for (let i = 1; ; i++) {
      const name = i === 1 ? "own" : `own${i}`;
      if (!taken.has(name)) return name;
    }
  }

  /** @param {EditedModel} model */
  function remove(model) {
    const i = models.indexOf(model);
    const copy = { ...plain(model), i };
    if (models.length > 1) {
      models.splice(i, 1);
      model.row.remove();
    } else {
      Object.assign(model, { text: "", files: {}, docs: new Map() });
      sync(model);
    }
    removed = copy;
    ui.undo.hidden = false;
    /** @type {Node} */ (ui.undo.firstChild).textContent = `Removed ${copy.name}. `;
    at = nothing;
    select(documentOf(models[Math.min(i, models.length - 1)], ""));
    changed();
  }

  function unremove() {
    const lone = models.length === 1 && models[0].text.trim() === "";
    const model = lone ? models[0] : add(/** @type {OwnModel} */ (removed));
    if (lone) Object.assign(model, { ...removed, docs: new Map() });
    sync(model);
    removed = null;
    ui.undo.hidden = true;
    at = nothing;
    select(documentOf(model, ""), true);
    changed();
  }

  // replace puts a text in place of the one in sight; undo brings that back.
  /** @param {string} text */
  function replace(text) {
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: wholeText(text) }, annotations: apart });
  }

  // tabs draws the tabs and what goes with the one in sight.
  function tabs() {
    const focused = ui.tabs.contains(document.activeElement);
    tabbed = models.flatMap((model) => ["", ...Object.keys(model.files)].map((file) => ({ model, file })));
    const list = tabbed.map(tab);
    // Tabs that look the same stay in place, under whoever is about to press one.
    /** @param {Element[]} all */
    const looks = (all) => all.map((b) => b.outerHTML).join("");
    if (looks(list) !== looks([...ui.tabs.children])) {
      ui.tabs.replaceChildren(...list);
      if (focused) ui.tabs.querySelector("[aria-selected=true]")?.focus();
    }
    const title = titleOf(at.model.text);
    ui.title.textContent = title ? `“${title}”` : "";
    if (document.activeElement !== ui.name) ui.name.value = at.file || at.model.name;
    ui.name.disabled = at.file !== "";
    if (mine) mine.value = at.model.text.trim() ? at.model.name : "";
    ui.add.hidden = models.length >= most;
    const wanted = included(view.state.doc.toString()).filter((f) => f && !library.has(f) && !(f in at.model.files));
    ui.files.replaceChildren(
      ...[...new Set(wanted)].map((file) =>
        button(`Write ${file}`, () => {
          at.model.files[file] = "";
          sync(at.model);
          select(documentOf(at.model, file), true);
          changed();
        }),
      ),
    );
  }

  function tab(/** @type {{ model: EditedModel, file: string }} */ { model, file }, /** @type {number} */ i) {
    const text = file || model.name;
    const selected = at.model === model && at.file === file;
    const wrong = found.filter((p) => p.model === model && p.path === file).length;
    const b = button(wrong > 0 ? `${text} ✗${wrong}` : text, () => select(documentOf(tabbed[i].model, tabbed[i].file), true));
    b.setAttribute("role", "tab");
    b.setAttribute("aria-selected", String(selected));
    b.setAttribute("aria-controls", ui.host.id);
    b.tabIndex = selected ? 0 : -1;
    if (wrong > 0) b.setAttribute("aria-label", `${text}, ${wrong} error${wrong === 1 ? "" : "s"}`);
    if (file) b.classList.add("file");
    return b;
  }

  ui.tabs.addEventListener("keydown", (e) => {
    const step = /** @type {Record<string, number | undefined>} */ ({ ArrowLeft: -1, ArrowRight: 1 })[e.key];
    if (!step) return;
    e.preventDefault();
    const list = [...ui.tabs.children];
    const i = list.findIndex((b) => b.getAttribute("aria-selected") === "true");
    /** @type {HTMLElement} */ (list[(i + step + list.length) % list.length]).click();
    ui.tabs.querySelector("[aria-selected=true]").focus();
  });
  ui.name.addEventListener("input", () => {
    const to = ui.name.value.trim();
    const taken = models.some((m) => m !== at.model && m.name === to) || known?.builtin.includes(to.toLowerCase());
    const wrong = taken || !/^[A-Za-z0-9][\w-]{0,63}$/.test(to);
    ui.name.setCustomValidity(wrong ? "Want a name that no other model has, of letters, digits, - and _." : "");
    if (wrong) {
      ui.name.reportValidity();
      return;
    }
    at.model.named = true;
    name(at.model, to);
    changed();
  });
  ui.name.addEventListener("blur", () => {
    ui.name.setCustomValidity("");
    tabs();
  });
  ui.add.addEventListener("click", () => {
    select(documentOf(add({}), ""), true);
    changed();
  });
  ui.remove.addEventListener("click", () => {
    if (at.file === "") return remove(at.model);
    const { model, file } = at;
    delete model.files[file];
    model.docs.delete(file);
    sync(model);
    select(documentOf(model, ""), true);
    changed();
  });
  ui.undo.querySelector("button").addEventListener("click", unremove);
  const { against, mine } = box.closest("form").elements;
  for (const list of [ui.from, against]) list?.addEventListener("focus", () => builtins().then((all) => fill(list, all)), { once: true });
  ui.from.addEventListener("change", async () => {
    const chosen = (await builtins()).find((m) => m.name === ui.from.value);
    ui.from.value = "";
    if (chosen) replace(/** @type {string} */ (chosen.text));
    view.focus();
  });

  /** @param {OwnModel[]} list */
  function restore(list) {
    for (const m of models.slice(1)) m.row.remove();
    const { row } = models[0];
    models = [];
    const all = list.length > 0 ? list : [{ name: "", text: "", files: {} }];
    for (const m of all.slice(0, most)) add({ ...m, files: { ...m.files }, row: models.length === 0 ? row : null });
    at = nothing;
    select(documentOf(models[0], ""));
  }

  const rows = [...box.querySelectorAll("fieldset.own-model")];
  for (const row of rows) {
    const files = field(row, "files").value;
    add({ row, name: field(row, "name").value, text: field(row, "text").value, files: files ? JSON.parse(files) : {} });
    row.hidden = true;
  }
  select(documentOf(models[0], ""));
  box.classList.add("mounted");

  return {
    state: () => models.filter((m) => m.text.trim() !== "" || Object.keys(m.files).length > 0).map(plain),
    restore,
    open(/** @type {{ name: string, text: string }} */ { name, text }) {
      const empty = models.find((m) => m.text.trim() === "");
      if (empty || models.length >= most) {
        select(documentOf(empty ?? at.model, ""), true);
        replace(text);
      } else {
        const free = name && !models.some((m) => m.name === name) ? name : "";
        select(documentOf(add({ name: free, text }), ""), true);
        changed();
      }
    },
    names: () => models.filter((m) => m.text.trim() !== "").map((m) => ({ name: m.name, title: titleOf(m.text) })),
    /**
     * start opens a model with the text of a built-in one.
     * @param {string} name
     */
    async start(name) {
      const from = (await builtins()).find((m) => m.name === name);
      if (from) this.open({ name: `my-${name}`, text: /** @type {string} */ (from.text) });
    },
    /**
     * @param {string} file
     * @param {number} from
     * @param {number} to
     */
    lightLines(file, from, to) {
      const model = models.find((m) => m.name === file) ?? models.find((m) => file in m.files);
      if (!model) return false;
      select(documentOf(model, model.name === file ? "" : file));
      const lines = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
      const first = view.state.doc.line(Math.min(Math.max(from, 1), view.state.doc.lines));
      view.dispatch({ effects: [setLines.of(lines), EditorView.scrollIntoView(first.from, { y: "center" })] });
      return true;
    },
    recheck: () => forceLinting(view),
  };
}

// nameOf makes a name of a title: its first words, but for what is in parentheses.
/** @param {string} title */
function nameOf(title) {
  let name = "";
  for (const word of title.replace(/\(.*/, "").match(/[A-Za-z0-9]+/g) ?? []) {
    if (name.length + word.length > 24) break;
    name += name ? `-${word}` : word;
  }
  return name;
}

/**
 * @param {HTMLElement} row
 * @param {string} what
 */
const field = (row, what) => row.querySelector(`[name=own-${what}]`);

/** @type {Promise<BuiltInModel[]> | null} */
let listed = null;

/**
 * builtins are the built-in models, with their texts.
 * @returns {Promise<BuiltInModel[]>}
 */
function builtins() {
  listed ??= fetch(pathTo("/api/v1/models"))
    .then((r) => /** @type {Promise<BuiltInModel[]> | BuiltInModel[]} */ (r.ok ? r.json() : []))
    .catch(() => ((listed = null), []));
  return listed;
}

/**
 * @param {HTMLElement} select
 * @param {BuiltInModel[]} list
 */
function fill(select, list) {
  for (const m of list) {
    const o = document.createElement("option");
    o.value = m.name;
    o.textContent = `${m.name} – ${m.title}`;
    select.append(o);
  }
}

/**
 * @param {string} text
 * @param {() => unknown} act
 */
function button(text, act) {
  const b = document.createElement("button");
  b.type = "button";
  b.textContent = text;
  b.addEventListener("click", act);
  return b;
}

let boxes = 0;

/** @param {HTMLElement} box */
function build(box) {
  const id = `model-editor-${++boxes}`;
  const bar = document.createElement("div");
  bar.className = "tabs";
  const tabs = document.createElement("div");
  tabs.setAttribute("role", "tablist");
  tabs.setAttribute("aria-label", "Models of your own");
  const add = button("+ Model", () => {});
  bar.append(tabs, add);

  const tools = document.createElement("div");
  tools.className = "tools";
  const name = document.createElement("input");
  name.size = 10;
  name.setAttribute("aria-label", "Name of the model");
  const title = document.createElement("span");
  title.className = "title";
  const from = document.createElement("select");
  from.setAttribute("aria-label", "Start from a built-in model");
  const none = document.createElement("option");
  none.value = "";
  none.textContent = "Start from …";
  from.append(none);
  const files = document.createElement("span");
  const remove = button("Remove", () => {});
  tools.append(name, title, files, from, remove);

  const undo = document.createElement("p");
  undo.className = "bar";
  undo.setAttribute("role", "status");
  undo.hidden = true;
  undo.append(document.createTextNode(""), button("Undo", () => {}));

  const host = document.createElement("div");
  host.className = "editor";
  host.id = id;
  host.setAttribute("role", "tabpanel");
  host.setAttribute("aria-label", "Model");
  box.append(bar, tools, undo, host);
  return { tabs, add, name, title, from, files, remove, undo, host };
}
