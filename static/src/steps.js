// The run of an outcome, step by step: the events so far in the drawing, and the threads, registers, store buffers and
// memory after each step. If a machine takes the steps, the reader can choose other steps at any point.

import { pathTo } from "./base.js";
import { send } from "./send.js";

/** @type {Happened} */
const whole = { events: [], done: new Set(), waiting: new Set(), now: new Set() }; // no run
/** @typedef {{ events: number[], done: Set<number>, waiting: Set<number>, now: Set<number> }} Happened what has happened, by events */

const pace = 1200; // milliseconds per step when playing
const patience = 120; // milliseconds before the page asks about a step that stays

/**
 * activate brings a freshly inserted run, if there is one, to life. Whoever comes to the tab of the
 * steps sees them from the beginning; in the other tabs, and where there are none, the drawing shows everything.
 * @param {HTMLElement} box the section that the server rendered, drawing and run
 * @param {RunHooks} hooks what the page does:
 *   question(): URLSearchParams, the form as it was asked; send(url, body, signal): Response;
 *   onStep({done, waiting, now, key, next, step, path, end}), after each step that is shown: IDs
 *   of events, keys "thread:source" of the instruction of the step and of those to come.
 *   Without a question no other steps can be chosen.
 *   shown(state): with stepped, whenever something has changed: {frames, frame, at, last, playing, away, done, waiting}; once
 *   a step has been taken, the drawing keeps to the steps, whatever tab is chosen, until leave().
 * @returns {Run | null} where the run is and how to put it elsewhere, or do what a button (data-go) does: the path is null
 *   on the run as drawn
 */
