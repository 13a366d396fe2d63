// The editor as a debugger: a mark for each thread at its current line, values read and written at the ends of lines,
// and buttons above the text that step through the execution.

import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, WidgetType, gutter } from "@codemirror/view";
import { keyboard } from "./keyboard.js";

/** @type {Record<string, string | undefined>} */
const keys = { F8: "play", F9: "back", F10: "forward" };
const colours = 5; // number of thread colours in the style sheet

/** @typedef {{ thread: number, name: string, tag: string }} ThreadAt a thread that stands on a line */
/** @typedef {ThreadAt & { text: string, write: boolean, waiting: boolean, now: boolean }} ValueAt what one has read or written there */
/** @typedef {{ marks: Map<number, ThreadAt[]>, values: Map<number, ValueAt[]>, now: number }} Standings both, by lines; now: that of the step */

/**
 * setStanding puts what the editor shows of a step in place; see standing.
 * @type {import("@codemirror/state").StateEffectType<Standings>}
 */
const setStanding = StateEffect.define();
const nothing = { marks: new Map(), values: new Map(), now: 0 };

class ThreadMark extends GutterMarker {
  /** @param {ThreadAt[]} threads */
  constructor(threads) {
    super();
    this.threads = threads;
  }
  /** @param {ThreadMark} other */
  eq(other) {
    return JSON.stringify(other.threads) === JSON.stringify(this.threads);
  }
  toDOM() {
    const box = document.createElement("span");
    for (const { tag, name, thread } of this.threads) {
      const mark = element("span", `thread t${thread % colours}`, tag);
      mark.title = `${name} is here`;
      box.append(mark);
    }
    return box;
  }
}

class Values extends WidgetType {
  /** @param {ValueAt[]} list */
  constructor(list) {
    super();
    this.list = list;
  }
  /** @param {Values} other */
  eq(other) {
    return JSON.stringify(other.list) === JSON.stringify(this.list);
  }
  toDOM() {
    const box = element("span", "cm-values");
    for (const { thread, name, tag, text, write, waiting, now } of this.list) {
      const chip = element("span", ["value", `t${thread % colours}`, waiting && "pending", now && "now"].filter(Boolean).join(" "));
      chip.append(element("i", "", tag), `${write ? "wrote" : "read"} ${text}`);
      chip.title = `${name} ${write ? "wrote" : "read"} ${text}${waiting ? ", not yet visible to all threads" : ""}`;
      box.append(chip);
    }
    return box;
  }
  ignoreEvent() {
    return true;
  }
}

const nowLine = Decoration.line({ class: "cm-stepped" });

// The marks move with the text during edits.
const standing = StateField.define({
  create: () => ({ marks: RangeSet.empty, lines: Decoration.none }),
  update(value, tr) {
    value = { marks: value.marks.map(tr.changes), lines: value.lines.map(tr.changes) };
    for (const e of tr.effects) if (e.is(setStanding)) value = placed(tr.state.doc, e.value);
    return value;
  },
  provide: (f) => EditorView.decorations.from(f, (v) => v.lines),
});

function placed(/** @type {Doc} */ doc, /** @type {Standings} */ { marks, values, now }) {
  /** @param {number} n */
  const there = (n) => n >= 1 && n <= doc.lines;
  const at = [...marks].filter(([n]) => there(n)).map(([n, list]) => new ThreadMark(list).range(doc.line(n).from));
  const lines = [...values].filter(([n]) => there(n)).map(([n, list]) => Decoration.widget({ widget: new Values(list), side: 1 }).range(doc.line(n).to));
  if (there(now)) lines.push(nowLine.range(doc.line(now).from));
  return { marks: RangeSet.of(at, true), lines: Decoration.set(lines, true) };
}

/** standingGutter is what the editor wants for it. */
export const standingGutter = [standing, gutter({ class: "cm-threads", markers: (view) => view.state.field(standing).marks })];

/**
 * mount puts the keys above the editor.
 * @param {EditorView} view
 * @param {StepperHooks} on what the page knows and does: here(file): whether it is in the editor, open(file): has it there
 * @returns steps(run): an execution's steps have come, as steps.activate gives them, or there are none; stepped(state): … were
 *   taken, and place(places): where all this is in the program: {lines, values, spawns}; again(): another file is in
 *   the editor
 */
