// Keys, undo history and bracket matching of an editor, loaded when the visitor first uses the page.

import { defaultKeymap, history, historyField, historyKeymap, isolateHistory } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { EditorState, Transaction } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { keyboard } from "./keyboard.js";

const main = /** @type {HTMLElement | null} */ (document.getElementById("run"));
if (main && keyboard) main.title = "Ctrl-Enter, ⌘-Enter";

/** keys are the extension; past is the memory of edits. */
export const keys = (past = history()) => [past, keymap.of([...historyKeymap, ...defaultKeymap]), bracketMatching()];

/**
 * remembering is a memory of edits that has those in it that were made before it came.
 * @param {import("@codemirror/state").Transaction[]} early they, in their order
 */
export function remembering(early) {
  if (early.length === 0) return history();
  const { doc, selection } = early[0].startState;
  let state = EditorState.create({ doc, selection, extensions: history() });
  for (const tr of early) {
    const time = Transaction.time.of(tr.annotation(Transaction.time) ?? 0); // as what is typed in one go is undone in one
    if (!state.selection.eq(tr.startState.selection)) state = state.update({ selection: tr.startState.selection }).state;
    state = state.update({ changes: tr.changes, selection: tr.newSelection, userEvent: tr.annotation(Transaction.userEvent), annotations: time }).state;
  }
  const past = state.field(historyField);
  return [historyField.init(() => past), history()];
}

export { undo } from "@codemirror/commands";

/** apart is an edit's mark that undoes it by itself. */
export const apart = isolateHistory.of("full");
