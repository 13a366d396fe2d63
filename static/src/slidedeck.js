// Divides a lesson into slides: one paragraph, list, table, test, question or exercise each. What a slide leaves out is
// in its notes. A "slide" block in the lesson's source replaces the division of the text after it.

import * as address from "./address.js";
import { pathTo } from "./base.js";
import { pictureFields } from "./picturefields.js";
import { send } from "./send.js";
import * as steps from "./steps.js";
import { code, fit, fits, make, page, reveal, stepped } from "./slidepages.js";
import { leadsIn, opening, parts, plain, sentences } from "./slidetext.js";

/** @typedef {import("./slidepages.js").Page} Page */
/** @typedef {{ title: string, pages: Page[], notes: Node[], from: Element }} Slide */

/** The smallest enlargement of a drawing: its smallest text has 13 pixels, and 20 on the slide. */
const DRAWN = 20 / 13;

/**
 * divide returns the slides of a lesson, with pages that are not in the document yet.
 * @param {HTMLElement} article
 * @returns {Slide[]}
 */
export function divide(article) {
  const title = article.querySelector("h1").textContent;
  const all = /** @type {Slide[]} */ ([]);
  let section = "";
  let before = /** @type {Element[]} */ ([]); // paragraphs that announce the next slide
  let lead = /** @type {Element | null} */ (null); // the last paragraph that stands above what comes after it
  let told = false; // the text belongs to the slide of a "slide" block before it

  /** @param {Slide} s */
  const add = (s) => {
    s.notes.unshift(...before.map(plain));
    before = [];
    all.push(s);
  };
  const heading = article.querySelector("header");
  add({ title, from: heading, notes: notesOf(article), pages: [titlePage(heading)] });

  for (const e of article.children) {
    const where = section ? title : "";
    const name = section || title;
    if (e.matches("h2, h3, h4")) {
      section = e.textContent;
      told = false;
      if (before.length > 0) all.at(-1)?.notes.push(...before.map(plain));
      before = [];
      continue;
    }
    if (e.matches("template.slide")) {
      const text = /** @type {HTMLTemplateElement} */ (e).content;
      told = true;
      if (text.childElementCount > 0) add({ title: name, from: e.nextElementSibling ?? e, notes: [], pages: [wholePage(where, name, text)] });
      continue;
    }
    const special = blockPages(e, section || title);
    if (special) {
      told = false;
      add(special);
    } else if (told) {
      all.at(-1)?.notes.push(plain(e));
    } else if (e.matches("p") && !e.querySelector("img") && (announces(e) || (e.nextElementSibling?.matches("section, figure") && leadsIn(e)))) {
      lead = e;
      // A long one has a slide of its own, too.
      if (announces(e) && e.textContent.length > LEAD) add({ title: name, from: e, notes: [plain(e)], pages: [prosePage(where, name, e)] });
      else before.push(e);
    } else if (e.matches("p, ul, ol, table, pre, blockquote, math, hr")) {
      if (e.matches("hr")) continue;
      const above = e.previousElementSibling === lead && (!e.matches("p") || isFormula(e)) ? lead : null;
      add({ title: name, from: above ?? e, notes: [plain(e)], pages: [prosePage(where, name, e, above)] });
    }
  }
  all.at(-1)?.notes.push(...before.map(plain));
  return all;
}

const LEAD = 200; // characters of a paragraph that stands above a list, a table or code

/** @param {Element | null} e */
const isFormula = (e) => e?.matches("p") && e.childElementCount === 1 && e.firstElementChild?.matches("math") && e.textContent.trim() === e.firstElementChild.textContent.trim();

/**
 * announces reports whether a paragraph stands on the slide of the list, table, formula or code after it.
 * @param {Element} e
 */
const announces = (e) => !isFormula(e) && (e.nextElementSibling?.matches("ul, ol, table, pre, math") || isFormula(e.nextElementSibling));

/**
 * notesOf is what a teacher wants to know of a lesson at its beginning.
 * @param {HTMLElement} article
 */
function notesOf(article) {
  const list = make("ol", "");
  for (const h of article.querySelectorAll(":scope > h2")) list.append(make("li", "", h.textContent));
  return [plain(article.querySelector("header .facts")), list];
}