export function mount(view, on) {
  /** @type {HTMLElement} */
  const bar = element("div", "stepping");
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Step through the execution");
  view.dom.before(bar);
  const did = element("p", "did");
  did.setAttribute("role", "status");
  const threads = element("p", "threads");
  bar.append(did);
  // These are null until there is a run; render checks that first.
  let run = /** @type {Run} */ (/** @type {unknown} */ (null)); // the current run
  let keysBar = /** @type {HTMLElement} */ (/** @type {unknown} */ (null));
  let player = /** @type {HTMLElement} */ (/** @type {unknown} */ (null)); // the player in the picture
  let state = /** @type {Standing} */ (/** @type {unknown} */ (null)); // the current position
  let places = /** @type {Places} */ (/** @type {unknown} */ (null));
  /** @type {Frame[]} */
  let done = []; // the frames up to it

  /** @param {Run | null} next */
  function steps(next) {
    run = /** @type {Run} */ (next);
    player = run && document.querySelector("#picture .player");
    if (!run) {
      places = /** @type {Places} */ (/** @type {unknown} */ (null));
      did.textContent = "Step through the failing execution here.";
      bar.replaceChildren(did); // reserve the space of the longest text, so that nothing below moves
      return render();
    }
    player.querySelector(".did").removeAttribute("aria-live"); // the bar above the editor announces it
    keysBar = /** @type {HTMLElement} */ (player.querySelector(".keys").cloneNode(true));
    for (const [key, action] of Object.entries(keys)) {
      const b = keysBar.querySelector(`[data-go=${action}]`);
      if (keyboard) b.title = `${b.title} (${key})`;
      b.setAttribute("aria-keyshortcuts", key);
    }
    const stop = element("button", "quiet", "Stop");
    stop.type = "button";
    stop.dataset.go = "stop";
    stop.hidden = true;
    stop.title = `Stop stepping: show the whole execution${keyboard ? " (Shift-F8)" : ""}`;
    keysBar.append(stop);
    bar.replaceChildren(keysBar, did, threads);
    return render();
  }

  /** @param {string} action */
  function act(action) {
    if (action === "stop") run.leave();
    else run.act(action);
  }

  bar.addEventListener("click", (e) => {
    const { go, thread } = e.target.closest("button")?.dataset ?? {};
    if (go) act(go);
    else if (thread) goTo(standsAt(Number(thread)));
  });
  bar.addEventListener("input", (e) => e.target.type === "range" && run.go(Number(e.target.value)));
  document.addEventListener("keydown", (e) => {
    const action = e.key === "F8" && e.shiftKey ? "stop" : !e.shiftKey && keys[e.key];
    if (!run || !action || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    act(action);
  });

  // sentence returns the step's description, shown on its line.
  function sentence() {
    const { frame, at, last } = state;
    if (at === 0) return "Before the first step.";
    return [`Step ${at} of ${last}. ${run.threads[frame.thread]}: ${frame.did}.`, frame.note && `${frame.note}.`].filter(Boolean).join(" ");
  }

  // standsAt returns the position of a thread: its next statement, or the failing one; null if it has ended.
  /** @param {number} t */
  function standsAt(t) {
    const { next } = state.frame.threads[t];
    const end = /** @type {Frame} */ (state.frames.at(-1));
    const source = next >= 0 ? next : end.thread === t ? end.source : -1;
    return places.lines[`${t}:${source}`] ?? null;
  }

  /** @param {number} t */
  const begun = (t) => !(t in places.spawns) || state.done.has(places.spawns[t]);

  /** @param {Place | null} place */
  function goTo(place) {
    if (!place) return;
    on.open(place.file);
    view.dispatch({ effects: EditorView.scrollIntoView(view.state.doc.line(Math.min(place.line, view.state.doc.lines)).from, { y: "center" }) });
  }

  // render shows the position of the run in the open file.
  function render() {
    if (!run || !state || !places) return view.dispatch({ effects: setStanding.of(nothing) });
    for (const b of keysBar.querySelectorAll("button[data-go]")) {
      const own = player.querySelector(`.keys [data-go=${b.dataset.go}]`);
      if (own) b.setAttribute("aria-disabled", own.getAttribute("aria-disabled") ?? "false");
      else b.hidden = state.away;
    }
    const slider = keysBar.querySelector("input");
    [slider.max, slider.value] = /** @type {string[]} */ (/** @type {unknown} */ ([state.last, state.at]));
    keysBar.classList.toggle("playing", state.playing);
    threads.hidden = state.away;
    const said = state.away ? `Step with these buttons${keyboard ? ", or with F10 and F9. F8 plays all steps." : "."}` : sentence();
    if (did.textContent !== said) did.textContent = said;
    if (state.away) return view.dispatch({ effects: setStanding.of(nothing) });
    const names = run.threads;
    const tags = tagsOf(names);
    threads.replaceChildren(...names.map((name, t) => chip(name, tags[t], t)));
    const marks = new Map();
    names.forEach((name, thread) => {
      const place = begun(thread) && standsAt(thread);
      if (place && on.here(place.file)) add(marks, place.line, { thread, name, tag: tags[thread] });
    });
    const { frame } = state;
    const acted = places.lines[`${frame.thread}:${frame.source}`];
    const now = acted && on.here(acted.file) ? acted.line : 0;
    view.dispatch({ effects: setStanding.of({ marks, values: values(names, tags), now }) });
    return undefined;
  }

  // values returns the values read and written so far, the latest of each thread at each position.
  /**
   * @param {string[]} names
   * @param {string[]} tags
   */
  function values(names, tags) {
    const latest = new Map();
    const now = new Set(state.frame.events);
    for (const f of done) {
      const place = places.lines[`${f.thread}:${f.source}`];
      if (!place || !on.here(place.file)) continue;
      for (const id of f.events ?? []) {
        const value = places.values[id];
        if (!value) continue;
        const { text, write = false } = value;
        const key = `${place.line} ${f.thread} ${write} ${text.split(" = ")[0]}`;
        latest.delete(key);
        latest.set(key, { line: place.line, thread: f.thread, name: names[f.thread], tag: tags[f.thread], text, write, waiting: state.waiting.has(id), now: now.has(id) });
      }
    }
    const out = new Map();
    for (const { line, ...value } of latest.values()) add(out, line, value);
    return out;
  }

  /**
   * @param {string} name
   * @param {string} tag
   * @param {number} t
   */
  function chip(name, tag, t) {
    const b = element("button", `quiet thread-at t${t % colours}`);
    b.type = "button";
    b.dataset.thread = /** @type {string} */ (/** @type {unknown} */ (t));
    b.append(element("span", `thread t${t % colours}`, tag), ` ${name} `);
    const place = standsAt(t);
    const where = !begun(t) ? "not started" : !place ? "ended" : on.here(place.file) ? `line ${place.line}` : `${place.file}:${place.line}`;
    b.append(element("small", "", state.frame.threads[t].blocked || where));
    b.disabled = !begun(t) || !place;
    return b;
  }

  // follow scrolls the lines with marks into view, all of them if they fit, and at least the line of the step.
  function follow() {
    const { frame } = state;
    const acted = places.lines[`${frame.thread}:${frame.source}`];
    const stands = /** @type {Place[]} */ (run.threads.map((_, t) => begun(t) && standsAt(t)).filter(Boolean));
    const first = acted ?? stands[0];
    if (!first) return;
    on.open(first.file);
    const blocks = [first, ...stands]
      .filter((p) => on.here(p.file) && p.line <= view.state.doc.lines)
      .map((p) => view.lineBlockAt(view.state.doc.line(p.line).from));
    if (blocks.length === 0) return;
    const { scrollDOM } = view;
    const room = scrollDOM.clientHeight - 24;
    let [top, bottom] = [Math.min(...blocks.map((b) => b.top)), Math.max(...blocks.map((b) => b.bottom))];
    if (bottom - top > room) ({ top, bottom } = blocks[0]);
    if (top < scrollDOM.scrollTop) scrollDOM.scrollTop = Math.max(0, top - 12);
    else if (bottom > scrollDOM.scrollTop + room) scrollDOM.scrollTop = bottom - room;
  }

  return {
    steps,
    /** @param {Standing} next */
    stepped(next) {
      const moved = state && !next.away && (next.at !== state.at || next.frame !== state.frame);
      state = next;
      done = next.frames.slice(0, next.at + 1);
      // Wait for the player to update its buttons; the run itself can arrive later.
      render();
      if (moved && run && places) follow();
    },
    /** @param {Places | null} next */
    place(next) {
      places = /** @type {Places} */ (next);
      render();
    },
    again: render,
  };
}

// tagsOf returns letters for threads, with numbers if several start with the same letter.
/** @param {string[]} names */
export function tagsOf(names) {
  const letters = names.map((n) => n[0] ?? "?");
  return names.map((n, i) => (letters.filter((l) => l === letters[i]).length === 1 ? letters[i] : `${letters[i]}${/\d+$/.exec(n)?.[0] ?? i}`));
}

/**
 * @template T
 * @param {Map<number, T[]>} map
 * @param {number} line
 * @param {T} item
 */
function add(map, line, item) {
  if (!map.has(line)) map.set(line, []);
  /** @type {T[]} */ (map.get(line)).push(item);
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
