// What the editors have in common: of tests, and of models.

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
    // Out of panes that scroll, and above what stands beside them.
    tooltips({ parent: document.querySelector("main") ?? document.body }),
    // Above the default keymap, which inserts a line on Mod-Enter.
    Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }])),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
    EditorView.cspNonce.of(nonce),
  ];
}

/**
 * later is a place for an extension that is fetched when somebody first writes.
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
      () => (asked = false), // without it one writes on
    );
  };
  return [place.of([]), EditorView.domEventHandlers({ focus: (_, view) => (fetchIt(view), false) })];
}

/**
 * goTo puts the caret at a place, counted from 1.
 * @param {CodeView} view
 * @param {number} line
 * @param {number} col
 */
export function goTo(view, line, col) {
  const doc = view.state.doc;
  const l = doc.line(Math.min(Math.max(line, 1), doc.lines));
  view.focus(); // first: whoever is told of the caret wants to know that somebody has put it there
  view.dispatch({ selection: { anchor: Math.min(l.from + Math.max(col, 1) - 1, l.to) }, scrollIntoView: true });
}