/** @param {Element} header */
function titlePage(header) {
  const p = page("title", "", header.querySelector("h1").textContent, plain(header.querySelector(".lead")));
  return p;
}

/**
 * wholePage shows a text of the author's for a slide.
 * @param {string} where
 * @param {string} title
 * @param {DocumentFragment} text
 */
function wholePage(where, title, text) {
  const p = page("statement", where, title);
  for (const e of text.children) p.body.append(block(plain(e)));
  p.body.classList.add("statement");
  return p;
}

/**
 * block prepares a part of a text for a page.
 * @param {Element} e a copy
 */
function block(e) {
  if (e.matches("pre")) return code(e.textContent);
  for (const pre of e.querySelectorAll("pre")) pre.replaceWith(code(pre.textContent));
  return e;
}

/**
 * prosePage shows a paragraph's opening, or a list, table, formula or code with the paragraph that announces it.
 * @param {string} where
 * @param {string} title
 * @param {Element} e
 * @param {Element | null} [lead]
 */
function prosePage(where, title, e, lead) {
  const clean = plain(e);
  if (e.matches("p") && /\bremember\b/i.test(title) && sentences(clean).length > 1) {
    return page("list", where, title, make("ul", "", ...sentences(clean).map((s) => make("li", "", ...s.childNodes))));
  }
  if (e.matches("p, blockquote") && !isFormula(e)) {
    const p = page("statement", where, title, e.matches("p") && !e.querySelector("img") ? opening(clean) : clean);
    p.body.classList.add("statement");
    return p;
  }
  const p = page("list", where, title);
  if (lead) {
    const text = lead.textContent.length > LEAD ? /** @type {HTMLElement} */ (sentences(plain(lead)).at(-1)) : opening(plain(lead));
    text.className = "lead-in";
    p.body.append(text);
  }
  if (e.matches("ul, ol")) {
    for (const li of clean.querySelectorAll(":scope > li")) {
      if (!li.querySelector("ul, ol, pre, p + p")) li.replaceChildren(...opening(li, 120).childNodes);
      const strong = li.querySelector(":scope > p");
      if (strong && li.childElementCount === 1) li.replaceChildren(...opening(strong, 120).childNodes);
    }
  }
  p.body.append(block(clean));
  return p;
}

/**
 * blockPages makes a slide of a block of a lesson; null for text.
 * @param {Element} e
 * @param {string} where
 * @returns {Slide | null}
 */
function blockPages(e, where) {
  if (e.matches(".live-test")) return testSlide(/** @type {HTMLElement} */ (e), where);
  if (e.matches(".question")) return questionSlide(e, where);
  if (e.matches(".exercise")) return exerciseSlide(e, where);
  if (e.matches(".mappings")) return mappingSlide(e, where);
  if (e.matches(".machine-log")) return logSlide(e, where);
  if (e.matches(".live-tour")) return tourSlide(e, where);
  if (e.matches(".model-text")) {
    const title = e.querySelector("figcaption")?.textContent ?? where;
    return { title, from: e, notes: [], pages: [page("code", where === title ? "" : where, title, code(e.querySelector("pre").textContent))] };
  }
  return null;
}

/** @param {string} source */
function codeBox(source) {
  const { init, threads, asks } = parts(source);
  const box = make("div", "code-box");
  if (init) box.append(make("p", "init", "Initially ", make("code", "", init)));
  if (threads.length > 0) {
    const row = make("div", "threads");
    for (const t of threads) row.append(make("div", "thread", ...(t.name ? [make("p", "name", t.name)] : []), code(t.code)));
    box.append(row);
  } else {
    box.append(code(source));
  }
  if (asks) box.append(make("p", "condition", make("code", "", asks.replace(/\s+/g, " "))));
  return box;
}

/**
 * testSlide shows a test's code, then what to predict, the answer, the picture, the steps of the run if the lesson opens
 * them, and why.
 * @param {HTMLElement} box
 * @param {string} where
 * @returns {Slide}
 */
