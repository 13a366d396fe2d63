// What an editor of tests needs only once somebody writes in it: completion, and search.

import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { keymap } from "@codemirror/view";
import { completion, resume } from "./completion.js";

export const writing = () => ({ extension: [highlightSelectionMatches(), keymap.of(searchKeymap), completion()], resume });
