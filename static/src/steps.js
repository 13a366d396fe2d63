// The run behind an outcome, step by step: what has happened so far in the drawing,
// and threads, store buffers and memory as they are after a step.

const pace = 1200; // milliseconds a step while it plays

/**
 * activate brings a freshly inserted run, if there is one, to life. It begins at the
 * end, where the drawing shows everything.
 * @param {HTMLElement} box the section that the server rendered
 */
export function activate(box) {
  const view = box.querySelector(".player");
  if (!view) return;
  const run = readRun(JSON.parse(view.querySelector("#run-data").textContent));
  const list = [...box.querySelectorAll(".steps li")];
  const slider = view.querySelector("input[type=range]");
  const play = view.querySelector("[data-go=play]");
  const last = run.frames.length - 1;
  let at = last;
  let timer = null;

  const show = (step) => {
    at = Math.min(Math.max(step, 0), last);
    const frame = run.frames[at];
    slider.value = at;
    slider.setAttribute("aria-valuetext", `${at} of ${last}`);
    view.querySelector(".did").textContent = frame.did;
    for (const b of view.querySelectorAll("[data-go]")) {
      const still = { start: at === 0, back: at === 0, forward: at === last, end: at === last }[b.dataset.go];
      b.setAttribute("aria-disabled", String(Boolean(still)));
    }
    list.forEach((li, i) => (i === at - 1 ? li.setAttribute("aria-current", "step") : li.removeAttribute("aria-current")));
    showDrawing(box, run.events, at);
    showState(view, frame);
  };

  const stop = () => {
    clearInterval(timer);
    timer = null;
    view.classList.remove("playing");
    label(play, "Play");
  };
  const start = () => {
    show(at === last ? 0 : at + 1);
    timer = setInterval(() => {
      if (view.isConnected && at < last) show(at + 1);
      if (!view.isConnected || at === last) stop();
    }, pace);
    view.classList.add("playing");
    label(play, "Pause");
  };
  const go = {
    start: () => show(0),
    back: () => show(at - 1),
    forward: () => show(at + 1),
    end: () => show(last),
  };
  // Whoever takes a step is no longer being shown one.
  const take = (step) => {
    stop();
    step();
  };

  view.addEventListener("click", (e) => {
    const action = e.target.closest("[data-go]")?.dataset.go;
    if (action === "play") (timer ? stop : start)();
    else if (action) take(go[action]);
  });
  view.addEventListener("keydown", (e) => {
    const action = { ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end" }[e.key];
    if (!action || e.target === slider || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    take(go[action]);
  });
  slider.addEventListener("input", () => take(() => show(Number(slider.value))));
  list.forEach((li, i) => li.addEventListener("click", () => take(() => show(i + 1))));
  show(last);
}

function label(button, text) {
  button.setAttribute("aria-label", text);
  button.title = text;
}

// readRun turns a trace into frames: frame 0 is before the first step, frame i after
// step i. events gives for each event of the drawing the step that carries it out, the
// one that brings it to memory, and all that touch it.
function readRun({ threads, outcome: { graph, trace } }) {
  const events = new Map(graph.events.map((e) => [e.id, { done: 0, seen: 0, steps: [] }]));
  trace.forEach((step, i) => {
    for (const id of step.events ?? []) {
      const e = events.get(id);
      if (!e) continue;
      e.done ||= i + 1;
      e.seen = i + 1;
      e.steps.push(i + 1);
    }
  });
  const initial = new Map(graph.events.filter((e) => e.thread < 0).map((e) => [e.loc, e.value]));
  const frames = [
    {
      did: "Before the first step.",
      memory: trace[0].memory.map((m) => ({ name: m.name, value: initial.get(m.name) ?? "" })),
      buffers: threads.map(() => []),
      lists: [],
      places: threads.map(() => -1),
    },
  ];
  for (const step of trace) {
    const before = frames.at(-1);
    const thread = threads.indexOf(step.thread);
    const text = graph.threads[thread]?.source[step.source];
    const places = before.places.map((p, t) => (t === thread && step.source >= 0 ? step.source : p));
    const memory = step.memory.map((m, i) => ({ ...m, now: m.value !== before.memory[i]?.value }));
    const did = [
      `Step ${frames.length} of ${trace.length}`,
      step.round && `round ${step.round}`,
      step.clock !== undefined && `clock ${step.clock}`,
    ];
    frames.push({
      did: `${did.filter(Boolean).join(", ")}. P${step.thread}: ${text ? `${text} – ` : ""}${step.action}.`,
      memory,
      buffers: step.buffers,
      lists: step.lists ?? [],
      places,
      thread,
      issues: step.source >= 0,
    });
  }
  return { events, frames };
}

// showDrawing marks what the run has not reached, what waits in a buffer, and what the
// step at hand touches.
function showDrawing(box, events, at) {
  const svg = box.querySelector(".drawing svg");
  if (!svg) return;
  const reached = (id) => (events.get(Number(id))?.done ?? 0) <= at;
  for (const g of svg.querySelectorAll("[data-event]")) {
    const e = events.get(Number(g.dataset.event));
    g.classList.toggle("todo", at < e.done);
    g.classList.toggle("waiting", e.done <= at && at < e.seen);
    g.classList.toggle("now", e.steps.includes(at));
  }
  for (const g of svg.querySelectorAll("[data-from]")) {
    g.classList.toggle("todo", !reached(g.dataset.from) || !reached(g.dataset.to));
  }
}

function showState(view, frame) {
  view.querySelectorAll(".threads > div").forEach((column, t) => {
    column.querySelectorAll(".code li").forEach((li, i) => {
      li.classList.toggle("at", i === frame.places[t]);
      li.classList.toggle("now", i === frame.places[t] && t === frame.thread && frame.issues);
    });
    column.querySelector(".buffer")?.replaceChildren(...(frame.buffers[t] ?? []).map(entry));
  });
  view.querySelectorAll(".memory > div").forEach((cell, i) => {
    cell.querySelector("dd").textContent = frame.memory[i]?.value ?? "";
    cell.classList.toggle("now", Boolean(frame.memory[i]?.now));
  });
  view.querySelector(".lists")?.classList.toggle("off", frame.lists.length === 0);
  view.querySelectorAll(".lists > div").forEach((list, i) => {
    const chain = element("ol", "chain");
    chain.append(...(frame.lists[i]?.nodes ?? []).map(node));
    list.querySelector("dd").replaceChildren(chain);
  });
}

function entry({ loc, value, stamp }) {
  const li = element("li", "pending", `${loc}=${value}`);
  if (stamp !== undefined) {
    li.append(element("small", "", `@${stamp}`));
    li.title = `reaches memory at ${stamp}`;
  }
  return li;
}

// What the places of a write list's nodes are.
const places = {
  free: "free for another write",
  head: "the value in memory",
  waiting: "waits in a store buffer",
  sentinel: "the end of the list",
};

function node({ node: number, value, stamp, place }) {
  const li = element("li", place === "waiting" ? "waiting pending" : place);
  li.title = `node ${number}: ${places[place] ?? place}`;
  li.append(element("span", "", value ?? ""), element("small", "", `@${stamp}`), element("span", "heard", places[place] ?? place));
  return li;
}

function element(tag, className, text = "") {
  const e = document.createElement(tag);
  if (className) e.className = className;
  e.textContent = text;
  return e;
}
