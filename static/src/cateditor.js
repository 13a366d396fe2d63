// The editor of the visitor's models: a tab for each model and each file that it includes. It works on the form's
// fields, which pages without scripts use directly: a fieldset for each model with its name, its text and, as JSON, its
// files. Loaded when the pane is opened.

import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap } from "@codemirror/view";
import { catLanguage, completeModel } from "./catlanguage.js";
import { build, builtins, button, field, fill } from "./cateditorparts.js";
import { offered } from "./completion.js";
import { base, goTo } from "./editing.js";
import { apart, keys } from "./keys.js";
import { diagnostic, forceLinting, linting, mend } from "./linting.js";
import { canBeCalled, freeName, included, isAutomatic, isWritten, modelProblems, nameOf, titleOf } from "./modelnames.js";
import * as problems from "./problems.js";
import * as savedBar from "./savedbar.js";
import { words } from "./words.js";

/** @typedef {OwnModel & { row: HTMLElement, docs: Map<string, ModelDoc>, named?: boolean }} EditedModel a model with its fields */
/** @typedef {{ model: EditedModel, file: string, state: EditorState }} ModelDoc a model's text, or a file's */

// nothing stands for the open document while there is none, never for longer than one event.
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
  return new CatEditor(box, page, await words("cat"));
}

class CatEditor {
  /** @type {EditedModel[]} */
  #models = [];
  #at = nothing; // the open document
  /** @type {{ model: EditedModel, file: string }[]} */
  #tabbed = []; // the documents of the tabs
  /** @type {(OwnModel & { i: number }) | null} */
  #removed = null;
  /** @type {Problem[]} */
  #found = []; // problems in all models
  #asking = 0;
  /** @type {Extension[] | undefined} */
  #made; // extensions that all documents share
  #page;
  #known;
  #library; // names of files that any model can include
  #most;
  #ui;
  #view;
  #below;
  #mine; // the list of the visitor's models to compare, if there is one

