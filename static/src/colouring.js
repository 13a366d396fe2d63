// Highlights the text in an editor: a scanner reads its lines down to the last visible one, and names the class of each
// token. There is no syntax tree: it would be a third of the scripts of the first load.

import { StringStream } from "@codemirror/streamparser";
import { EditorState, Prec, RangeSetBuilder } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin } from "@codemirror/view";

// The colours are custom properties of the page, so that both themes are in one place.
const kinds = {
  keyword: { color: "var(--syn-keyword)", fontWeight: "600" },
  mnemonic: { color: "var(--syn-mnemonic)" },
  type: { color: "var(--syn-keyword)" },
  heading: { color: "var(--syn-heading)", fontWeight: "600" },
  comment: { color: "var(--syn-comment)", fontStyle: "italic" },
  string: { color: "var(--syn-string)" },
  attribute: { color: "var(--syn-comment)" },
  number: { color: "var(--syn-number)" },
  register: { color: "var(--syn-register)" },
  label: { color: "var(--syn-label)", fontWeight: "600" },
  punct: { color: "var(--syn-punct)" },
};

const styles = EditorView.baseTheme(Object.fromEntries(Object.entries(kinds).map(([kind, style]) => [`.syn-${kind}`, style])));
const marks = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, Decoration.mark({ class: `syn-${kind}` })]));

/** @typedef {keyof typeof kinds | "name"} Kind what a token is; names have the colour of the text */

/**
 * colouring highlights a text.
 * @template State what is known where a line begins, of plain values
 * @param {() => State} begin gives that of the first
 * @param {(stream: Stream, state: State) => Kind | null | false} token passes one token, or blanks
 * @param {{line?: string, block?: {open: string, close: string}}} commentTokens what makes a comment of a line, or of a part
 */
export function colouring(begin, token, commentTokens) {
  class Colours {
    /** @param {EditorView} view */
    constructor(view) {
      this.states = [begin()]; // the state at the start of each scanned line
      this.decorations = this.colour(view);
    }

    /** @param {import("@codemirror/view").ViewUpdate} u */
    update(u) {
      if (u.docChanged) {
        let first = u.startState.doc.length;
        u.changes.iterChangedRanges((from) => (first = Math.min(first, from)));
        this.states.length = Math.min(this.states.length, u.startState.doc.lineAt(first).number);
      }
      if (u.docChanged || u.viewportChanged) this.decorations = this.colour(u.view);
    }

    /** @param {EditorView} view */
    colour({ state: { doc }, visibleRanges }) {
      /** @type {RangeSetBuilder<Decoration>} */
      const found = new RangeSetBuilder();
      let n = Math.min(this.states.length, visibleRanges.length > 0 ? doc.lineAt(visibleRanges[0].from).number : 1);
      const end = visibleRanges.length > 0 ? doc.lineAt(visibleRanges[visibleRanges.length - 1].to).number : 0;
      for (; n <= end; n++) {
        const line = doc.line(n);
        const seen = visibleRanges.some((r) => r.from <= line.to && line.from <= r.to);
        if (!seen && this.states.length > n) continue;
        const state = { ...this.states[n - 1] };
        const stream = /** @type {Stream} */ (new StringStream(line.text, 4, 2));
        while (!stream.eol()) {
          const kind = token(stream, state);
          if (stream.pos === stream.start) throw new Error(`BUG: no token at ${n}:${stream.pos + 1}`);
          if (kind && kind !== "name" && seen) found.add(line.from + stream.start, line.from + stream.pos, marks[kind]);
          stream.start = stream.pos;
        }
        this.states[n] = state;
      }
      return found.finish();
    }
  }
  return [
    styles,
    Prec.high(ViewPlugin.fromClass(Colours, { decorations: (c) => c.decorations })),
    EditorState.languageData.of(() => [{ commentTokens }]),
  ];
}
