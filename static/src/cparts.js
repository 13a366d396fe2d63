// Tests in C, taken apart as far as they are there: bodies of threads, with parameters and
// locals.

import { plainC } from "./ctext.js";

/**
 * takeC finds what completion asks of a test: see take in completion.js.
 */
export function takeC(text, known) {
  const words = new Set([...known.controls, ...known.types]);
  const plain = plainC(text);
  const open = plain.search(/^[ \t]*\{/m) < 0 ? plain.indexOf("{") : plain.indexOf("{", plain.search(/^[ \t]*\{/m));
  const close = open < 0 ? -1 : closing(plain, open);
  /** @type {any[]} */
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
    thread: (pos) => threads.find((t) => t.from < pos && pos <= t.to),
    part(pos) {
      if (open < 0 || pos <= open) return "header";
      if (close < 0 || pos <= close) return "init";
      if (this.thread(pos)) return "code";
      return threads.length > 0 && pos > end ? "condition" : "between";
    },
    registers: (i) => new Set(threads[i]?.locals),
    // begins tells whether a statement may begin at a place.
    begins: (pos) => /(^|[;{}])\s*$|\b(else|do)\s+$|\)\s*$/.test(plain.slice(close + 1, pos)),
  };
}

// closing is where the brace that is opened at a place closes, or -1.
function closing(plain, open) {
  let depth = 0;
  for (let at = open; at < plain.length; at++) {
    if (plain[at] === "{") depth++;
    else if (plain[at] === "}" && --depth === 0) return at;
  }
  return -1;
}

const lastWords = (list, words) => list.map((p) => /([A-Za-z_]\w*)\s*(\[[^\]]*\])?\s*$/.exec(p)?.[1]).filter((w) => w && !words.has(w));

// localsOf are the names that a body declares or assigns to.
function localsOf(body, words) {
  const found = new Set();
  for (const m of body.matchAll(/(?:^|[;{}(,])\s*(?:[A-Za-z_]\w*[\s*]+)*([A-Za-z_]\w*)\s*(?:=(?!=)|(?=[;,]))/g)) {
    if (!words.has(m[1])) found.add(m[1]);
  }
  return [...found];
}