function testSlide(box, where) {
  const title = box.querySelector("header h3").textContent;
  /** @type {LinkState} */
  const state = JSON.parse(box.querySelector(":scope > script[type='application/json']").textContent);
  const outcomes = box.querySelector(".outcomes");
  const predicts = box.classList.contains("predict");
  const answerAt = predicts ? 2 : 1;

  const p = page("ask", where, title, codeBox(state.source));
  const said = stepped(p, make("div", "asked"), 1);
  p.body.append(said);
  said.append(make("p", "asks", outcomes?.querySelector(".asks").textContent.trim() || "Can this happen?"));
  const rows = make("ul", "verdicts");
  for (const column of state.models) {
    const row = make("li", "", make("b", "", labelOf(box, column)));
    row.dataset.column = column;
    const cell = make("span", "cell");
    if (predicts) cell.append(stepped(p, make("span", "guess", "allows or forbids it?"), 1, 2));
    cell.append(stepped(p, make("span", "says", "no answer yet"), answerAt));
    row.append(cell);
    rows.append(row);
  }
  said.append(rows);
  if (outcomes) fillVerdicts(rows, outcomes);

  const pages = [p];
  const late = !outcomes && box.querySelector("[data-late]");
  const loader = once(() => loadPicture(box, state, rows));
  if (late) p.ready = loader;
  if (late || outcomes?.dataset.first) {
    const shown = page("picture", where, title, make("p", "hint", "Drawing the picture …"));
    shown.ready = async () => drawing(shown, (await loader()) ?? null);
    pages.push(shown);
    if (box.querySelector(".pictures").dataset.tab === "steps") {
      const run = page("run", where, title, make("p", "hint", "Loading the steps …"));
      run.ready = async () => running(run, (await loader()) ?? null);
      pages.push(run);
    }
  }
  const why = box.querySelector(".why-text");
  if (why) pages.push(...whyPages(why, where, title));
  return { title, from: box, notes: why ? [...why.children].map(plain) : [], pages };
}

/**
 * whyPages show what an explanation says first.
 * @param {Element} why
 * @param {string} where
 * @param {string} title
 */
function whyPages(why, where, title) {
  return [...why.children].map((e) => prosePage(where, `${title}: why`, e));
}

/**
 * labelOf is the name of a model above its column.
 * @param {Element} box
 * @param {string} column
 */
function labelOf(box, column) {
  const heads = [...box.querySelectorAll("th[data-column], fieldset[data-column] legend")];
  const head = heads.find((h) => h.closest("[data-column]").dataset.column === column);
  return head?.textContent.trim() ?? column.toUpperCase();
}

/**
 * fillVerdicts writes what the models say into the rows of a test's slide.
 * @param {Element} rows
 * @param {HTMLElement} outcomes
 */
function fillVerdicts(rows, outcomes) {
  const words = /** @type {Record<string, string>} */ ({ allowed: "✓ allows it", forbidden: "✗ forbids it" });
  const all = new Map((outcomes.dataset.verdicts ?? "").split(";").map((w) => /** @type {[string, string]} */ (w.split(" "))));
  for (const row of rows.children) {
    const verdict = all.get(/** @type {HTMLElement} */ (row).dataset.column ?? "") ?? "";
    const says = row.querySelector(".says");
    says.textContent = words[verdict] ?? "does not decide it";
    says.classList.add(verdict || "unknown");
  }
}

/**
 * once calls a function at the first call, and again after an error.
 * @template T
 * @param {() => Promise<T>} f
 */
function once(f) {
  /** @type {Promise<T> | null} */
  let result = null;
  return () =>
    (result ??= f().catch((e) => {
      result = null;
      throw e;
    }));
}

/**
 * loadPicture fetches the picture of a test that the lesson shows, or of the first outcome; before that, the answer if
 * the page was sent without.
 * @param {HTMLElement} box
 * @param {LinkState} state
 * @param {Element} rows
 */