  /**
   * @param {HTMLElement} box
   * @param {ModelPage} page
   * @param {CatWords | null} known
   */
  constructor(box, page, known) {
    this.#page = page;
    this.#known = known;
    this.#library = new Set(known?.files.map((f) => f.name));
    this.#most = Number(box.dataset.most);
    this.#ui = build(box);
    this.#view = new EditorView({ parent: this.#ui.host });
    const to = (/** @type {Problem} */ p) => this.#select(this.#documentOf(/** @type {EditedModel} */ (p.model), /** @type {string} */ (p.path)));
    this.#below = problems.mount(
      this.#ui.host,
      (p) => {
        to(p);
        goTo(this.#view, p.line, p.col);
      },
      (p) => {
        to(p);
        mend(this.#view, p.fix);
      },
    );
    const { against, mine } = box.closest("form").elements;
    this.#mine = mine;
    this.#listen(against);
    for (const row of box.querySelectorAll("fieldset.own-model")) this.#adopt(row);
    this.#select(this.#documentOf(this.#models[0], ""));
    const bar = savedBar.mount({ model: () => plain(this.#at.model), put: (m) => this.#openSaved(m) });
    bar.classList.add("tools");
    this.#ui.undo.after(bar);
    box.classList.add("mounted");
  }

  state() {
    return this.#models.filter(isWritten).map(plain);
  }

  /** @param {OwnModel[]} list */
  restore(list) {
    for (const m of this.#models.slice(1)) m.row.remove();
    const { row } = this.#models[0];
    this.#models = [];
    const all = list.length > 0 ? list : [{ name: "", text: "", files: {} }];
    for (const m of all.slice(0, this.#most)) this.#add({ ...m, files: { ...m.files }, row: this.#models.length === 0 ? row : null });
    this.#at = nothing;
    this.#select(this.#documentOf(this.#models[0], ""));
  }

  open(/** @type {{ name: string, text: string }} */ { name, text }) {
    const empty = this.#models.find((m) => m.text.trim() === "");
    if (empty || this.#models.length >= this.#most) {
      this.#select(this.#documentOf(empty ?? this.#at.model, ""), true);
      this.#replace(text);
    } else {
      const free = name && !this.#models.some((m) => m.name === name) ? name : "";
      this.#select(this.#documentOf(this.#add({ name: free, text }), ""), true);
      this.#changed();
    }
  }

  /**
   * #openSaved opens a model under its name: in its tab, in the tab of an empty model, or in a new one.
   * @param {OwnModel} saved
   */
  #openSaved(saved) {
    const full = this.#models.length >= this.#most;
    const there = this.#models.find((m) => m.name === saved.name) ?? this.#models.find((m) => !isWritten(m)) ?? (full ? this.#at.model : null);
    const model = there ?? this.#add({ ...saved, files: { ...saved.files } });
    model.named = true;
    this.#name(model, saved.name);
    if (there) {
      for (const file of Object.keys(model.files)) model.docs.delete(file);
      model.files = { ...saved.files };
      this.#select(this.#documentOf(model, ""), true);
      this.#replace(saved.text); // undo restores what was there
    } else this.#select(this.#documentOf(model, ""), true);
    sync(model);
    this.#changed();
  }

  names() {
    return this.#models.filter((m) => m.text.trim() !== "").map((m) => ({ name: m.name, title: titleOf(m.text) }));
  }

  /**
   * start adds a model with the text of a built-in one.
   * @param {string} name
   */
  async start(name) {
    const from = (await builtins()).find((m) => m.name === name);
    if (from) this.open({ name: `my-${name}`, text: /** @type {string} */ (from.text) });
  }

  /**
   * @param {string} file
   * @param {number} from
   * @param {number} to
   */
  lightLines(file, from, to) {
    const model = this.#models.find((m) => m.name === file) ?? this.#models.find((m) => file in m.files);
    if (!model) return false;
    this.#select(this.#documentOf(model, model.name === file ? "" : file));
    const view = this.#view;
    const lines = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
    const first = view.state.doc.line(Math.min(Math.max(from, 1), view.state.doc.lines));
    view.dispatch({ effects: [setLines.of(lines), EditorView.scrollIntoView(first.from, { y: "center" })] });
    return true;
  }

  recheck() {
    forceLinting(this.#view);
  }

  // Documents

  #extensions() {
    return (this.#made ??= [
      base(this.#page.nonce, "Model in cat", this.#page.run),
      keys(),
      catLanguage(this.#known),
      offered(completeModel(this.#known, (file) => this.#at?.model.files[file] ?? null)),
      litLines,
      highlightSelectionMatches(),
      keymap.of(searchKeymap),
      linting((view) => this.#lint(view)),
      EditorView.updateListener.of((u) => {
        this.#at.state = u.state;
        if (u.docChanged) {
          this.#keep(this.#at, u.state.doc.toString());
          this.#changed();
        }
      }),
    ]);
  }

  /**
   * @param {EditedModel} model
   * @param {string} file
   */
  #documentOf(model, file) {
    if (!model.docs.has(file)) {
      const doc = file === "" ? model.text : model.files[file];
      model.docs.set(file, { model, file, state: EditorState.create({ doc, extensions: this.#extensions() }) });
    }
    return /** @type {ModelDoc} */ (model.docs.get(file));
  }

  #keep(/** @type {ModelDoc} */ { model, file }, /** @type {string} */ text) {
    if (file === "") model.text = text;
    else model.files[file] = text;
    if (file === "") this.#entitle(model);
    sync(model);
  }

  #changed() {
    this.#tabs();
    this.#page.change();
  }

  /** @param {ModelDoc} doc */
  #select(doc, focus = false) {
    if (this.#at === doc) return;
    this.#at = doc;
    this.#view.setState(doc.state);
    forceLinting(this.#view);
    this.#tabs();
    if (focus) this.#view.focus();
  }

  /**
   * #replace replaces the open text; undo restores it.
   * @param {string} text
   */
  #replace(text) {
    const view = this.#view;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: wholeText(text) }, annotations: apart });
  }

  /**
   * #lint checks all models at once. It drops the answer if a text has changed meanwhile.
   * @param {CodeView} view
   */
  async #lint(view) {
    const mine = ++this.#asking;
    const doc = view.state.doc;
    const asked = this.#models.filter((m) => m.text.trim() !== "");
    try {
      const { own } = asked.length > 0 ? await this.#page.check(asked.map(plain)) : { own: [] };
      if (mine === this.#asking) {
        this.#found = modelProblems(asked, own);
        this.#below.show(this.#found);
        this.#tabs();
      }
    } catch {
      // a run will say what is wrong
    }
    if (view.state.doc !== doc) return [];
    return this.#found.filter((p) => p.model === this.#at.model && p.path === this.#at.file).map((p) => diagnostic(doc, p));
  }

  // Models

  /** @param {Partial<OwnModel> & {row?: HTMLElement | null}} model */
  #add({ name, text = "", files = {}, row = null }) {
    /** @type {EditedModel} */
    const model = { row: row ?? this.#newRow(), name: name || freeName(this.#models.map((m) => m.name)), text: wholeText(text), files, docs: new Map() };
    // An automatic name follows the title.
    model.named = !isAutomatic(model.name) && nameOf(titleOf(model.text)) !== model.name;
    this.#models.push(model);
    sync(model);
    return model;
  }

  /**
   * #adopt reads a model from its fields.
   * @param {HTMLElement} row
   */
  #adopt(row) {
    const files = field(row, "files").value;
    this.#add({ row, name: field(row, "name").value, text: field(row, "text").value, files: files ? JSON.parse(files) : {} });
    row.hidden = true;
  }

  #newRow() {
    const last = /** @type {EditedModel} */ (this.#models.at(-1));
    const row = /** @type {HTMLElement} */ (last.row.cloneNode(true));
    for (const e of row.querySelectorAll("[id]")) e.removeAttribute("id");
    last.row.after(row);
    return row;
  }

  /**
   * #name renames a model everywhere.
   * @param {EditedModel} model
   * @param {string} to
   */
  #name(model, to) {
    if (to === model.name) return;
    const from = model.name;
    model.name = to;
    sync(model);
    this.#page.rename(from, to);
  }

  /**
   * #entitle names a model by its title unless the visitor has named it.
   * @param {EditedModel} model
   */
  #entitle(model) {
    if (model.named) return;
    const title = nameOf(titleOf(model.text));
    if (title && !this.#taken(model, title)) this.#name(model, title);
  }

  /**
   * #taken reports whether another model has the name.
   * @param {EditedModel} model
   * @param {string} name
   */
  #taken(model, name) {
    return this.#known?.builtin.includes(name.toLowerCase()) || this.#models.some((m) => m !== model && m.name === name);
  }

  /** @param {EditedModel} model */
  #remove(model) {
    const i = this.#models.indexOf(model);
    const copy = { ...plain(model), i };
    if (this.#models.length > 1) {
      this.#models.splice(i, 1);
      model.row.remove();
    } else {
      Object.assign(model, { text: "", files: {}, docs: new Map() });
      sync(model);
    }
    this.#removed = copy;
    this.#ui.undo.hidden = false;
    /** @type {Node} */ (this.#ui.undo.firstChild).textContent = `Removed ${copy.name}. `;
    this.#at = nothing;
    this.#select(this.#documentOf(this.#models[Math.min(i, this.#models.length - 1)], ""));
    this.#changed();
  }

  #unremove() {
    const lone = this.#models.length === 1 && this.#models[0].text.trim() === "";
    const model = lone ? this.#models[0] : this.#add(/** @type {OwnModel} */ (this.#removed));
    if (lone) Object.assign(model, { ...this.#removed, docs: new Map() });
    sync(model);
    this.#removed = null;
    this.#ui.undo.hidden = true;
    this.#at = nothing;
    this.#select(this.#documentOf(model, ""), true);
    this.#changed();
  }

  /** #removeShown removes the open file, or the model if its own text is open. */
  #removeShown() {
    const { model, file } = this.#at;
    if (file === "") return this.#remove(model);
    delete model.files[file];
    model.docs.delete(file);
    sync(model);
    this.#select(this.#documentOf(model, ""), true);
    this.#changed();
  }

  // Tabs

  /** #tabs draws the tabs and the tools of the open one. */
  #tabs() {
    const ui = this.#ui;
    const { model, file } = this.#at;
    const focused = ui.tabs.contains(document.activeElement);
    this.#tabbed = this.#models.flatMap((model) => ["", ...Object.keys(model.files)].map((file) => ({ model, file })));
    const list = this.#tabbed.map((of, i) => this.#tab(of, i));
    // Keep unchanged tabs in the page: the visitor may be pressing one.
    if (looks(list) !== looks([...ui.tabs.children])) {
      ui.tabs.replaceChildren(...list);
      if (focused) ui.tabs.querySelector("[aria-selected=true]")?.focus();
    }
    const title = titleOf(model.text);
    ui.title.textContent = title ? `“${title}”` : "";
    if (document.activeElement !== ui.name) ui.name.value = file || model.name;
    ui.name.disabled = file !== "";
    if (this.#mine) this.#mine.value = model.text.trim() ? model.name : "";
    ui.add.hidden = this.#models.length >= this.#most;
    ui.files.replaceChildren(...this.#wanted().map((file) => button(`Write ${file}`, () => this.#write(file))));
  }

  /** #wanted returns the files that the open text includes and that do not exist. */
  #wanted() {
    const all = included(this.#view.state.doc.toString());
    return [...new Set(all.filter((f) => f && !this.#library.has(f) && !(f in this.#at.model.files)))];
  }

  /**
   * #write creates a file of the open model.
   * @param {string} file
   */
  #write(file) {
    const { model } = this.#at;
    model.files[file] = "";
    sync(model);
    this.#select(this.#documentOf(model, file), true);
    this.#changed();
  }

  #tab(/** @type {{ model: EditedModel, file: string }} */ { model, file }, /** @type {number} */ i) {
    const text = file || model.name;
    const selected = this.#at.model === model && this.#at.file === file;
    const wrong = this.#found.filter((p) => p.model === model && p.path === file).reduce((n, p) => n + (p.more || 1), 0);
    const b = button(wrong > 0 ? `${text} !${wrong}` : text, () => {
      const to = this.#tabbed[i]; // the tab may have changed
      this.#select(this.#documentOf(to.model, to.file), true);
    });
    b.setAttribute("role", "tab");
    b.setAttribute("aria-selected", String(selected));
    b.setAttribute("aria-controls", this.#ui.host.id);
    b.tabIndex = selected ? 0 : -1;
    if (wrong > 0) b.setAttribute("aria-label", `${text}, ${wrong} error${wrong === 1 ? "" : "s"}`);
    if (file) b.classList.add("file");
    return b;
  }

  // What is pressed

  /** @param {Field} [against] the list of built-in models to compare, where there is one */
  #listen(against) {
    const ui = this.#ui;
    ui.tabs.addEventListener("keydown", (e) => this.#key(e));
    ui.name.addEventListener("input", () => this.#rename());
    ui.name.addEventListener("blur", () => {
      ui.name.setCustomValidity("");
      this.#tabs();
    });
    ui.add.addEventListener("click", () => {
      this.#select(this.#documentOf(this.#add({}), ""), true);
      this.#changed();
    });
    ui.remove.addEventListener("click", () => this.#removeShown());
    ui.undo.querySelector("button").addEventListener("click", () => this.#unremove());
    for (const list of [ui.from, against]) {
      list?.addEventListener("focus", () => builtins().then((all) => fill(/** @type {HTMLSelectElement} */ (list), all)), { once: true });
    }
    ui.from.addEventListener("change", async () => {
      const chosen = (await builtins()).find((m) => m.name === ui.from.value);
      ui.from.value = "";
      if (chosen) this.#replace(/** @type {string} */ (chosen.text));
      this.#view.focus();
    });
  }

  #key(/** @type {KeyboardEvent} */ e) {
    const step = /** @type {Record<string, number | undefined>} */ ({ ArrowLeft: -1, ArrowRight: 1 })[e.key];
    if (!step) return;
    e.preventDefault();
    const list = [...this.#ui.tabs.children];
    const i = list.findIndex((b) => b.getAttribute("aria-selected") === "true");
    /** @type {HTMLElement} */ (list[(i + step + list.length) % list.length]).click();
    this.#ui.tabs.querySelector("[aria-selected=true]").focus();
  }

  /** #rename gives the open model the name in the field, if it is valid. */
  #rename() {
    const { name } = this.#ui;
    const { model } = this.#at;
    const to = name.value.trim();
    const wrong = this.#taken(model, to) || !canBeCalled(to);
    name.setCustomValidity(wrong ? "Use a name that no other model has, with letters, digits, - and _." : "");
    if (wrong) {
      name.reportValidity();
      return;
    }
    model.named = true;
    this.#name(model, to);
    this.#changed();
  }
}

/** @param {OwnModel} m */
const plain = (m) => ({ name: m.name, text: m.text, files: { ...m.files } });

/**
 * sync writes a model into its fields.
 * @param {EditedModel} model
 */
function sync(model) {
  field(model.row, "text").value = model.text;
  field(model.row, "files").value = Object.keys(model.files).length > 0 ? JSON.stringify(model.files) : "";
  field(model.row, "name").value = model.name;
}

/** @param {Element[]} all */
const looks = (all) => all.map((b) => b.outerHTML).join("");
