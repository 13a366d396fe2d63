// Splits tests in C, which may be incomplete, into the bodies of threads with their parameters and locals.

import { plainC } from "./ctext.js";

/** @typedef {{ from: number, to: number, params: string[], locals: string[] }} ThreadInC */

/**
 * takeC returns the parts of a test for completion: see take in completion.js.
 * @param {string} text
 * @param {TestWords} known
 */
export function takeC(text, known) {
  const words = new Set([.../** @type {string[]} */ (known.controls), .../** @type {string[]} */ (known.types)]);
  const plain = plainC(text);
  const open = plain.search(/^[ \t]*\{/m) < 0 ? plain.indexOf("{") : plain.indexOf("{", plain.search(/^[ \t]*\{/m));
  const close = open < 0 ? -1 : closing(plain, open);
  /** @type {ThreadInC[]} */
  const threads = [];
  let end = close;
  if (close >= 0) {
    const begin = /\bP(\d+)\s*\(([^)]*)\)\s*\{/g;
    begin.lastIndex = close + 1;
    for (let m = begin.exec(plain); m; m = begin.exec(plain)) {
      const from = begin.lastIndex - 1;
      const to = closing(plain, from);
      const body = plain.slice(from + 1, to < 0 ? plain.length : to);
      threads.push({ from, to: to < 0 ? plain.length : to, params: lastWords(m[2].split(","), words), locals: localsOf(body, words) });
      if (to < 0) break;
      begin.lastIndex = end = to + 1;
    }
  }
  const init = open < 0 ? "" : plain.slice(open + 1, close < 0 ? plain.length : close);
  const locations = new Set(threads.flatMap((t) => t.params));
  for (const m of init.matchAll(/(?:^|[;\s*{&])([A-Za-z_]\w*)\s*(?:\[\d*\]\s*)?(?==|;|$)/g)) locations.add(m[1]);
  return {
    threads: threads.length,
    locations: [...locations],
    /** @param {number} pos */
    thread: (pos) => threads.find((t) => t.from < pos && pos <= t.to),
    /** @param {number} pos */
    part(pos) {
      if (open < 0 || pos <= open) return "header";
      if (close < 0 || pos <= close) return "init";
      if (this.thread(pos)) return "code";
      return threads.length > 0 && pos > end ? "condition" : "between";
    },
    /** @param {number} i */
    registers: (i) => new Set(threads[i]?.locals),
    // begins reports whether a statement can begin at a position.
    /** @param {number} pos */
    begins: (pos) => /(^|[;{}])\s*$|\b(else|do)\s+$|\)\s*$/.test(plain.slice(close + 1, pos)),
  };
}

// closing returns the position of the matching closing brace, or -1.
/**
 * @param {string} plain
 * @param {number} open
 */
function closing(plain, open) {
  let depth = 0;
  for (let at = open; at < plain.length; at++) {
    if (plain[at] === "{") depth++;
    else if (plain[at] === "}" && --depth === 0) return at;
  }
  return -1;
}

/**
 * @param {string[]} list
 * @param {Set<string>} words
 */
const lastWords = (list, words) => /** @type {string[]} */ (list.map((p) => /([A-Za-z_]\w*)\s*(\[[^\]]*\])?\s*$/.exec(p)?.[1]).filter((w) => w && !words.has(w)));

// localsOf returns the names that a body declares or assigns.
/**
 * @param {string} body
 * @param {Set<string>} words
 */
function localsOf(body, words) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const m of body.matchAll(/(?:^|[;{}(,])\s*(?:[A-Za-z_]\w*[\s*]+)*([A-Za-z_]\w*)\s*(?:=(?!=)|(?=[;,]))/g)) {
    if (!words.has(m[1])) found.add(m[1]);
  }
  return [...found];
}