async function loadPicture(box, state, rows) {
  const question = () => address.fields({ options: {}, ...state });
  let outcomes = box.querySelector(".outcomes");
  if (!outcomes) {
    const t = document.createElement("template");
    t.innerHTML = await (await send(pathTo("/learn/run"), question())).text();
    outcomes = t.content.querySelector(".outcomes");
    if (!outcomes) throw new Error("The engine has no answer to this test.");
    fillVerdicts(rows, outcomes);
  }
  const drawn = box.classList.contains("predict") ? null : box.querySelector(".pictures .picture");
  const pick = drawn
    ? { column: drawn.dataset.column ?? "", state: drawn.dataset.state ?? "", flag: drawn.dataset.flag ?? "" }
    : { column: outcomes.dataset.first ?? "", state: outcomes.dataset.firstState ?? "", flag: outcomes.dataset.firstFlag ?? "" };
  if (!pick.column) return null;
  const t = document.createElement("template");
  t.innerHTML = await (await send(pathTo("/picture"), pictureFields(question(), pick))).text();
  return t.content.querySelector(".picture");
}

/**
 * drawing puts the graph of a picture on its page, as large as fits.
 * @param {Page} p
 * @param {HTMLElement | null} picture
 */
function drawing(p, picture) {
  const all = /** @type {SVGSVGElement[]} */ ([...(picture?.querySelectorAll(".drawing > svg") ?? [])]);
  if (!picture || all.length === 0) {
    p.body.replaceChildren(picture?.querySelector(".reason, .hint") ?? make("p", "", "This outcome has no picture."));
    fits(p);
    return;
  }
  const title = p.el.querySelector("h1");
  const holder = make("div", "drawn");
  title.append(make("span", "caption", ...plain(picture.querySelector("h2")).childNodes));
  p.body.replaceChildren(holder);
  const [width, height] = [holder.clientWidth, holder.clientHeight];
  /** @param {SVGSVGElement} svg */
  const scale = (svg) => Math.min(width / svg.viewBox.baseVal.width, height / svg.viewBox.baseVal.height);
  const flows = Boolean(p.el.closest(".flow")); // on a phone, the drawing has the width of the screen
  const best = flows || scale(all[0]) >= DRAWN ? all[0] : all.reduce((a, b) => (scale(b) > scale(a) ? b : a));
  const svg = /** @type {SVGSVGElement} */ (best.cloneNode(true));
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  svg.setAttribute("role", "img");
  for (const e of svg.querySelectorAll("[tabindex]")) e.removeAttribute("tabindex");
  holder.append(svg);
  if (!flows && scale(best) < DRAWN) pieces(p, svg, holder);
}

/**
 * pieces shows a drawing that is too large to be read one piece after the other, in rows from the top. Neighbouring
 * pieces overlap, so that each event is whole in one of them.
 * @param {Page} p
 * @param {SVGSVGElement} svg
 * @param {Element} holder of the drawing
 */
function pieces(p, svg, holder) {
  const OVERLAP = 70;
  const which = make("span", "piece", "part 1 of 2");
  p.el.querySelector("h1").append(which); // before its room is measured
  const [width, height] = [holder.clientWidth / DRAWN, holder.clientHeight / DRAWN];
  const all = svg.viewBox.baseVal;
  const [x0, y0, w, h] = [all.x, all.y, all.width, all.height];
  /** @param {number} length @param {number} most */
  const cuts = (length, most) => {
    const n = length <= most ? 1 : Math.ceil((length - OVERLAP) / (most - OVERLAP));
    const step = n === 1 ? 0 : (length - most) / (n - 1);
    return Array.from({ length: n }, (_, i) => i * step);
  };
  const places = cuts(h, height).flatMap((y) => cuts(w, width).map((x) => [x, y]));
  svg.dataset.pieces = String(places.length);
  p.steps = places.length - 1;
  p.shown = (step) => {
    const [x, y] = places[Math.min(step, places.length - 1)];
    svg.setAttribute("viewBox", [x0 + x, y0 + y, Math.min(w, width), Math.min(h, height)].join(" "));
    which.textContent = `part ${step + 1} of ${places.length}`;
  };
  p.shown(0);
}

const AROUND = 5; // instructions of a long thread that are in sight

/**
 * running puts the steps of a run on its page: each press shows the machine after the next step.
 * @param {Page} p
 * @param {HTMLElement | null} picture
 */
