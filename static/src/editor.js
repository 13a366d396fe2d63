// The editor: CodeMirror over the form's textarea, which stays the form's field.
// Marks on instructions ("cells") tie source and drawing together; they move
// with the text while it is edited.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { forceLinting, linter, lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { litmusLanguage } from "./language.js";

const setCells = StateEffect.define();
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

function markCells(doc, list) {
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

function markLit(state, keys) {
  const ranges = [];
  state.field(cells).between(0, state.doc.length, (from, to, mark) => {
    if (keys.has(mark.spec.key)) ranges.push(litMark.range(from, to));
  });
  return Decoration.set(ranges, true);
}

// cellAt gives the key of the instruction that the caret is in, or null.
function cellAt(state, pos) {
  let found = null;
  state.field(cells).between(pos, pos, (from, to, mark) => {
    found = mark.spec.key;
    return false;
  });
  return found;
}

/**
 * mount replaces a textarea by the editor.
 * @param {HTMLTextAreaElement} area the form's field, kept up to date
 * @param {string} nonce the page's permission for style elements
 * @param {object} on what the page wants to know:
 *   run(): the user asks for a run; change(): the text has changed;
 *   cell(key|null): pointer or caret is at an instruction;
 *   check(text): a promise of [{line, col, severity, message}], what to say of it
 */
export function mount(area, nonce, on) {
  const host = document.createElement("div");
  host.className = "editor";
  area.after(host);
  area.hidden = true;
  area.removeAttribute("id");

  const diagnostics = async (view) => {
    const doc = view.state.doc;
    return (await on.check(doc.toString())).map((d) => diagnostic(doc, d));
  };
  const view = new EditorView({
    parent: host,
    state: EditorState.create({
      doc: area.value,
      extensions: [
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightActiveLine(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightSelectionMatches(),
        litmusLanguage,
        cells,
        lit,
        lintGutter(),
        linter(diagnostics, { delay: 350 }),
        // Above the default keymap, which inserts a line on Mod-Enter. Tab is not
        // bound, so it leaves the editor.
        Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (on.run(), true) }])),
        keymap.of([...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of({
          "aria-label": "Litmus test",
          id: "source",
          spellcheck: "false",
          autocapitalize: "off",
        }),
        EditorView.cspNonce.of(nonce),
        EditorView.updateListener.of((u) => {
          if (u.docChanged) {
            area.value = u.state.doc.toString();
            on.change();
          }
          if (u.selectionSet && u.view.hasFocus) on.cell(cellAt(u.state, u.state.selection.main.head));
        }),
        EditorView.domEventHandlers({
          mouseover(e) {
            on.cell(e.target.closest?.("[data-cell]")?.dataset.cell ?? null);
          },
          mouseleave: () => on.cell(null),
          blur: () => on.cell(null),
        }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    setText(text) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: 0 },
        effects: [setCells.of([]), setLit.of(new Set())],
      });
    },
    setCells: (list) => view.dispatch({ effects: setCells.of(list) }),
    light: (keys) => view.dispatch({ effects: setLit.of(keys) }),
    recheck: () => forceLinting(view),
    // goTo puts the caret at a place, counted from 1.
    goTo(line, col) {
      const doc = view.state.doc;
      const l = doc.line(Math.min(Math.max(line, 1), doc.lines));
      view.dispatch({ selection: { anchor: Math.min(l.from + col - 1, l.to) }, scrollIntoView: true });
      view.focus();
    },
  };
}

// diagnostic marks the word at the error, or the whole line when there is none.
function diagnostic(doc, d) {
  const line = doc.line(Math.min(Math.max(d.line, 1), doc.lines));
  let from = Math.min(line.from + Math.max(d.col, 1) - 1, line.to);
  const rest = line.text.slice(from - line.from);
  let to = from + Math.max(/^[^\s;|]*/.exec(rest)[0].length, 1);
  if (to > line.to) {
    to = line.to;
    if (from >= to) from = line.from;
  }
  return { from, to, severity: d.severity, message: d.message };
}
