// Pages of slides, 1280 × 720 pixels each. Text is as large as fits and never below 24 pixels, code never below 20; what
// does not fit goes on another page of the slide.

export const WIDE = 1280;
export const HIGH = 720;
export const LEAST = 24; // pixels of text
export const LEAST_CODE = 20; // pixels of code

/**
 * A Page is one picture of the screen. It has steps, which reveal its parts one after the other; ready fetches what it
 * shows, and shown is called with each step.
 * @typedef {{ el: HTMLElement, body: HTMLElement, steps: number, ready?: () => Promise<unknown>, shown?: (step: number) => unknown, size: number }} Page
 */

/**
 * make makes an element with a class and content.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} name
 * @param {(Node | string)[]} content
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, name, ...content) {
  const e = document.createElement(tag);
  if (name) e.className = name;
  e.append(...content);
  return e;
}

/**
 * page makes a page with a title.
 * @param {string} kind which arrangement it has
 * @param {string} where the part of the lesson
 * @param {string} title
 * @param {Node[]} content
 * @returns {Page}
 */
export function page(kind, where, title, ...content) {
  const area = make("div", "body", ...content);
  const el = make("section", `page ${kind}`, make("p", "where", where), make("h1", "", title), area);
  return { el, body: area, steps: 0, size: { title: 40, statement: 44 }[kind] ?? 40 };
}

/**
 * stepped lets a part of a page appear at a step, and disappear at another one.
 * @template {HTMLElement} E
 * @param {Page} p
 * @param {E} part
 * @param {number} from
 * @param {number} [until]
 */
export function stepped(p, part, from, until) {
  part.dataset.shownFrom = String(from);
  if (until) part.dataset.shownUntil = String(until);
  p.steps = Math.max(p.steps, from);
  return part;
}

/**
 * reveal shows a page at a step.
 * @param {Page} p
 * @param {number} step
 */
export function reveal(p, step) {
  for (const part of p.el.querySelectorAll("[data-shown-from]")) {
    const { shownFrom: from, shownUntil: until } = part.dataset;
    part.classList.toggle("later", step < Number(from) || step >= Number(until ?? Infinity));
  }
  p.shown?.(step);
}

/** @param {Element} e */
const cut = (e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1;

/**
 * isCut reports whether something on a page does not fit.
 * @param {Page} p
 */
export const isCut = (p) => cut(p.body) || [...p.body.querySelectorAll("pre, .threads, .thread, .code-box, math")].some(cut) || [...p.body.querySelectorAll("table")].some((t) => t.offsetWidth > p.body.clientWidth);

/**
 * size sets the size of a page's text, in pixels, and of its code.
 * @param {Page} p
 * @param {number} text
 */
function size(p, text) {
  p.el.style.setProperty("--slide-text", `${text}px`);
  p.el.style.setProperty("--slide-code", `${Math.max(LEAST_CODE, Math.round(text * 0.84))}px`);
}

/**
 * fits makes a page's text as large as possible, and reports whether all of it fits. Threads stand side by side, unless
 * their code would be small then.
 * @param {Page} p
 * @param {string[]} layouts the arrangements to try, best first
 */
export function fits(p, layouts = [""]) {
  for (const [wraps, least] of /** @type {[boolean, number][]} */ ([[false, 28], [true, LEAST], [false, LEAST]])) {
    p.el.classList.toggle("wraps", wraps);
    for (let text = p.size; text >= least; text -= 2) {
      for (const l of layouts) {
        if (l) p.el.dataset.layout = l;
        size(p, text);
        if (!isCut(p)) return true;
      }
    }
  }
  p.el.classList.add("wraps");
  return false;
}

/**
 * fit makes a page fit, and returns the pages that it has become: the first keeps the page's start.
 * @param {Page} p which is in the document
 * @param {string[]} [layouts]
 * @returns {Page[]}
 */
export function fit(p, layouts) {
  if (fits(p, layouts)) return [p];
  // Lines that are wider than a page continue in the next line.
  const wide = [...p.body.querySelectorAll("pre, td code, th code")].filter((e) => e.localName === "code" || cut(e));
  for (const e of wide) e.classList.add("wrapped");
  if (wide.length > 0 && fits(p, layouts)) return [p];
  const next = { ...p, el: /** @type {HTMLElement} */ (p.el.cloneNode(true)), steps: p.steps };
  next.body = next.el.querySelector(".body");
  p.el.after(next.el);
  if (!divide(p, next)) {
    next.el.remove();
    return [p];
  }
  fits(p, layouts);
  return [p, ...fit(next, layouts)];
}

const PARTS = "ul > li, ol > li, tbody > tr, pre > .line, .threads > .thread, .statement > p, .statement > blockquote";

/**
 * divide moves the last parts of a page to a copy of it, until the page fits in the smallest text. It reports false if
 * that is impossible.
 * @param {Page} p
 * @param {Page} next a copy of the page
 */
function divide(p, next) {
  size(p, LEAST);
  const [all, copies] = [p, next].map(({ body }) => [...body.querySelectorAll(PARTS)].filter((e) => !e.parentElement?.closest("li, td")));
  let keep = all.length;
  while (keep > 1 && isCut(p)) {
    keep--;
    all[keep].remove();
    for (const box of p.body.querySelectorAll("ul, ol, tbody, pre, .threads")) if (box.childElementCount === 0) box.remove();
  }
  if (keep === all.length || keep === 0) return false;
  const moved = copies.slice(keep);
  for (const c of copies.slice(0, keep)) if (!moved.some((m) => c.contains(m))) c.remove();
  for (const box of next.body.querySelectorAll("ul, ol, pre, .threads, .lead-in")) if (box.childElementCount === 0 || box.classList.contains("lead-in")) box.remove();
  for (const list of next.body.querySelectorAll("ol")) list.start += keep;
  return true;
}

/**
 * code makes a block of code with an element for each line, so that a long one can be divided.
 * @param {string} text
 */
export function code(text) {
  const pre = make("pre", "");
  for (const l of text.replace(/\s+$/, "").split("\n")) pre.append(make("span", "line", `${l}\n`));
  return pre;
}