function running(p, picture) {
  const box = /** @type {HTMLElement | null} */ (picture?.cloneNode(true) ?? null);
  const player = box?.querySelector(".player");
  if (!box || !player) {
    p.body.replaceChildren(make("p", "", "This outcome has no steps."));
    return;
  }
  for (const e of box.querySelectorAll(".panel")) if (e.dataset.panel !== "steps") e.remove();
  for (const e of box.querySelectorAll(".tools, .repairing, h2, h3")) e.remove();
  const run = steps.activate(box, { onStep() {} });
  player.removeAttribute("tabindex");
  player.removeAttribute("role");
  p.body.replaceChildren(player);
  const slider = player.querySelector("input");
  p.steps = Number(slider.max);
  p.shown = (step) => run?.walk(null, step);
  if (fits(p)) return;
  // Long threads show the instructions around the present one.
  p.shown = async (step) => {
    await run?.walk(null, step);
    for (const list of player.querySelectorAll(".code")) {
      const all = [...list.children];
      const at = Math.max(all.findIndex((li) => li.matches(".now, .at")), 0);
      const from = Math.max(Math.min(at - 2, all.length - AROUND), 0);
      all.forEach((li, i) => li.toggleAttribute("hidden", i < from || i >= from + AROUND));
    }
  };
  p.shown(p.steps);
  fits(p);
}

const LETTERS = "ABCDEFGHIJ";

/**
 * questionSlide shows a question with its choices, and marks the right ones at the next press.
 * @param {Element} e
 * @param {string} where
 * @returns {Slide}
 */
function questionSlide(e, where) {
  const title = e.getAttribute("aria-label") ?? "";
  const p = page("ask", where, title);
  for (const part of plain(e.querySelector("legend")).children) p.body.append(block(part));
  const list = make("ul", "choices");
  const notes = make("ul", "");
  [...e.querySelectorAll("fieldset > ul > li")].forEach((li, i) => {
    const right = "right" in li.querySelector("input").dataset;
    const text = [...plain(li.querySelector("label > span")).childNodes];
    const why = plain(li.querySelector(".explained > p"));
    const row = make("li", "", make("b", "letter", LETTERS[i] ?? String(i + 1)), make("span", "", ...text));
    row.append(stepped(p, make("span", right ? "mark right" : "mark wrong", right ? "✓ right" : "✗ wrong"), 1));
    list.append(row);
    notes.append(make("li", "", `${LETTERS[i] ?? i + 1}: `, ...why.childNodes));
  });
  p.body.append(list);
  const pages = [p];
  const reasons = make("ul", "choices");
  e.querySelectorAll("fieldset > ul > li").forEach((li, i) => {
    if (!("right" in li.querySelector("input").dataset)) return;
    const why = plain(li.querySelector(".explained > p"));
    why.querySelector("strong")?.remove();
    if (why.textContent.trim()) reasons.append(make("li", "", make("b", "letter", LETTERS[i]), make("span", "", ...opening(why).childNodes)));
  });
  if (reasons.childElementCount > 0) pages.push(page("list", where, `${title}: why`, reasons));
  return { title, from: e, notes: [notes], pages };
}

/**
 * exerciseSlide shows the task and its goals, the code to start from, the hints and a solution.
 * @param {Element} e
 * @param {string} where
 * @returns {Slide}
 */
function exerciseSlide(e, where) {
  const title = e.querySelector("h3").textContent;
  const task = [...e.children].filter((c) => c.matches("h3 ~ :is(p, ul, ol, pre, table, .listing):not(.problem, .goals-wanted)") && !c.matches(".listing"));
  const goals = e.querySelector(".goals-wanted");
  const pages = [page("ask", where, title, ...task.map((t) => block(plain(t))), ...(goals?.childElementCount ? [make("p", "lead-in", "Goals"), plain(goals)] : []))];
  const form = e.querySelector("form");
  const model = form?.dataset.language === "cat";
  const given = e.querySelector(":scope > .listing pre")?.textContent;
  if (given) pages.push(page("code", where, `${title}: the test`, codeBox(given)));
  const start = form?.dataset.start ?? e.querySelector("pre.start")?.textContent ?? "";
  if (start.trim()) pages.push(page("code", where, `${title}: start`, model ? code(start) : codeBox(start)));
  e.querySelectorAll(".hint-box").forEach((h) => {
    const text = [...h.children].filter((c) => !c.matches("summary")).map((c) => block(plain(c)));
    const hint = page("statement", where, `${title}: ${h.querySelector("summary").textContent.trim().toLowerCase()}`, ...text);
    hint.body.classList.add("statement");
    pages.push(hint);
  });
  const solution = e.querySelector(".solution pre")?.textContent;
  if (solution) pages.push(page("code", where, `${title}: a solution`, model ? code(solution) : codeBox(solution)));
  return { title, from: e, notes: [], pages };
}

