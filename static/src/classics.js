// Searches the list of texts to start with, and renders the results, best first.

/**
 * list returns the list for a query, and the number of results in words.
 * @param {ListEntry[]} tests as entries makes them
 * @param {ListHooks} q
 *   query: in lower case; here: the architecture at hand; only: the one to look in, "" for
 *   all; current: the ID of the test at hand; mine: the visitor's own, each {name, note,
 *   take()}; close(): puts the list away; page: what the addresses of tests begin with; what: what they are, in words
 * @returns {{boxes: HTMLElement[], said: string}}
 */
export function list(tests, { query, here, only, current, mine, close, page, what }) {
  const words = query.split(/\s+/).filter(Boolean);
  const groups = search(tests, words, here, only);
  const found = groups.reduce((n, g) => n + g.tests.length, 0);
  const all = only ? tests.filter((t) => t.arch === only).length : tests.length;
  const boxes = groups.map((g) => section(g, words, current, page));
  const own = mine.filter((m) => !only && words.every((w) => `${m.name} ${m.note}`.toLowerCase().includes(w)));
  if (own.length) boxes.unshift(drafts(own, words, close));
  const said = query === "" ? `${all} ${what}s` : found ? `${found} of ${all} ${what}s` : `No ${what} matches.`;
  return { boxes, said };
}

/**
 * entries makes the list from the server's data.
 * @param {ListedArch[]} archs
 */
export function entries(archs) {
  return archs.flatMap((a) => a.families.flatMap((f) => f.tests.map((t) => entry(a, f, t))));
}

// section lists the results of one architecture, by family if the family is complete.
function section(/** @type {{ arch: string, tests: ListEntry[] }} */ { arch, tests }, /** @type {string[]} */ marks, /** @type {string} */ current, /** @type {string | undefined} */ page) {
  const box = group(arch, arch);
  /** @type {string | null} */
  let family = null;
  /** @type {HTMLUListElement | null} */
  let items = null;
  for (const t of tests) {
    if (!items || (marks.length === 0 && t.family !== family)) {
      items = document.createElement("ul");
      if (marks.length === 0 && t.family) box.append(heading("h3", t.family));
      box.append(items);
      family = t.family;
    }
    const a = item(t.name, t.note, marks);
    a.href = page + encodeURIComponent(t.id);
    a.dataset.test = t.id;
    if (t.id === current) a.setAttribute("aria-current", "true");
    items.append(/** @type {HTMLElement} */ (a.parentElement));
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

// entry makes a test's list entry, with the words of a search in order of weight.
/**
 * @param {ListedArch} arch
 * @param {ListedFamily} family
 * @param {Listed} t
 */
function entry(arch, family, t) {
  /** @param {...string} texts */
  const split = (...texts) => texts.join(" ").toLowerCase().split(/[\s,:;?!()'"/]+|\.(?=\s|$)/).filter(Boolean);
  return {
    ...t,
    arch: arch.name,
    family: family.title,
    lower: t.name.toLowerCase(),
    parts: t.name.toLowerCase().split(/[+.\-]/),
    about: split(arch.name, arch.about, family.title, t.about ?? ""),
    rest: split(t.note, t.code ?? ""),
  };
}

// score rates how well a test matches a word of the query: 0 is the test's name, Infinity no match.
/**
 * @param {ListEntry} t
 * @param {string} word
 */
function score(t, word) {
  if (t.lower === word) return 0;
  if (t.lower.startsWith(word) || t.parts.some((p) => p.startsWith(word))) return 1;
  if (t.about.includes(word)) return 2;
  if (t.about.some((w) => w.startsWith(word))) return 2.5;
  if (t.rest.some((w) => w.startsWith(word))) return 3;
  if (t.lower.includes(word)) return 3.5;
  return Infinity;
}

// AT_HAND is the bonus for tests of the current architecture: more than one step of score.
const AT_HAND = 1.5;

/** @typedef {{ arch: string, best: number, found: { t: ListEntry, n: number }[] }} Group */

// search returns the tests that match all words, grouped by architecture, best first.
/**
 * @param {ListEntry[]} tests
 * @param {string[]} words
 * @param {string} here
 * @param {string} only
 */
function search(tests, words, here, only) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const t of tests) {
    if (only && t.arch !== only) continue;
    const n = words.reduce((sum, w) => sum + score(t, w), t.arch === here ? -AT_HAND : 0);
    if (n === Infinity) continue;
    if (!groups.has(t.arch)) groups.set(t.arch, { arch: t.arch, best: Infinity, found: [] });
    const g = /** @type {Group} */ (groups.get(t.arch));
    g.best = Math.min(g.best, n);
    g.found.push({ t, n });
  }
  return [...groups.values()]
    .sort((a, b) => a.best - b.best)
    .map((g) => ({ arch: g.arch, tests: g.found.sort((a, b) => a.n - b.n).map((f) => f.t) }));
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
