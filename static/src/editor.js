// The editor: CodeMirror over the form's textarea, which stays the form's field. Marks on instructions ("cells")
// connect source and drawing; they move with the text during edits.

import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap } from "@codemirror/view";
import { base, goTo, later } from "./editing.js";
import { litmusLanguage, vocabulary } from "./language.js";
import { words } from "./words.js";

/** @type {import("@codemirror/state").StateEffectType<CellMark[]>} */
const setCells = StateEffect.define();
/** @type {import("@codemirror/state").StateEffectType<Set<string>>} */
const setLit = StateEffect.define();

// A cell is {key, line, col, length}: key names thread and instruction, col and
// length count UTF-16 units from 0.
const cells = StateField.define({
  create: () => Decoration.none,
  update(marks, tr) {
    marks = marks.map(tr.changes);
    for (const e of tr.effects) {
      if (e.is(setCells)) marks = markCells(tr.state.doc, e.value);
    }
    return marks;
  },
  provide: (f) => EditorView.decorations.from(f),
});

/**
 * @param {Doc} doc
 * @param {CellMark[]} list
 */
function markCells(doc, list) {
  /** @type {import("@codemirror/state").Range<Decoration>[]} */
  const ranges = [];
  for (const c of list) {
    if (c.line > doc.lines) continue;
    const line = doc.line(c.line);
    const from = line.from + c.col;
    const to = from + c.length;
    if (c.length > 0 && to <= line.to) {
      ranges.push(Decoration.mark({ attributes: { "data-cell": c.key }, key: c.key }).range(from, to));
    }
  }
  return Decoration.set(ranges, true);
}

const litMark = Decoration.mark({ class: "cm-lit" });

const lit = StateField.define({
  create: () => Decoration.none,
  update(marks, tr) {
    marks = marks.map(tr.changes);
    for (const e of tr.effects) {
      if (e.is(setLit)) marks = markLit(tr.state, e.value);
    }
    return marks;
  },
  provide: (f) => EditorView.decorations.from(f),
});

/**
 * @param {EditorState} state
 * @param {Set<string>} keys
 */
function markLit(state, keys) {
  /** @type {import("@codemirror/state").Range<Decoration>[]} */
  const ranges = [];
  state.field(cells).between(0, state.doc.length, (from, to, mark) => {
    if (keys.has(mark.spec.key)) ranges.push(litMark.range(from, to));
  });
  return Decoration.set(ranges, true);
}

// cellAt returns the key of the instruction at a position, or null.
/**
 * @param {EditorState} state
 * @param {number} pos
 */
function cellAt(state, pos) {
  /** @type {string | null} */
  let found = null;
  state.field(cells).between(pos, pos, (_from, _to, mark) => {
    found = mark.spec.key;
    return false;
  });
  return found;
}

/**
 * mount replaces a textarea by the editor, with a list of problems below.
 * @param {HTMLTextAreaElement} area the form's field, kept up to date
 * @param {string} nonce the page's permission for style elements
 * @param {EditorHooks} on what the page wants to know:
 *   run(): the user asks for a run; change(): the text has changed;
 *   pasted(text): a text was put in from elsewhere, which is now all there is;
 *   cell(key|null): pointer or caret is at an instruction;
 *   check(text): a promise of [{line, col, severity, message}], what to say of it;
 *   id: of the element that is written in, "source" unless it is given;
 *   label, language(known), writing(), undoing: extensions and a name for what is no litmus test;
 *   open(file), here(file): where the text is one of several files, has one in the editor, and whether it is
 */
