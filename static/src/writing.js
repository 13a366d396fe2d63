// Completion and search for tests, loaded when the visitor first types.

import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { keymap } from "@codemirror/view";
import { completion, resume } from "./completion.js";

export const writing = () => ({ extension: [highlightSelectionMatches(), keymap.of(searchKeymap), completion()], resume });
