// The common part of the editors of tests, models and programs.

import { Compartment, Prec } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, tooltips } from "@codemirror/view";

/**
 * base is an editor's extensions, but for its language and its keys. Tab is not bound, so that it
 * leaves the editor.
 * @param {string} nonce the page's permission for style elements
 * @param {string} label the editor's name
 * @param {() => void} run what Ctrl-Enter does
 */
export function base(nonce, label, run) {
  return [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    drawSelection(),
    // Outside of scrolling panes, and above the neighbouring ones.
    tooltips({ parent: document.querySelector("main") ?? document.body }),
    // Before the default keymap, which inserts a line on Mod-Enter.
    Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }])),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
    EditorView.cspNonce.of(nonce),
  ];
}

/**
 * later is a placeholder for an extension that is loaded when the visitor first types.
 * @param {() => Promise<{extension: Extension, resume?: (view: EditorView) => void}>} load gives the extension, and what
 *   it would have done already for what was typed while it was on its way
 */
export function later(load) {
  const place = new Compartment();
  let asked = false;
  /** @param {CodeView} view */
  const fetchIt = (view) => {
    if (asked) return;
    asked = true;
    const before = view.state.doc;
    load().then(
      ({ extension, resume }) => {
        view.dispatch({ effects: place.reconfigure(extension) });
        if (view.state.doc !== before) resume?.(view);
      },
      () => (asked = false), // the editor works without it
    );
  };
  return [place.of([]), EditorView.domEventHandlers({ focus: (_, view) => (fetchIt(view), false) })];
}

/**
 * goTo moves the caret to a line and column, counted from 1.
 * @param {CodeView} view
 * @param {number} line
 * @param {number} col
 */
export function goTo(view, line, col) {
  const doc = view.state.doc;
  const l = doc.line(Math.min(Math.max(line, 1), doc.lines));
  view.focus(); // first, so that listeners see a focused editor when the caret moves
  view.dispatch({ selection: { anchor: Math.min(l.from + Math.max(col, 1) - 1, l.to) }, scrollIntoView: true });
}
