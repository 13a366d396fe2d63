// What an editor's keys do, what it remembers of edits, and which brackets belong together: for
// who works with the page, and fetched when somebody begins to.

import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { keymap } from "@codemirror/view";

/** keys are the extension; past is the memory of edits. */
export const keys = (past = history()) => [past, keymap.of([...historyKeymap, ...defaultKeymap]), bracketMatching()];

/** apart is an edit's mark that undoes it by itself. */
export const apart = isolateHistory.of("full");
