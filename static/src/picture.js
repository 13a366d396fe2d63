// The pane with the picture: of the cell that is chosen, and beside it, for comparison, the
// same outcome under another column.

import { pathTo } from "./base.js";
import * as execution from "./execution.js";
import { send } from "./send.js";

let panels = 0; // given a name so far, on the whole page

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
  let shown = null; // the pick on show
  let other = ""; // the column beside it
  let stepped = 0; // the way to the execution on show, whose button keeps the focus
  let tab = "graph";
  /** @type {Record<string, boolean>} */
  let relations = {}; // those that were switched on or off, by name
  /** @type {View["run"]} */
  let run = null; // where the run is, unless at its beginning
  /** @type {View["run"]} */
  let resume = null; // … and is to be, in the next picture
  let outdated = false; // what is in the pane says nothing of relations any more
  const boxes = () => [...pane.querySelectorAll(".picture")];

  /**
   * @param {Picked} pick
   * @param {AbortSignal} signal
   */
  const fetchOne = async (pick, signal) => {
    const body = new URLSearchParams(on.question());
    for (const [name, value] of Object.entries(pick)) body.set(name, value ?? "");
    const r = await send(pathTo(`${on.at ?? ""}/picture`), body, signal);
    const holder = document.createElement("template");
    holder.innerHTML = await r.text();
    return holder.content;
  };

  // show tells whether it has come to show it: another may have been asked for meanwhile.
  /** @param {Picked} pick */
  async function show(pick, wished = true) {
    asking?.abort();
    const mine = (asking = new AbortController());
    const before = sameCell(shown, pick) ? execution.drawingOf(boxes()[0])?.edges() : null;
    shown = pick;
    on.chosen(pick);
    pane.setAttribute("aria-busy", "true");
    const picks = [pick];
    if (other && other !== pick.column && on.columns().some((c) => c.column === other)) picks.push({ ...pick, column: other, flag: "" });
    remember();
    try {
      const parts = await Promise.all(picks.map((p) => fetchOne(p, mine.signal)));
      if (mine.signal.aborted) return false;
      pane.removeAttribute("aria-busy"); // first: what comes in is not dimmed
      pane.replaceChildren(...parts);
      pane.classList.toggle("two", parts.length > 1);
      await begin(mine.signal);
      const first = boxes()[0];
      shown = { ...pick, state: first.dataset.state || pick.state };
      if (before) execution.drawingOf(first)?.diff(before);
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

  // begin brings the pictures in the pane to life, and the run to where it is to be.
  /** @param {AbortSignal} signal */
  async function begin(signal) {
    run = null;
    on.steps?.(null); // those of the picture before
    const [player] = boxes().map(bring);
    on.steps?.(player);
    outdated = false;
    const first = boxes()[0];
    if ("counted" in first.dataset) count(first, signal);
    const at = resume;
    resume = null;
    if (at) await player?.walk(on.still ? null : at.path, at.step).catch((e) => on.say(e.message));
  }

  // count says how many executions the outcome has, and leads from one to the next.
  /**
   * @param {HTMLElement} box
   * @param {AbortSignal} signal
   */
  async function count(box, signal) {
    const body = new URLSearchParams(on.question());
    body.set("column", box.dataset.column);
    body.set("state", box.dataset.state);
    /** @type {ExecutionCount} */
    let found;
    /** @type {typeof import("./executions.js").ways} */
    let ways;
    try {
      found = await (await send(pathTo("/executions"), body, signal)).json();
      if (found.count < 2) return;
      ({ ways } = await import("./executions.js"));
    } catch {
      return; // the picture is there without it
    }
    if (!box.isConnected) return;
    const n = Number(box.dataset.n);
    const nav = ways(n, found, async (to) => {
      stepped = to - n;
      await show({ .../** @type {Picked} */ (shown), n: to });
    });
    box.querySelector(".tabs")?.after(nav);
    if (stepped) /** @type {HTMLElement} */ (stepped > 0 ? nav.lastElementChild : nav.firstElementChild).focus();
    stepped = 0;
  }

  // remember keeps what was switched on or off: it stays so from one picture to the next.
  function remember() {
    if (outdated) return;
    for (const box of boxes()) {
      const { show = [], hide = [] } = execution.drawingOf(box)?.shown() ?? {};
      for (const name of show) relations[name] = true;
      for (const name of hide) relations[name] = false;
    }
  }

  const switched = () => {
    /** @param {boolean} on */
    const names = (on) => Object.keys(relations).filter((name) => relations[name] === on).sort();
    return { show: names(true), hide: names(false) };
  };

  // bring brings a picture to life: its panels get tabs. It gives its run.
  /** @param {HTMLElement} box */
  function bring(box) {
    explained(box, box === boxes()[0] && !on.still ? document.getElementById("question") : null);
    tabs(box);
    head(box);
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
      shown: box === boxes()[0] ? on.stepped : undefined,
    });
    execution.drawingOf(box)?.setShown(switched());
    return player;
  }

  // explained fetches what ties the reasons to the model's text, which stands in the host, once somebody
  // asks for them.
  /**
   * @param {HTMLElement} box
   * @param {HTMLElement | null} host
   */
  function explained(box, host) {
    host?.querySelector(".modelpane")?.remove();
    const words = box.querySelector('[data-panel="why"]');
    /** @param {{ type: string, detail?: unknown }} e */
    const fetchIt = (e) => {
      if (e.type === "tab" && e.detail !== "why") return;
      box.removeEventListener("tab", fetchIt);
      words?.removeEventListener("pointerenter", fetchIt);
      import("./why.js").then(
        (why) => why.activate(box, { host, lightModel: on.lightModel }),
        () => box.addEventListener("tab", fetchIt), // without it one reads on
      );
    };
    box.addEventListener("tab", fetchIt);
    words?.addEventListener("pointerenter", fetchIt); // where it is in sight, a press would come too soon
  }

  // file is the drawing in a format that the server writes.
  async function file(/** @type {HTMLElement} */ box, /** @type {string} */ format, /** @type {Switched} */ { show, hide }) {
    const body = new URLSearchParams(on.question());
    for (const name of ["column", "state", "flag", "n"]) body.set(name, box.dataset[name] ?? "");
    body.set("format", format);
    for (const name of show) body.append("show", name);
    for (const name of hide) body.append("hide", name);
    const r = await send(pathTo(`${on.at ?? ""}/export`), body);
    if (!r.headers.get("Content-Disposition")) throw new Error("The drawing could not be saved.");
    return r.blob();
  }

  /** @param {HTMLElement} box */
  function tabs(box) {
    const all = [...box.querySelectorAll(".panel")];
    if (all.length === 0) return;
    const list = document.createElement("div");
    list.className = "tabs";
    list.setAttribute("role", "tablist");
    /** @param {string} name */
    const choose = (name, focus = false) => {
      on.changed();
      for (const p of all) {
        const here = p.dataset.panel === name;
        // Where there is room, the drawing stays beside what is said of it, or all are there.
        p.classList.toggle("aside", !here && p.dataset.panel === "graph");
        p.classList.toggle("off", !here && p.dataset.panel !== "graph");
        const b = list.querySelector(`[data-tab=${p.dataset.panel}]`);
        b.setAttribute("aria-selected", String(here));
        b.tabIndex = here ? 0 : -1;
        if (here && focus) b.focus();
      }
      box.dataset.tab = name;
      box.dispatchEvent(new CustomEvent("tab", { detail: name }));
    };
    all.forEach((p, i) => {
      const b = document.createElement("button");
      const id = `panel-${++panels}`;
      const heading = p.querySelector("h3");
      b.type = "button";
      b.textContent = heading.textContent;
      heading.classList.add("heard");
      b.dataset.tab = p.dataset.panel;
      b.id = `${id}-tab`;
      p.id = id;
      b.setAttribute("role", "tab");
      b.setAttribute("aria-controls", id);
      p.setAttribute("role", "tabpanel");
      p.setAttribute("aria-labelledby", b.id);
      b.addEventListener("click", () => choose((tab = p.dataset.panel)));
      // Where all are there, it is the one that somebody turns to.
      for (const turn of ["pointerdown", "focusin"]) {
        p.addEventListener(turn, () => {
          if (p.dataset.panel === "graph" || box.dataset.tab === p.dataset.panel || list.checkVisibility()) return;
          choose((tab = p.dataset.panel));
        });
      }
      b.addEventListener("keydown", (e) => {
        const to = /** @type {Record<string, number | undefined>} */ ({ ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: all.length - 1 })[e.key];
        if (to === undefined || !all[to]) return;
        e.preventDefault();
        e.stopPropagation();
        choose((tab = all[to].dataset.panel), true);
      });
      list.append(b);
    });
    const bar = document.createElement("div");
    bar.className = "tab-bar";
    bar.append(list);
    box.querySelector("h2").after(bar);
    choose(all.some((p) => p.dataset.panel === tab) ? tab : all[0].dataset.panel);
  }

  // head lets a second picture stand beside the first.
  /** @param {HTMLElement} box */
  function head(box) {
    if (on.still || box !== boxes()[0]) return;
    const label = document.createElement("label");
    label.className = "beside";
    label.textContent = "beside ";
    const select = document.createElement("select");
    select.append(new Option("nothing", ""));
    for (const { column, label } of on.columns()) {
      if (column !== shown?.column) select.append(new Option(label, column, false, column === other));
    }
    select.addEventListener("change", () => beside(select.value));
    label.append(select);
    (box.querySelector(".tab-bar") ?? box.querySelector("h2")).append(label);
  }

  pane.addEventListener("change", (e) => {
    if (e.target.dataset.relation) on.changed();
  });

  // beside puts another column next to the one that is shown, for an outcome that tells them
  // apart where there is one.
  /** @param {string} column */
  function beside(column) {
    other = column;
    if (!shown) return;
    const apart = column && /** @type {Required<PictureHooks>} */ (on).apart(shown.column, column, shown.state);
    if (column && apart === null) on.say("They agree on every outcome that is listed.");
    show(apart ? { column: shown.column, state: apart } : shown);
  }

  // goTo shows what a visitor has tapped on, and goes there where the page has one column.
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
      return { pick: shown && { column, state, flag, n: Number(n) }, beside: other, tab, relations: switched(), run };
    },
    /**
     * restore has the next picture shown as such a state says, but for its pick.
     * @param {View} view
     */
    restore(view) {
      [other, tab, resume] = [view.beside, view.tab, view.run];
      [relations, outdated] = [{}, true];
      for (const name of view.relations.show) relations[name] = true;
      for (const name of view.relations.hide) relations[name] = false;
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
