// The pane with the picture of the chosen cell and, for comparison, of the same outcome under another model.

import { pathTo } from "./base.js";
import * as execution from "./execution.js";
import { countFields, pictureFields } from "./picturefields.js";
import { tabs } from "./picturetabs.js";
import { send } from "./send.js";
import { Switches } from "./switches.js";

/**
 * @param {Picked | null} a
 * @param {Picked} b
 */
const sameCell = (a, b) => a && a.column === b.column && a.state === b.state && !a.flag && !b.flag;

/**
 * mount takes care of the pane with the picture.
 * @param {HTMLElement} pane
 * @param {PictureHooks} on what the page wants to know or has:
 *   question(): the form as it was asked; columns(): [{column, label}] of the answer;
 *   light(keys): light instructions in the editor; chosen(pick): a picture is to be shown;
 *   changed(): state() may be another now; say(text): to those who listen; still: that only
 *   the picture may change, neither what is beside it nor the steps of its run; walks: but these all the same;
 *   at: where pictures are to be had, unless at the root; stepped(state): see shown of steps.activate;
 *   steps(run): the run that has come, if the picture has one
 */
export function mount(pane, on) {
  /** @type {AbortController | null} */
  let asking = null;
  /** @type {Picked | null} */
  let shown = null; // the pick of the picture
  let other = ""; // the column to compare with
  let stepped = 0; // the step to the current execution, whose button keeps the focus
  let tab = "graph";
  const relations = new Switches();
  /** @type {View["run"]} */
  let run = null; // the position in the run, null at the start
  /** @type {View["run"]} */
  let resume = null; // the position to restore in the next picture
  let outdated = false; // the choice of relations is no longer that of the pane
  const boxes = () => [...pane.querySelectorAll(".picture")];

  /**
   * second is the column beside a picture, if the answer has it.
   * @param {Picked} pick
   */
  const second = (pick) => (other !== pick.column && on.columns().some((c) => c.column === other) ? other : "");

  // show returns whether the picture was shown; a newer request may have replaced it.
  /** @param {Picked} pick */
  async function show(pick, wished = true) {
    asking?.abort();
    const mine = (asking = new AbortController());
    const before = sameCell(shown, pick) ? execution.drawingOf(boxes()[0])?.edges() : null;
    shown = pick;
    on.chosen(pick);
    pane.setAttribute("aria-busy", "true");
    remember();
    try {
      const part = await fetchPicture(`${on.at ?? ""}/picture`, pictureFields(on.question(), pick, second(pick)), mine.signal);
      if (mine.signal.aborted) return false;
      pane.removeAttribute("aria-busy"); // first, so that new content is not dimmed
      pane.replaceChildren(part);
      pane.classList.toggle("two", boxes().length > 1);
      await begin(mine.signal);
      const first = boxes()[0];
      shown = { ...pick, state: first.dataset.state || pick.state };
      if (before && boxes().length < 2) execution.drawingOf(first)?.diff(before);
      on.changed();
      if (wished) on.say(boxes().map((b) => b.getAttribute("aria-label")).join(". "));
      return true;
    } catch (e) {
      if (mine.signal.aborted) return false;
      const p = document.createElement("p");
      p.className = "problem";
      p.textContent = e.message;
      pane.replaceChildren(p);
      on.say(e.message);
      return true;
    } finally {
      if (asking === mine) pane.removeAttribute("aria-busy");
    }
  }

  // begin activates the pictures in the pane and restores the position in the run.
  /** @param {AbortSignal} signal */
  async function begin(signal) {
    run = null;
    on.steps?.(null); // clear the steps of the previous picture
    const [player] = boxes().map(bring);
    on.steps?.(player);
    outdated = false;
    const first = boxes()[0];
    if ("counted" in first.dataset) count(first, signal);
    const at = resume;
    resume = null;
    if (at) await player?.walk(on.still ? null : at.path, at.step).catch((e) => on.say(e.message));
  }

  /**
   * count leads from one execution of the outcome to the next, if it has several.
   * @param {HTMLElement} box
   * @param {AbortSignal} signal
   */
  async function count(box, signal) {
    const n = Number(box.dataset.n);
    const nav = await waysFrom(n, countFields(on.question(), box.dataset), signal, async (to) => {
      stepped = to - n;
      await show({ .../** @type {Picked} */ (shown), n: to });
    });
    if (!nav || !box.isConnected) return;
    box.querySelector(".tabs")?.after(nav);
    if (stepped) /** @type {HTMLElement} */ (stepped > 0 ? nav.lastElementChild : nav.firstElementChild).focus();
    stepped = 0;
  }

  // remember stores the choice of relations for the next picture.
  function remember() {
    if (outdated) return;
    for (const box of boxes()) relations.remember(execution.drawingOf(box)?.shown() ?? {});
  }

  // bring activates a picture and returns its run.
  /** @param {HTMLElement} box */
  function bring(box) {
    const first = box === boxes()[0];
    explain(box, first && !on.still ? document.getElementById("question") : null, on.lightModel);
    tabs(box, tab, { turned: (name) => (tab = name), changed: () => on.changed() });
    if (first && !on.still) head(box);
    const player = execution.activate(box, on.light, {
      question: on.still && !on.walks ? undefined : on.question,
      onStep: ({ key, step, path }) => {
        on.light(new Set(key ? [key] : []));
        if (box !== boxes()[0]) return;
        run = path === null && step === 0 ? null : { path, step };
        on.changed();
      },
      file: (format, shown) => file(box, format, shown),
      say: on.say,
      shown: first ? on.stepped : undefined,
    });
    execution.drawingOf(box)?.setShown(relations.names());
    return player;
  }

  /**
   * file is the drawing in a format that the server writes.
   * @param {HTMLElement} box
   * @param {string} format
   * @param {Switched} switched
   */
  async function file(box, format, switched) {
    const { drawingFile } = await import("./exportdrawing.js");
    return drawingFile(pathTo(`${on.at ?? ""}/export`), on.question(), box.dataset, format, switched);
  }

  /**
   * head lets a second picture stand beside the first.
   * @param {HTMLElement} box
   */
  function head(box) {
    const columns = on.columns().filter(({ column }) => column !== shown?.column);
    (pane.querySelector(".compared") ?? box.querySelector(".tab-bar") ?? box.querySelector("h2")).append(besideMenu(columns, other, beside));
  }

  pane.addEventListener("change", (e) => {
    if (e.target.dataset.relation) on.changed();
  });

  // beside shows another column next to the current one, for an outcome on which they differ if there is one.
  /** @param {string} column */
  function beside(column) {
    other = column;
    if (!shown) return;
    const apart = column && /** @type {Required<PictureHooks>} */ (on).apart(shown.column, column, shown.state);
    if (column && apart === null) on.say("They agree on every listed outcome.");
    show(apart ? { column: shown.column, state: apart } : shown);
  }

  // goTo shows a picture that the visitor has tapped and, in a narrow window, scrolls there.
  /** @param {Picked} pick */
  async function goTo(pick) {
    if ((await show(pick)) && !matchMedia("(width >= 900px) and (height >= 480px)").matches) pane.scrollIntoView();
  }

  return {
    show,
    goTo,
    beside,
    stop: () => asking?.abort(),
    clear() {
      shown = null;
      pane.replaceChildren();
    },
    /** forget lets the next answer choose what is shown. */
    forget: () => {
      shown = null;
    },
    /**
     * again is the pick on show, if an answer still has it.
     * @param {{ columns(): { column: string }[], states(): string[] }} answers
     */
    again(answers) {
      if (!shown || shown.flag || !answers.columns().some((c) => c.column === shown?.column)) return null;
      return answers.states().includes(shown.state) ? shown : null;
    },
    /** @param {string | string[] | null} key */
    lightCell: (key) => {
      for (const box of boxes()) execution.lightCell(box, key);
    },
    /**
     * state is what links remember.
     * @returns {View}
     */
    state() {
      remember();
      const { column = "", state = "", flag = "", n = 1 } = shown ?? {};
      return { pick: shown && { column, state, flag, n: Number(n) }, beside: other, tab, relations: relations.names(), run };
    },
    /**
     * restore has the next picture shown as such a state says, but for its pick.
     * @param {View} view
     */
    restore(view) {
      [other, tab, resume] = [view.beside, view.tab, view.run];
      outdated = true;
      relations.restore(view.relations);
    },
    /** adopt takes over the picture that the server has put in the pane. */
    async adopt() {
      const first = boxes()[0];
      if (!first) return;
      const { column, state, flag, n } = first.dataset;
      const pick = /** @type {Picked} */ (/** @type {unknown} */ ({ column, state, flag, n }));
      if (other) {
        await show(pick, false);
        return;
      }
      shown = pick;
      on.chosen(pick);
      asking = new AbortController();
      await begin(asking.signal);
    },
  };
}

