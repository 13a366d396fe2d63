// Text on slides: the first sentences of a paragraph, and the parts of a litmus test.

const MOST = 200; // characters of a paragraph that a slide shows whole
const SHORT = 70; // a first sentence that is shorter needs the next one beside it
const ROOM = 260; // … if both have at most so many characters
// Words that point back: a sentence that begins with one needs the next sentence to say something by itself.
const pointsBack = /^(It|This|That|They|These|Those|Both|So|But|And|Then|Here|There|Such|Each of)\b/;
const abbreviation = /(\b(e\.g|i\.e|cf|vs|etc|Fig|Sec|No|p|pp))\.$/;

/**
 * ends returns where the sentences of a paragraph end, in characters of its text. Stops within code and formulas end no
 * sentence.
 * @param {Element} p
 */
function ends(p) {
  const text = p.textContent;
  const walker = document.createTreeWalker(p, NodeFilter.SHOW_TEXT);
  /** @type {[number, number][]} */
  const closed = [];
  let at = 0;
  while (walker.nextNode()) {
    const n = /** @type {Text} */ (walker.currentNode);
    if (n.parentElement?.closest("code, math")) closed.push([at, at + n.data.length]);
    at += n.data.length;
  }
  /** @param {number} i */
  const inside = (i) => closed.some(([from, to]) => from <= i && i < to);
  const out = [];
  for (const m of text.matchAll(/[.?!]["”’)]*(?=\s|$)/g)) {
    const next = text.slice(m.index + m[0].length).search(/\S/) + m.index + m[0].length;
    if (inside(m.index) || abbreviation.test(text.slice(0, m.index + 1))) continue;
    if (next < m.index + m[0].length || inside(next) || /[^a-z]/.test(text[next])) out.push(m.index + m[0].length);
  }
  if (out.at(-1) !== text.trimEnd().length) out.push(text.trimEnd().length);
  return out;
}

/**
 * until returns a copy of an element's content up to a character.
 * @param {Element} p
 * @param {number} end
 * @param {number} [from] its first character
 */
function until(p, end, from = 0) {
  const range = document.createRange();
  range.setStart(p, 0);
  const walker = document.createTreeWalker(p, NodeFilter.SHOW_TEXT);
  let at = 0;
  while (walker.nextNode()) {
    const n = /** @type {Text} */ (walker.currentNode);
    if (from > 0 && at <= from && from < at + n.data.length) range.setStart(n, from - at);
    if (at + n.data.length >= end) {
      range.setEnd(n, end - at);
      break;
    }
    at += n.data.length;
  }
  const out = document.createElement("p");
  out.append(range.cloneContents());
  return out;
}

/**
 * opening returns what a slide shows of a paragraph or a list item: all of a short one, else its first sentence, with
 * the next one if the first says little by itself.
 * @param {Element} p
 * @param {number} [most] characters that are shown whole
 */
export function opening(p, most = MOST) {
  if (p.textContent.length <= most) return until(p, p.textContent.length);
  const stops = ends(p);
  const first = stops[0];
  const more = stops[1] && (first < SHORT || pointsBack.test(p.textContent.trim())) && stops[1] <= ROOM;
  return until(p, more ? stops[1] : first);
}

/**
 * sentences returns a copy of each sentence of a paragraph.
 * @param {Element} p
 */
export function sentences(p) {
  let from = 0;
  return ends(p).map((end) => {
    const s = until(p, end, from);
    from = end;
    return s;
  });
}

/**
 * leadsIn reports whether a paragraph only announces what comes after it.
 * @param {Element} p
 */
export function leadsIn(p) {
  const text = p.textContent.trim();
  return text.endsWith(":") || (text.length <= 320 && /^(Here (is|are)|Below|Try|Compare|Look)\b|\b(below|the following|here is)\b/i.test(text));
}

/**
 * plain returns a copy of an element without links, controls and names, which are the lesson's own.
 * @template {Element} E
 * @param {E} e
 * @returns {E}
 */
export function plain(e) {
  const out = /** @type {E} */ (e.cloneNode(true));
  for (const a of out.querySelectorAll("a")) a.replaceWith(...a.childNodes);
  for (const named of [out, ...out.querySelectorAll("[id], [tabindex], [role]")]) {
    for (const name of ["id", "tabindex", "role", "aria-label"]) named.removeAttribute(name);
  }
  return out;
}

const question = /^\s*(exists|~\s*exists|forall|locations|filter)\b/;
const body = /^(static )?(void )?P\d+ ?\(/;

/** @typedef {{ init: string, threads: { name: string, code: string }[], asks: string }} Parts */

/**
 * parts divides a litmus test into its initial state, its threads and its condition. A test in C has a function for each
 * thread, others a column.
 * @param {string} source
 * @returns {Parts}
 */
export function parts(source) {
  const lines = source.replaceAll("\r\n", "\n").trimEnd().split("\n");
  let at = lines.findIndex((l, i) => i > 0 && l.trimStart().startsWith("{"));
  if (at < 0) at = 1;
  const rest = lines.slice(at).join("\n");
  const close = rest.startsWith("{") || rest.trimStart().startsWith("{") ? rest.indexOf("}") : -1;
  const init = close < 0 ? "" : rest.slice(rest.indexOf("{") + 1, close).replace(/\s+/g, " ").trim();
  const after = rest.slice(close + 1).split("\n");
  const q = after.findIndex((l) => question.test(l));
  const program = (q < 0 ? after : after.slice(0, q)).filter((l) => l.trim() !== "");
  const asks = q < 0 ? "" : after.slice(q).join("\n").trim();
  return { init, threads: program.some((l) => body.test(l)) ? functions(program) : columns(program), asks };
}

/**
 * functions are the threads of a test in C.
 * @param {string[]} lines
 */
function functions(lines) {
  /** @type {Parts["threads"]} */
  const out = [];
  for (const l of lines) {
    if (body.test(l)) out.push({ name: "", code: "" });
    const last = out.at(-1);
    if (last) last.code += (last.code ? "\n" : "") + l;
  }
  return out;
}

/**
 * columns are the threads of a test in assembly.
 * @param {string[]} lines
 */
function columns(lines) {
  const rows = lines.map((l) => l.replace(/;\s*$/, "").split("|").map((c) => c.trim()));
  const [names = [], ...code] = rows;
  return names.map((name, i) => ({ name, code: code.map((r) => r[i] ?? "").join("\n").trimEnd() }));
}