export function mount(area, nonce, on) {
  const host = document.createElement("div");
  host.className = "editor";
  area.after(host);
  area.hidden = true;
  area.removeAttribute("id");
  // Firefox forgets the name of a field without an ID until it gets another one.
  const { name } = area;
  area.name = "";
  area.name = name;

  // Problems are marked, and listed below the text, when there are any or the visitor types.
  const marked = new Compartment();
  /** @type {() => unknown} */
  let recheck = async () => {
    if ((await on.check(view.state.doc.toString())).length > 0) lint();
  };
  let again = () => recheck();
  /** @type {Promise<unknown> | null} */
  let linting = null;
  function lint() {
    linting ??= import("./linting.js").then(
      (m) => {
        const below = m.list(
          host,
          (p) => {
            on.open?.(p.file);
            goTo(view, p.line, p.col);
          },
          (p) => {
            on.open?.(p.file);
            m.mend(view, p.fix);
          },
        );
        /** @param {CodeView} view */
        const check = async (view) => {
          const doc = view.state.doc;
          const list = await on.check(doc.toString());
          if (view.state.doc === doc) below.show(list); // otherwise a newer answer follows
          return list.filter((d) => !on.here || on.here(d.file)).map((d) => m.diagnostic(doc, d));
        };
        view.dispatch({ effects: marked.reconfigure(m.linting(check)) });
        recheck = () => m.forceLinting(view);
        again = () => m.again(view, check);
      },
      () => (linting = null), // a run reports the errors
    );
  }
  const language = new Compartment();
  const coloured = on.language ?? litmusLanguage;
  /** @type {string | null} */
  let header = null; // header of the text that the server checked last
  let spoken = "";
  /** @type {Promise<TestWords | null>} */
  let speaking = Promise.resolve(null);
  const headerNow = () => view.state.doc.sliceString(0, 4000).split("{", 1)[0];

  // told returns the language of the text. It asks the server if the header is new, and again after a pause if the
  // server did not answer; null if it still does not. The words of another language would be wrong.
  async function told() {
    for (let tries = 0; ; ) {
      const text = view.state.doc.toString();
      if (headerNow() !== header) await on.check(text);
      if (headerNow() === header) {
        const known = await speaking;
        if (known || headerNow() === header) return known;
      }
      if (text !== view.state.doc.toString()) continue;
      if (tries === 5) return null;
      await new Promise((done) => setTimeout(done, 500 * 2 ** tries++));
    }
  }
  // Keys and history are loaded when the visitor first uses the page; earlier edits are passed on to them.
  const keyed = new Compartment();
  /** @type {import("@codemirror/state").Transaction[]} */
  const early = [];
  const undone = () => (ready().then(() => keys?.undo(view)), true);
  /** @type {typeof import("./keys.js") | null} */
  let keys = null;
  /** @type {Promise<void> | null} */
  let fetching = null;
  function ready() {
    fetching ??= import("./keys.js").then(
      (m) => {
        keys = m;
        view.dispatch({ effects: keyed.reconfigure(m.keys(on.undoing ? [] : m.remembering(early))) });
      },
      () => void (fetching = null), // the editor works without them
    );
    return fetching;
  }
  for (const sign of ["pointermove", "pointerdown", "keydown", "focusin"]) document.addEventListener(sign, ready, { once: true, capture: true });
  const view = new EditorView({
    parent: host,
    state: EditorState.create({
      doc: area.value,
      extensions: [
        base(nonce, on.label ?? "Litmus test", on.run),
        on.undoing ?? [],
        keyed.of(keymap.of([{ key: "Mod-z", run: undone, preventDefault: true }])),
        EditorView.contentAttributes.of({ id: on.id ?? "source" }),
        vocabulary.of(told),
        language.of(coloured()),
        cells,
        lit,
        marked.of([]),
        later(on.writing ?? (async () => (await import("./writing.js")).writing())),
        EditorView.updateListener.of((u) => {
          if (u.docChanged) {
            if (!keys) early.push(...u.transactions.filter((tr) => tr.docChanged));
            area.value = u.state.doc.toString();
            on.change();
            lint();
            const foreign = u.transactions.some((tr) => tr.isUserEvent("input.paste") || tr.isUserEvent("input.drop"));
            if (foreign) on.pasted(area.value);
          }
          if (u.selectionSet && u.view.hasFocus) on.cell(cellAt(u.state, u.state.selection.main.head));
        }),
        EditorView.domEventHandlers({
          mouseover(e) {
            const at = /** @type {Element} */ (e.target);
            on.cell(at.closest?.("[data-cell]")?.dataset.cell ?? null);
          },
          mouseleave: () => on.cell(null),
          blur: () => on.cell(null),
        }),
      ],
    }),
  });
  return {
    // speak sets the language that the server has reported; undefined if the server does not know it; "" leaves it
    // unchanged.
    /** @param {string | undefined} arch */
    speak(arch) {
      if (arch === "") return;
      header = headerNow();
      if (!arch || arch === spoken) return;
      spoken = arch;
      speaking = words(arch).then((known) => {
        if (arch !== spoken) return known;
        if (known) view.dispatch({ effects: language.reconfigure(coloured(known)) });
        else [spoken, header] = ["", null]; // so that they are requested again
        return known;
      });
    },
    text: () => view.state.doc.toString(),
    // ready resolves when undo works.
    ready,
    // setText replaces the text; undo restores the old one.
    /** @param {string} text */
    setText(text) {
      if (text === view.state.doc.toString()) return;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: 0 },
        effects: [setCells.of([]), setLit.of(new Set())],
        annotations: keys?.apart,
      });
    },
    /** @param {CellMark[]} list */
    setCells: (list) => view.dispatch({ effects: setCells.of(list) }),
    /** @param {Set<string>} keys */
    light: (keys) => view.dispatch({ effects: setLit.of(keys) }),
    // recheck runs a pending check at once; checkAgain checks the current text again.
    recheck: () => recheck(),
    checkAgain: () => again(),
    /**
     * @param {number} line
     * @param {number} col
     */
    goTo: (line, col) => goTo(view, line, col),
    focus: () => view.focus(),
    view,
  };
}