export function activate(box, hooks = {}) {
  const view = box.querySelector(".player");
  if (!view) return null;
  /** @type {RecordedRun} */
  const run = JSON.parse(view.querySelector("script").textContent);
  const drawn = run.frames;
  const live = Boolean(run.machine && hooks.question);
  const all = box.querySelector(".run details.all");
  const list = [...box.querySelectorAll(".run .steps li")];
  const slider = view.querySelector("input[type=range]");
  const play = view.querySelector("[data-go=play]");
  const outcomes = live ? forecast(view, ask) : null;
  let frames = drawn;
  let left = 0; // the first step that differs from the drawn execution; 0: none
  let at = "tab" in box.dataset ? 0 : drawn.length - 1;
  /** @type {number | null} */
  let timer = null;
  /** @type {AbortController | null} */
  let asking = null; // the AbortController of the running request
  if (all) all.open = false;

  const away = () => "tab" in box.dataset && box.dataset.tab !== "steps" && !("stepping" in box.dataset);
  /** @param {Happened} info */
  const tell = (info) => hooks.shown?.({ ...info, frames, frame: frames[at], at, last: last(), playing: timer !== null, away: away() });
  const come = () => show(at, true);
  const last = () => frames.length - 1;
  const path = (step = at) => frames.slice(1, step + 1).map((f) => f.choice).join(",");

  // ask sends the steps of a path to the server.
  /**
   * @param {string} steps
   * @param {AbortSignal} signal
   * @returns {Promise<WalkedPath>}
   */
  async function ask(steps, signal, execution = true) {
    const body = new URLSearchParams(/** @type {Required<RunHooks>} */ (hooks).question());
    body.set("path", steps);
    body.set("column", box.dataset.column);
    if (execution) for (const name of ["state", "flag", "n"]) body.set(name, box.dataset[name] ?? "");
    const r = await send(pathTo("/walk"), body, signal);
    return r.json();
  }

  /** @param {number} step */
  const show = (step, quiet = false) => {
    if (!quiet && hooks.shown) box.dataset.stepping = "";
    at = Math.min(Math.max(step, 0), last());
    const frame = frames[at];
    slider.max = String(last());
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", `${at} of ${last()}`);
    view.querySelector(".did").textContent = sentence(view, run, frames, at);
    for (const b of view.querySelectorAll(".keys [data-go]")) {
      const still = /** @type {Record<string, boolean | undefined>} */ ({ start: at === 0, back: at === 0, forward: at === last(), end: at === last() })[b.dataset.go];
      b.setAttribute("aria-disabled", String(Boolean(still)));
    }
    const own = frames !== drawn;
    view.querySelector(".own").hidden = !own;
    view.querySelector(".own span").textContent =
      left > 0 && left <= at ? "Your run differs from the drawn execution." : "Your own run.";
    list.forEach((li, i) => {
      if (!own && i === at - 1) li.setAttribute("aria-current", "step");
      else li.removeAttribute("aria-current");
    });
    const info = events(run, frames, at, left);
    tell(info);
    paint(box, away() ? whole : quiet ? { ...info, now: new Set() } : info);
    showState(view, frame, own);
    if (live) {
      showChoices(view, run, frame, choose);
      outcomes?.show(path());
    }
    if (!quiet) hooks.onStep?.({ ...info, step: at, path: own ? path(last()) : null, end: at === last() });
  };

  const stop = () => {
    clearInterval(/** @type {number} */ (timer));
    timer = null;
    view.classList.remove("playing");
    label(play, "Play");
    tell(events(run, frames, at, left));
  };
  const start = () => {
    show(at === last() ? 0 : at + 1);
    timer = setInterval(() => {
      if (view.isConnected && at < last()) show(at + 1);
      if (!view.isConnected || at === last()) stop();
    }, pace);
    view.classList.add("playing");
    label(play, "Pause");
  };
  /** @type {Record<string, () => void>} */
  const go = {
    start: () => show(0),
    back: () => show(at - 1),
    forward: () => show(at + 1),
    end: () => show(last()),
    drawn: () => {
      [frames, left] = [drawn, 0];
      show(last());
      view.focus();
    },
  };
  // A step by the reader stops the playback.
  /** @param {() => void} step */
  const take = (step) => {
    stop();
    asking?.abort();
    step();
  };
  /** @param {string} action */
  const act = (action) => (action === "play" ? (timer ? stop : start)() : take(go[action]));

  // walk shows the run along a path, or the drawn run.
  /**
   * @param {string | null} steps
   * @param {number} [step]
   */
  async function walk(steps, step) {
    asking?.abort();
    if (steps === null) {
      [frames, left] = [drawn, 0];
      show(/** @type {number} */ (step));
      return;
    }
    const mine = (asking = new AbortController());
    const found = await ask(steps, mine.signal);
    if (mine.signal.aborted) return;
    outcomes?.learn(steps, found.reachable);
    [frames, left] = [found.frames, found.left ?? 0];
    show(step ?? last());
  }

  // choose takes a step that the reader has chosen; the run continues from there.
  /** @param {Choice} choice */
  async function choose(choice) {
    stop();
    if (frames[at + 1]?.choice === choice.step) {
      show(at + 1);
    } else {
      try {
        await walk([path(), choice.step].filter(Boolean).join(","));
      } catch (e) {
        if (e.name !== "AbortError") view.querySelector(".did").textContent = e.message;
        return;
      }
    }
    // The pressed button was removed.
    if (!view.contains(document.activeElement) || document.activeElement === document.body) {
      (view.querySelector(`.choices [data-thread="${choice.thread}"]`) ?? view.querySelector(".choices button") ?? view).focus();
    }
  }

  view.addEventListener("click", (e) => {
    const action = e.target.closest("[data-go]")?.dataset.go;
    if (action) act(action);
  });
  view.addEventListener("keydown", (e) => {
    const action = /** @type {Record<string, string | undefined>} */ ({ ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end" })[e.key];
    if (!action || e.target === slider || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    take(go[action]);
  });
  slider.addEventListener("input", () => take(() => show(Number(slider.value))));
  list.forEach((li, i) =>
    li.addEventListener("click", () =>
      take(() => {
        [frames, left] = [drawn, 0];
        show(i + 1);
      }),
    ),
  );
  if (live) view.querySelector(".ahead").hidden = false;
  box.addEventListener("tab", come);
  come();
  return {
    threads: run.threads,
    path: () => (frames === drawn ? null : path(last())),
    step: () => at,
    go: (step) => take(() => show(step)),
    act,
    leave() {
      take(go.start);
      delete box.dataset.stepping;
      come();
    },
    walk,
  };
}

/**
 * @param {HTMLElement} button
 * @param {string} text
 */
function label(button, text) {
  button.setAttribute("aria-label", text);
  button.title = text;
}

// sentence returns the description of a step, also for screen readers.
/**
 * @param {HTMLElement} view
 * @param {RecordedRun} run
 * @param {Frame[]} frames
 * @param {number} at
 */
function sentence(view, run, frames, at) {
  const frame = frames[at];
  if (at === 0) return "Before the first step.";
  const where = [
    `Step ${at} of ${frames.length - 1}`,
    frame.round && `round ${frame.round}`,
    frame.clock !== undefined && `clock ${frame.clock}`,
  ];
  const text = frame.text ?? (frame.source >= 0 ? view.querySelector(`[data-key="${frame.thread}:${frame.source}"]`)?.textContent : "");
  const blocked = frame.threads.map((t) => t.blocked).filter(Boolean);
  return [
    `${where.filter(Boolean).join(", ")}. ${run.threads[frame.thread]}: ${text ? `${text} – ` : ""}${frame.did}.`,
    frame.note && `${frame.note}.`,
    ...blocked.map((b) => `${b}.`),
  ]
    .filter(Boolean)
    .join(" ");
}

// events marks the drawing: what has happened, what not all threads see yet, and the current step. For a run that
// differs from the execution, nothing more is known.
/**
 * @param {RecordedRun} run
 * @param {Frame[]} frames
 * @param {number} at
 * @param {number} left
 */
function events(run, frames, at, left) {
  const upTo = left > 0 ? Math.min(at, left - 1) : at;
  /** @type {Set<number>} */
  const done = new Set();
  for (const f of frames.slice(1, upTo + 1)) for (const id of f.events ?? []) done.add(id);
  const frame = frames[at];
  return {
    events: run.events,
    done,
    waiting: new Set(frame.waiting), // flushed writes no longer wait
    now: new Set(upTo === at ? frame.events : []),
    key: frame.source >= 0 ? `${frame.thread}:${frame.source}` : null,
    next: frame.threads.flatMap((t, i) => (t.next >= 0 ? [`${i}:${t.next}`] : [])),
  };
}

/**
 * paint marks in a drawing what a run has not reached, what waits, and what the step at
 * hand touches.
 * @param {HTMLElement} box what holds the drawing
 * @param {{events: number[], done: Set<number>, waiting: Set<number>, now: Set<number>}} info
 */
export function paint(box, { events: own, done, waiting, now }) {
  const todo = new Set(own.filter((id) => !done.has(id)));
  for (const svg of box.querySelectorAll(".drawing > svg")) svg.classList.toggle("run", todo.size > 0);
  for (const g of box.querySelectorAll(".drawing [data-event]")) {
    const ids = g.dataset.event.split(" ").map(Number); // several for folded events
    g.classList.toggle("todo", ids.every((id) => todo.has(id)));
    g.classList.toggle("waiting", ids.some((id) => waiting.has(id)));
    g.classList.toggle("now", ids.some((id) => now.has(id)));
  }
  for (const g of box.querySelectorAll(".drawing [data-from]")) {
    g.classList.toggle("todo", todo.has(Number(g.dataset.from)) || todo.has(Number(g.dataset.to)));
  }
}

/**
 * @param {HTMLElement} view
 * @param {Frame} frame
 * @param {boolean} own
 */
function showState(view, frame, own) {
  view.querySelectorAll(".threads > div").forEach((column, t) => {
    const thread = frame.threads[t];
    for (const li of column.querySelectorAll(".code li")) {
      const { key } = li.dataset;
      const now = t === frame.thread && key === `${t}:${frame.source}`;
      li.classList.toggle("now", now);
      li.classList.toggle("at", key === `${t}:${thread.next}`);
      if (now) li.setAttribute("aria-current", "step");
      else li.removeAttribute("aria-current");
      if (now) inSight(li);
    }
    fill(column.querySelector(".regs"), thread.regs);
    fill(column.querySelector(".view"), thread.view);
    fill(column.querySelector(".bounds"), thread.bounds);
    column.querySelector(".buffer")?.replaceChildren(...(thread.buffer ?? []).map(entry));
    column.querySelector(".blocked").textContent = thread.blocked ?? "";
  });
  fill(view.querySelector(".memory"), frame.memory);
  view.querySelector(".messages")?.replaceChildren(...(frame.messages ?? []).map((m, i) => message(m, i + 1, view)));
  const lists = view.querySelector(".lists");
  lists?.classList.toggle("off", own || !frame.lists);
  fill(lists, []);
  view.querySelectorAll(".lists > div").forEach((list, i) => {
    const chain = element("ol", "chain");
    chain.append(...(frame.lists?.[i]?.nodes ?? []).map(node));
    list.querySelector("dd").replaceChildren(chain);
  });
}

// inSight scrolls a thread's code without scrolling the page.
/** @param {HTMLElement} li */
function inSight(li) {
  const code = /** @type {HTMLElement} */ (li.parentElement);
  const [top, bottom] = [li.offsetTop - code.offsetTop, li.offsetTop - code.offsetTop + li.offsetHeight];
  if (top < code.scrollTop) code.scrollTop = top;
  else if (bottom > code.scrollTop + code.clientHeight) code.scrollTop = bottom - code.clientHeight;
}

// fill writes values into cells, in the order of the names.
/**
 * @param {HTMLElement | null} dl
 * @param {Cell[]} [cells]
 */
function fill(dl, cells) {
  dl?.querySelectorAll(":scope > div").forEach((cell, i) => {
    const now = cells?.[i];
    cell.querySelector("dd").textContent = now?.value ?? "";
    cell.classList.toggle("now", Boolean(now?.new));
  });
}

// showChoices lists the possible next steps, instructions before flushes.
/**
 * @param {HTMLElement} view
 * @param {RecordedRun} run
 * @param {Frame} frame
 * @param {(choice: Choice) => unknown} choose
 */
function showChoices(view, run, frame, choose) {
  const box = view.querySelector(".choices");
  const focused = box.querySelector(":focus")?.dataset.step ?? null;
  /** @type {HTMLElement[]} */
  const buttons = [...(frame.choices ?? [])]
    .sort((a, b) => Number(Boolean(a.flush)) - Number(Boolean(b.flush)))
    .map((c) => {
      const b = element("button", c.flush ? "flush" : "");
      b.type = "button";
      b.dataset.step = c.step;
      b.dataset.thread = /** @type {string} */ (/** @type {unknown} */ (c.thread));
      b.append(element("b", "", c.flush ? c.text : run.threads[c.thread]), c.flush ? ` of ${run.threads[c.thread]}` : ` ${c.text}`);
      b.addEventListener("click", () => choose(c));
      return b;
    });
  if (buttons.length === 0) buttons.push(element("p", "hint", "All threads have ended."));
  box.replaceChildren(...buttons);
  if (focused) box.querySelector(`[data-step="${CSS.escape(focused)}"]`)?.focus();
}

// forecast tracks which outcomes can still be reached from the visited states.
/**
 * @param {HTMLElement} view
 * @param {(path: string, signal: AbortSignal, execution: boolean) => Promise<WalkedPath>} ask
 */
function forecast(view, ask) {
  const box = view.querySelector(".reachable");
  /** @type {Map<string, Reachable>} */
  const known = new Map(); // results by path
  /** @type {Map<string, Reached>} */
  const listed = new Map(); // all known outcomes, by state as text
  let shown = /** @type {string} */ (/** @type {unknown} */ (null));
  /** @type {number | null} */
  let timer = null;
  /** @type {AbortController | null} */
  let asking = null;

  /**
   * @param {string} path
   * @param {Reachable} reachable
   */
  const learn = (path, reachable) => {
    known.set(path, reachable);
    for (const o of reachable.outcomes) listed.set(JSON.stringify(o.state), o);
  };
  const render = () => {
    const now = /** @type {Reachable} */ (known.get(shown));
    box.hidden = !now || !known.has("");
    if (box.hidden) return;
    const here = new Set(now.outcomes.map((o) => JSON.stringify(o.state)));
    const rows = [...listed]
      .sort(([, a], [, b]) => Number(b.satisfies) - Number(a.satisfies))
      .map(([key, o]) => outcome(o, here.has(key) ? "yes" : now.complete ? "no" : "unknown"));
    box.querySelector("h4").textContent = now.complete
      ? `Still reachable: ${here.size} of ${listed.size}`
      : `Still reachable: at least ${here.size}`;
    box.title = now.why ?? "";
    box.querySelector("ul").replaceChildren(...rows);
  };
  const look = async () => {
    asking?.abort();
    const mine = (asking = new AbortController());
    try {
      for (const path of ["", shown]) {
        if (known.has(path)) continue;
        const found = await ask(path, mine.signal, false);
        if (mine.signal.aborted) return;
        learn(path, found.reachable);
      }
      render();
    } catch {
      // The next step asks again; nothing else depends on this.
    }
  };
  return {
    learn,
    /** @param {string} path */
    show(path) {
      shown = path;
      clearTimeout(/** @type {number} */ (timer));
      if (known.has(path) && known.has("")) render();
      else timer = setTimeout(look, known.size > 0 ? 0 : patience);
    },
  };
}

const marks = { yes: "✓", no: "✗", unknown: "?" };
const words = { yes: "reachable", no: "no longer reachable", unknown: "unknown" };

/**
 * @param {Reached} o
 * @param {keyof typeof marks} reach
 */
function outcome(o, reach) {
  const li = element("li", [reach, o.satisfies && "asked"].filter(Boolean).join(" "));
  const text = Object.entries(o.state).map(([name, value]) => `${name}=${value}`).join(" ");
  const mark = element("span", "", marks[reach]);
  mark.setAttribute("aria-hidden", "true");
  li.append(mark, element("code", "", text), element("span", "heard", `: ${words[reach]}${o.satisfies ? ", asked for" : ""}`));
  li.title = words[reach] + (o.satisfies ? "; the test asks for it" : "");
  return li;
}

function entry(/** @type {Cell} */ { name, value, until }) {
  const li = element("li", "pending", `${name}=${value}`);
  if (until !== undefined) {
    li.append(element("small", "", `@${until}`));
    li.title = `reaches memory at ${until}`;
  }
  return li;
}

/**
 * message returns an entry of the memory of messages.
 * @param {Message} m
 * @param {number} number
 * @param {HTMLElement} view
 */
function message(m, number, view) {
  const li = element("li", `${m.promised ? "promised" : ""} ${m.new ? "now" : ""}`);
  const by = view.querySelectorAll(".threads h4")[m.thread]?.textContent;
  li.append(element("small", "", `#${number}`), element("code", "", m.text), element("small", "", m.promised ? `${by} promises` : by));
  return li;
}

// Descriptions of the nodes of a write list.
/** @type {Record<string, string | undefined>} */
const places = {
  free: "free for another write",
  head: "the value in memory",
  waiting: "waits in a store buffer",
  sentinel: "end of the list",
};

function node(/** @type {ListNode} */ { node: number, value, stamp, place }) {
  const li = element("li", place === "waiting" ? "waiting pending" : place);
  li.title = `node ${number}: ${places[place] ?? place}`;
  li.append(element("span", "", value ?? ""), element("small", "", `@${stamp}`), element("span", "heard", places[place] ?? place));
  return li;
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} className
 */
function element(tag, className, text = "") {
  const e = document.createElement(tag);
  if (className) e.className = className;
  e.textContent = text;
  return e;
}
