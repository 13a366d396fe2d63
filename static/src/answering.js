// Sends a page's question, and inserts the answer and its picture as they arrive.

import { lines, send } from "./send.js";
import * as waiting from "./waiting.js";

/**
 * mount asks questions of a form.
 * @param {HTMLFormElement} form whose action is where questions go
 * @param {BenchPage} page
 * @param {AnsweringHooks} on
 */
export function mount(form, page, { result, pane, asked, pictures, begin, came, ended, tell, say, shown }) {
  /** @type {Picked | null} */
  let answering = null; // the pick of the outcome that answers the question
  let chosen = false; // the visitor has chosen a picture since the run started

  /**
   * run sends the form's question.
   * @param {Picked | null} wished the picture to show instead of the default
   */
  async function run(wished = null) {
    pictures().stop();
    const mine = begin();
    const { signal } = mine.abort;
    chosen = false;
    const wait = waiting.begin(result, {
      what: `${form.elements.engine.value} under ${mine.fields.getAll("model").length || "the usual"} models`,
      cancel: () => mine.abort.abort(),
    });
    /** @type {typeof import("./parts.js") | null} */
    let parts = null; // set when the answer comes in parts
    try {
      const r = await send(form.getAttribute("action") ?? "", mine.fields, signal);
      if (r.headers.get("Content-Type") === lines) parts = await import("./parts.js");
      for await (const { part, last, problem } of parts ? parts.read(r) : [whole(await r.text())]) {
        if (mine !== asked.running) return;
        if (problem) throw new Error(problem);
        asked.answered = mine;
        came();
        const restore = parts?.keep(result);
        result.removeAttribute("aria-busy"); // first, so that new content is not dimmed
        answering = page.show(part);
        if (parts) wait.came();
        restore?.();
        choose(wished, last);
      }
    } catch (e) {
      if (!signal.aborted) {
        asked.answered = mine; // an edit makes the error as old as it makes an answer
        came();
        fail(e);
      }
      else if (mine === asked.running) cancelled(wished, parts !== null);
    } finally {
      wait.end();
      if (asked.running === mine) asked.running = null;
    }
  }

  /**
   * choose shows a picture for the part of the answer that has arrived.
   * @param {Picked | null} wished
   * @param {boolean | undefined} last
   */
  function choose(wished, last) {
    if (last) {
      ended();
      say(result.querySelector("[data-summary]")?.dataset.summary ?? "");
    }
    if (chosen) {
      page.pictures.chosen(/** @type {Picked} */ (pictures().state().pick));
      return;
    }
    const pick = page.pick(answering, wished, last);
    if (!pick && !last) {
      pane.setAttribute("aria-busy", "true"); // the picture is from an earlier run
      return;
    }
    if (!pick) clear();
    Promise.resolve(!pick || pictures().show(pick, page.wishes)).then(shown);
  }

  /**
   * cancelled says that the visitor has cancelled a run, and shows a picture for the part that has arrived.
   * @param {Picked | null} wished
   * @param {boolean} inParts
   */
  function cancelled(wished, inParts) {
    tell(inParts ? "Cancelled." : "Cancelled. This is an earlier answer.");
    if (inParts) choose(wished, true);
  }

  function clear() {
    pane.removeAttribute("aria-busy");
    pictures().clear();
    page.placed?.();
  }

  /** @param {Error} error */
  function fail(error) {
    page.show("");
    const p = document.createElement("p");
    p.className = "problem";
    p.textContent = error.message;
    result.replaceChildren(p);
    clear();
    say(error.message);
  }

  return {
    run,
    fail,
    /** @param {Picked} pick */
    chosen(pick) {
      chosen = true;
      page.pictures.chosen(pick);
    },
    answering: () => answering,
  };
}

/**
 * whole parses an answer that does not come in parts.
 * @param {string} part
 * @returns {AnswerPart}
 */
const whole = (part) => ({ part, last: true });