/**
 * fetchPicture gets a picture as the server renders it.
 * @param {string} at
 * @param {URLSearchParams} body
 * @param {AbortSignal} signal
 */
async function fetchPicture(at, body, signal) {
  const r = await send(pathTo(at), body, signal);
  const holder = document.createElement("template");
  holder.innerHTML = await r.text();
  return holder.content;
}

/**
 * waysFrom are the buttons that lead from an outcome's n-th execution to others; null where there are none, or they
 * cannot be had: the picture is there without them.
 * @param {number} n
 * @param {URLSearchParams} body
 * @param {AbortSignal} signal
 * @param {(to: number) => Promise<void>} go
 */
async function waysFrom(n, body, signal, go) {
  try {
    /** @type {ExecutionCount} */
    const found = await (await send(pathTo("/executions"), body, signal)).json();
    if (found.count < 2) return null;
    const { ways } = await import("./executions.js");
    return ways(n, found, go);
  } catch {
    return null;
  }
}

/**
 * besideMenu is a list of columns, one of which can stand beside the first.
 * @param {{ column: string, label: string }[]} columns
 * @param {string} other the one that does; "" for none
 * @param {(column: string) => unknown} beside
 */
function besideMenu(columns, other, beside) {
  const label = document.createElement("label");
  label.className = "beside";
  label.textContent = "beside ";
  const select = document.createElement("select");
  select.append(new Option("nothing", ""), ...columns.map(({ column, label }) => new Option(label, column, false, column === other)));
  select.addEventListener("change", () => beside(select.value));
  label.append(select);
  return label;
}

/**
 * explain fetches what ties the reasons to the model's text, which stands in the host, once somebody
 * asks for them.
 * @param {HTMLElement} box
 * @param {HTMLElement | null} host
 * @param {PictureHooks["lightModel"]} lightModel
 */
function explain(box, host, lightModel) {
  host?.querySelector(".modelpane")?.remove();
  const words = box.querySelector('[data-panel="why"]');
  /** @param {{ type: string, detail?: unknown }} e */
  const fetchIt = (e) => {
    if (e.type === "tab" && e.detail !== "why") return;
    box.removeEventListener("tab", fetchIt);
    words?.removeEventListener("pointerenter", fetchIt);
    import("./why.js").then(
      (why) => why.activate(box, { host, lightModel }),
      () => box.addEventListener("tab", fetchIt), // the text is readable without it
    );
  };
  box.addEventListener("tab", fetchIt);
  words?.addEventListener("pointerenter", fetchIt); // if the panel is visible, waiting for a press would be too late
}
