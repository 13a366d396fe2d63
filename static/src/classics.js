// Renders the list of texts to start with. The server searches it: web/parts/classic.

import { pathTo } from "./base.js";

/**
 * list returns the list for a query, and the number of results in words: classic tests first, then what is found
 * elsewhere, then the visitor's own.
 * @param {ListedArch[]} archs
 * @param {PickerResults | null} results what the server finds for the query; null for all
 * @param {ListHooks} q
 *   query: in lower case; here: the architecture at hand; only: the one to look in, "" for
 *   all; current: the ID of the test at hand; mine: the visitor's own, each {name, note,
 *   take()}; close(): puts the list away; page: what the addresses of tests begin with; what: what they are, in words
 * @returns {{boxes: HTMLElement[], said: string}}
 */
export function list(archs, results, { query, here, only, current, mine, close, page = "", what }) {
  const marks = query.split(/\s+/).filter(Boolean);
  const shown = archs.filter((a) => !only || a.name === only);
  const all = shown.reduce((n, a) => n + testsOf(a).length, 0);
  const first = shown.filter((a) => a.name === here);
  const groups = results ? results.found.map((f) => pick(archs, f)) : [...first, ...shown.filter((a) => a.name !== here)];
  const found = groups.reduce((n, g) => n + testsOf(g).length, 0);
  const boxes = groups.map((g) => section(g, marks, current, page));
  for (const part of results?.also ?? []) boxes.push(section(part, marks, current, null));
  const own = mine.filter((m) => !only && marks.every((w) => `${m.name} ${m.note}`.toLowerCase().includes(w)));
  if (own.length) boxes.push(drafts(own, marks, close));
  const said = query === "" ? `${all} ${what}s` : found ? `${found} of ${all} ${what}s` : `No ${what} matches.`;
  return { boxes, said: query === "" && own.length ? `${said}, and ${own.length} of your own at the end` : said };
}

const testsOf = (/** @type {ListedArch} */ a) => a.families.flatMap((f) => f.tests);

/**
 * pick returns a part of the list with the tests that are found, in their order.
 * @param {ListedArch[]} archs
 * @param {{ part: string, ids: string[] }} found
 * @returns {ListedArch}
 */
function pick(archs, { part, ids }) {
  const arch = /** @type {ListedArch} */ (archs.find((a) => a.name === part));
  const byID = new Map(testsOf(arch).map((t) => [t.id, t]));
  return { ...arch, families: [{ title: "", tests: ids.map((id) => /** @type {Listed} */ (byID.get(id))) }] };
}

/**
 * section lists the tests of one part, by family. page is what their addresses begin with; null: their IDs are addresses.
 * @param {ListedArch} part
 * @param {string[]} marks
 * @param {string} current
 * @param {string | null} page
 */
function section({ name, title, families }, marks, current, page) {
  const box = group(title, name);
  for (const family of families) {
    const items = document.createElement("ul");
    if (family.title) box.append(heading("h3", family.title));
    box.append(items);
    for (const t of family.tests) {
      const a = item(t.name, t.note, marks);
      a.href = page === null ? pathTo(t.id) : page + encodeURIComponent(t.id);
      if (page !== null) a.dataset.test = t.id;
      if (t.id === current) a.setAttribute("aria-current", "true");
      items.append(/** @type {HTMLElement} */ (a.parentElement));
    }
  }
  return box;
}

/**
 * @param {Mine[]} own
 * @param {string[]} marks
 * @param {() => unknown} close
 */
function drafts(own, marks, close) {
  const box = group("Your own", "");
  const items = document.createElement("ul");
  for (const m of own) {
    const a = item(m.name, m.note, marks);
    a.href = "#source";
    a.addEventListener("click", (e) => {
      e.preventDefault();
      close();
      m.take();
    });
    items.append(/** @type {HTMLElement} */ (a.parentElement));
  }
  box.append(items);
  return box;
}

/**
 * @param {keyof HTMLElementTagNameMap} tag
 * @param {string} text
 */
function heading(tag, text) {
  const h = document.createElement(tag);
  h.textContent = text;
  return h;
}

/**
 * @param {string} title
 * @param {string} arch
 */
function group(title, arch) {
  const box = document.createElement("section");
  box.dataset.arch = arch;
  box.setAttribute("aria-label", title);
  box.append(heading("h2", title));
  return box;
}

/**
 * @param {string} name
 * @param {string} note
 * @param {string[]} marks
 */
function item(name, note, marks) {
  const li = document.createElement("li");
  const a = document.createElement("a");
  const b = document.createElement("b");
  const span = document.createElement("span");
  b.append(...marked(name, marks));
  span.append(...marked(note, marks));
  a.append(b, " ", span);
  li.append(a);
  return a;
}

// marked returns a text with the words of the query highlighted.
/**
 * @param {string} text
 * @param {string[]} marks
 */
function marked(text, marks) {
  /** @type {(string | HTMLElement)[]} */
  const out = [];
  const lower = text.toLowerCase();
  let at = 0;
  while (at < text.length) {
    let next = -1;
    let word = "";
    for (const w of marks) {
      const i = lower.indexOf(w, at);
      if (i >= 0 && (next < 0 || i < next || (i === next && w.length > word.length))) [next, word] = [i, w];
    }
    if (next < 0) break;
    out.push(text.slice(at, next));
    out.push(heading("mark", text.slice(next, next + word.length)));
    at = next + word.length;
  }
  out.push(text.slice(at));
  return out;
}
