// Lessons: questions, predictions and exercises, and the reader's progress. Drawing and editing code is loaded when a
// live test is about to be used.

import * as drafting from "./drafts.js";
import { pathTo } from "./base.js";
import * as help from "./help.js";
import { hiding } from "./hiding.js";
import { light } from "./lines.js";
import * as progress from "./progress.js";
import * as sheet from "./sheet.js";
import { fields, send } from "./send.js";

document.documentElement.classList.add("live");
help.activate(document.body);

const lesson = document.querySelector("main.lesson");
const status = document.getElementById("status");
/** @param {string} text */
const say = (text) => {
  if (status) status.textContent = text;
};

if (lesson?.classList.contains("sheet")) sheet.show(/** @type {HTMLElement} */ (lesson));
if (lesson) {
  for (const box of lesson.querySelectorAll(".question:has([data-answer])")) question(box);
  for (const box of lesson.querySelectorAll(".live-test.predict:has(.guess)")) prediction(box);
  for (const box of lesson.querySelectorAll(".exercise:has(form)")) exercise(box);
  if (!lesson.classList.contains("paper")) for (const box of lesson.querySelectorAll(".live-test")) live(box);
  for (const box of lesson.querySelectorAll(".tour")) import("./tour.js").then(({ activate }) => activate(box, say));
  for (const box of lesson.querySelectorAll(".mappings")) light(box);
  if (lesson.classList.contains("paper")) document.documentElement.dataset.theme = "light"; // printing uses the light theme
  lesson.querySelector("[data-print]")?.addEventListener("click", () => print());
  present(/** @type {HTMLElement} */ (lesson));
  if ("own" in lesson.dataset) follow();
  if (!lesson.dataset.items && !lesson.classList.contains("sheet")) readToTheEnd();
}
progress.show(document);

/** @param {HTMLElement} box */
const done = (box) => {
  if (!lesson.dataset.slug) return; // the server stores exercises of a course's sheet
  progress.done(lesson.dataset.slug, box.id);
  progress.show(document);
};