/**
 * mappingSlide shows a test in C and, on a page each, what it is compiled to.
 * @param {Element} e
 * @param {string} where
 * @returns {Slide}
 */
function mappingSlide(e, where) {
  const title = e.querySelector("h3").textContent;
  const pages = [...e.querySelectorAll("article")].map((a) => {
    const p = page("code", title, a.querySelector("h4").textContent);
    const says = a.querySelector(".says");
    if (says) p.body.append(plain(says));
    const names = [...a.querySelectorAll("h5")];
    const lists = [...a.querySelectorAll("ol.listing")].map((l) => [...l.children].map((li) => li.textContent).join("\n"));
    if (names.length === lists.length && lists.length > 0) {
      const row = make("div", "threads");
      lists.forEach((l, i) => row.append(make("div", "thread", make("p", "name", names[i].textContent), code(l))));
      p.body.append(row);
    } else {
      p.body.append(...lists.map((l) => codeBox(l)));
    }
    const verdict = a.querySelector(".mapping");
    if (verdict) p.body.append(stepped(p, plain(verdict), 1));
    return p;
  });
  return { title, from: e, notes: [make("p", "", where)], pages };
}

/**
 * logSlide shows what a machine was seen to do.
 * @param {Element} e
 * @param {string} where
 * @returns {Slide}
 */
function logSlide(e, where) {
  const title = e.querySelector("h3").textContent;
  const log = e.querySelector(".whole-log pre")?.textContent;
  return { title, from: e, notes: log ? [code(log)] : [], pages: [page("list", where, title, plain(e.querySelector("table")))] };
}

/**
 * tourSlide lists the graphs that the engine visits, one more with each press.
 * @param {Element} e
 * @param {string} where
 * @returns {Slide}
 */
function tourSlide(e, where) {
  const title = e.querySelector("h3").textContent;
  const p = page("list", where, title, plain(e.querySelector(".sum")));
  const list = make("ol", "graphs");
  for (const does of e.querySelectorAll(".way li .does")) {
    const copy = plain(does);
    for (const heard of copy.querySelectorAll(".heard")) heard.remove();
    list.append(make("li", "", ...copy.childNodes));
  }
  p.body.append(list);
  return { title, from: e, notes: [], pages: [p] };
}

/**
 * lay puts the slides into a stage and makes every page fit.
 * @param {HTMLElement} stage
 * @param {Slide[]} slides
 */
export function lay(stage, slides) {
  for (const s of slides) stage.append(...s.pages.map((p) => p.el));
  for (const s of slides) {
    s.pages = s.pages.flatMap((p) => {
      reveal(p, p.steps);
      return apart(p, s);
    });
  }
}

/**
 * apart makes a page fit. A test whose code leaves no room for the answer has the answer on the next page.
 * @param {Page} p
 * @param {Slide} s
 */
function apart(p, s) {
  const said = p.body.querySelector(".asked");
  if (!said) return fit(p);
  const layouts = ["beside", "below"];
  if (fits(p, layouts)) return [p];
  const where = p.el.querySelector(".where").textContent;
  const answers = page("ask", where, s.title, said);
  said.dataset.shownFrom = "0"; // the question is there from the beginning
  answers.steps = p.steps;
  answers.ready = p.ready;
  p.steps = 0;
  p.ready = undefined;
  p.el.after(answers.el);
  delete p.el.dataset.layout;
  const list = fit(p);
  list.at(-1)?.el.after(answers.el);
  return [...list, ...fit(answers)];
}