// present shows the lesson as slides when the button is pressed, or when the address says so.
/** @param {HTMLElement} lesson */
function present(lesson) {
  const button = /** @type {HTMLButtonElement | null} */ (lesson.querySelector("[data-present]"));
  if (!button) return;
  /** @type {ReturnType<typeof import("./slides.js").mount> | null} */
  let deck = null;
  const ended = () => {
    button.setAttribute("aria-pressed", "false");
    button.focus({ preventScroll: true });
  };
  const begin = async (/** @type {string} */ hash) => {
    const { mount, placeIn } = await import("./slides.js");
    button.setAttribute("aria-pressed", "true");
    const made = await (deck ??= mount(lesson, { say, ended }));
    await made.begin(placeIn(hash) ?? undefined);
  };
  button.addEventListener("click", () => begin(""));
  const asked = () => {
    if (/^#(slide|notes)=/.test(location.hash) && !document.documentElement.classList.contains("presenting")) begin(location.hash);
  };
  addEventListener("hashchange", asked);
  asked();
}

// readToTheEnd counts a lesson without items as done at its end.
function readToTheEnd() {
  const end = lesson.querySelector(".ways");
  const watcher = new IntersectionObserver(([e]) => {
    if (!e.isIntersecting) return;
    watcher.disconnect();
    progress.done(lesson.dataset.slug, "read");
    progress.show(document);
  });
  if (end) watcher.observe(end);
}

// question says whether the choice is right and why; after a right answer, it explains all choices.
/** @param {HTMLElement} box */
function question(box) {
  const inputs = [...box.querySelectorAll("input")];
  const answer = /** @type {HTMLButtonElement} */ (box.querySelector("[data-answer]"));
  const tell = box.querySelector("[data-tell]");
  const came = box.querySelector(".came");
  /** @param {HTMLElement} input */
  const explained = (input) => /** @type {HTMLDetailsElement} */ (input.closest("li").querySelector(".explained"));
  /** @param {HTMLElement} input */
  const mark = (input) => {
    explained(input).open = true;
    input.closest("li").dataset.is = "right" in input.dataset ? "right" : "wrong";
  };
  const reveal = () => {
    inputs.forEach(mark);
    tell.hidden = true;
    answer.hidden = true;
  };
  box.addEventListener("change", () => {
    answer.disabled = !inputs.some((i) => i.checked);
    came.textContent = "";
  });
  answer.addEventListener("click", () => {
    for (const i of inputs) {
      if (i.checked) mark(i);
    }
    if (inputs.every((i) => i.checked === "right" in i.dataset)) {
      came.textContent = "Correct.";
      reveal();
      done(box);
      return;
    }
    const wrong = inputs.some((i) => i.checked && !("right" in i.dataset));
    came.textContent = wrong ? "Not quite. Read why and choose again." : "Correct so far, but incomplete.";
    tell.hidden = false;
  });
  tell.addEventListener("click", () => {
    came.textContent = "";
    reveal();
    box.querySelector('[data-is="right"] .explained').scrollIntoView({ block: "nearest" });
    done(box);
  });
}

// prediction shows the answer after the reader has predicted the verdict of each model.
/** @param {HTMLElement} box */
function prediction(box) {
  const rows = [...box.querySelectorAll(".guess fieldset")];
  const button = /** @type {HTMLButtonElement} */ (box.querySelector("[data-reveal]"));
  const came = box.querySelector(".came");
  const covered = /** @type {HTMLDetailsElement[]} */ ([...box.querySelectorAll(".covered")]);
  /** @param {HTMLElement} row */
  const chosen = (row) => row.querySelector("input:checked")?.value;
  const verdicts = new Map(box.querySelector(".covered [data-verdicts]")?.dataset.verdicts.split(";").map((w) => /** @type {[string, string]} */ (w.split(" "))));
  for (const c of covered) c.hidden = true;
  box.addEventListener("change", (e) => {
    if (e.target.closest(".guess")) button.disabled = !rows.every(chosen);
  });
  button.addEventListener("click", () => {
    let right = 0;
    for (const row of rows) {
      const ok = chosen(row) === verdicts.get(row.dataset.column);
      right += Number(ok);
      row.dataset.is = ok ? "right" : "wrong";
      row.querySelector(".verdict-mark").textContent = ok ? "correct" : `wrong: it is ${verdicts.get(row.dataset.column)}`;
      for (const i of row.querySelectorAll("input")) i.disabled = true;
    }
    came.textContent = right === rows.length ? (right === 1 ? "Correct." : "All correct.") : `${right} of ${rows.length} correct.`;
    button.hidden = true;
    for (const c of covered) {
      c.hidden = false;
      c.open = true;
      c.querySelector("summary").hidden = true;
    }
    done(box);
  });
}

// exercise sends the reader's answer to the server for checking.
/** @param {HTMLElement} box */
function exercise(box) {
  const form = box.querySelector("form");
  const area = form.elements.text;
  const result = box.querySelector(".result");
  const check = form.querySelector("button.main");
  /** @type {Editor | null} */
  let editor = null;
  /** @type {AbortController | null} */
  let asking = null;

  const text = () => (editor ? editor.text() : area.value);
  let answered = result.childElementCount > 0 ? text() : null; // the text that the result is about
  const hide = hiding(() => [result], `Your text has changed. Press ${check.textContent.trim()} to see its result, or undo the edit.`);
  const mark = () => hide(answered !== null && text() !== answered);
  /** @param {string} text */
  const put = (text) => {
    if (editor) editor.setText(text);
    else area.value = text;
    mark();
  };
  const changed = () => {
    mark();
    drafts.changed();
  };
  // Drafts are stored by the exercise's content: another exercise with the same name must not get them.
  const drafts = drafting.mount({
    get: () => ({ text: text() }),
    set: (state) => put(state.text),
    name: () => /** @type {string} */ (box.getAttribute("aria-label")),
    bar: form.querySelector("[data-drafts]"),
    place: `exercise ${form.elements.lesson.value} ${box.id} ${form.dataset.digest}`,
    first: { text: area.defaultValue },
    over: "Start over",
  });
  area.addEventListener("input", changed);

  const open = async () => {
    area.removeEventListener("focus", open);
    const run = () => form.requestSubmit();
    if (form.dataset.language === "cat") {
      const { mountModel } = await import("./modelarea.js");
      editor = await mountModel(area, run, changed);
    } else {
      const { mountEditor } = await import("./livetest.js");
      editor = await mountEditor(area, run, { changed, checked() {} });
    }
    editor.focus();
  };
  area.addEventListener("focus", open);

  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    asking?.abort();
    const mine = (asking = new AbortController());
    const sent = text();
    check.disabled = true;
    result.setAttribute("aria-busy", "true");
    try {
      const r = await send(form.action, fields(form), mine.signal);
      result.innerHTML = await r.text();
    } catch (error) {
      if (mine.signal.aborted) return;
      const p = document.createElement("p");
      p.className = "problem";
      p.textContent = error.message;
      result.replaceChildren(p);
    } finally {
      check.disabled = false;
      result.removeAttribute("aria-busy");
    }
    answered = sent;
    mark();
    if (result.querySelector("[data-met]")) done(box);
    for (const test of result.querySelectorAll(".live-test")) live(test);
    for (const place of result.querySelectorAll("[data-line]")) {
      place.addEventListener("click", (e) => {
        e.preventDefault();
        if (editor) editor.goTo(Number(place.dataset.line), Number(place.dataset.col));
        else area.focus();
      });
    }
  });
  box.querySelector("[data-reset]").addEventListener("click", () => {
    result.replaceChildren();
    answered = null;
    put(form.dataset.start);
    drafts.changed();
    drafts.close();
  });
  // A link to an answer shows that answer, not the draft.
  drafts.resume(!new URLSearchParams(location.search).has("form"));
}

// live activates a test when the reader comes near it; an earlier press is not lost.
/** @param {HTMLElement} box */
function live(box) {
  /** @type {ReturnType<typeof import("./livetest.js").mount> | null} */
  let mounted = null;
  const wake = () => (mounted ??= import("./livetest.js").then((m) => m.mount(box, { say })));
  const watcher = new IntersectionObserver(
    ([e]) => {
      if (!e.isIntersecting) return;
      watcher.disconnect();
      if (box.querySelector("[data-late], .picture")) wake();
    },
    { rootMargin: "200px" },
  );
  watcher.observe(box);
  for (const type of ["pointerenter", "focusin"]) box.addEventListener(type, wake, { once: true });
  box.addEventListener("submit", async (e) => {
    if (e.target.matches(".exercise form")) return;
    const submitter = e.submitter;
    e.preventDefault();
    (await wake()).submit(submitter);
  });
  box.addEventListener("click", async (e) => {
    // The picture of an answer to an exercise is in no form.
    const cell = e.target.closest("button.v");
    if (cell && !cell.form) (await wake()).submit(cell);
    const unfold = e.target.closest("[data-unfold]");
    if (unfold) {
      unfold.closest(".outcomes").classList.remove("folded");
      unfold.remove();
    }
    if (e.target.closest("[data-edit]")) (await wake()).edit();
  });
}

// follow reloads the page when the lesson's file has changed.
function follow() {
  const every = 1500; // milliseconds between checks
  const version = lesson.dataset.version;
  setInterval(async () => {
    if (document.hidden) return;
    try {
      const r = await fetch(pathTo(`/learn/${lesson.dataset.slug}/version`));
      if (r.ok && (await r.text()) !== version) location.reload();
    } catch {
      // try again later
    }
  }, every);
}
