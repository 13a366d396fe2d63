// The drawn execution: which relations show, what lights up together, and the
// drawing as a file.

import * as steps from "./steps.js";

/**
 * activate brings a freshly inserted drawing to life.
 * @param {HTMLElement} box the section that the server rendered
 * @param {function(Set<string>)} light called with the keys of the instructions
 *   whose events are lit
 * @param {object} hooks what a run needs of the page; see steps.activate
 */
export function activate(box, light, hooks) {
  for (const step of box.querySelectorAll("[data-key]")) {
    step.addEventListener("mouseenter", () => light(new Set([step.dataset.key])));
    step.addEventListener("mouseleave", () => light(new Set()));
  }
  const svg = box.querySelector(".drawing svg");
  if (svg) {
    toggles(box, svg);
    lighting(svg, light);
    sentence(box, svg, light);
    downloads(box, svg);
  }
  steps.activate(box, hooks);
}

// toggles shows and hides relations by classes on the drawing. The edges stay
// where they are: all of them have been routed. An untouched toggle leaves the
// default view, which may show a part of a relation only.
function toggles(box, svg) {
  for (const input of box.querySelectorAll("input[data-relation]")) {
    const apply = () => {
      svg.classList.toggle(`show-${input.dataset.relation}`, input.checked);
      svg.classList.toggle(`hide-${input.dataset.relation}`, !input.checked);
    };
    input.addEventListener("change", apply);
    if (input.dataset.touched) apply();
  }
}

const keyOf = (event) => `${event.dataset.thread}:${event.dataset.source}`;

function lighting(svg, light) {
  const none = () => false;
  // An event goes with its edges, an edge with its two ends.
  const show = (target) => {
    const event = target.closest?.("[data-event]");
    const edge = target.closest?.("[data-from]");
    if (event) light(heat(svg, (e) => e === event, touches(event)));
    else if (edge) {
      const { from, to } = edge.dataset;
      light(heat(svg, (e) => e.dataset.event === from || e.dataset.event === to, (g) => g.dataset.from === from && g.dataset.to === to));
    } else light(heat(svg, none, none));
  };
  for (const type of ["mouseover", "focusin"]) svg.addEventListener(type, (e) => show(e.target));
  for (const type of ["mouseleave", "focusout"]) svg.addEventListener(type, () => light(heat(svg, none, none)));
}

// sentence ties the words that say why an outcome is forbidden to the drawing.
function sentence(box, svg, light) {
  for (const word of box.querySelectorAll("[data-lights]")) {
    const ids = word.dataset.lights.split(" ");
    const on = () => light(heat(svg, (e) => ids.includes(e.dataset.event), (g) => ids.includes(g.dataset.from) && ids.includes(g.dataset.to)));
    const off = () => light(heat(svg, () => false, () => false));
    for (const type of ["mouseenter", "focus"]) word.addEventListener(type, on);
    for (const type of ["mouseleave", "blur"]) word.addEventListener(type, off);
  }
}

const touches = (event) => (g) => g.dataset.from === event.dataset.event || g.dataset.to === event.dataset.event;

// heat marks the events and edges that are meant, for the drawing's own style
// sheet to fade the others, and gives the keys of the events' instructions.
function heat(svg, event, edge) {
  const keys = new Set();
  for (const e of svg.querySelectorAll("[data-event]")) {
    e.classList.toggle("hot", event(e));
    if (event(e)) keys.add(keyOf(e));
  }
  for (const g of svg.querySelectorAll(".edge")) g.classList.toggle("hot", edge(g));
  svg.classList.toggle("focus", svg.querySelector(".hot") !== null);
  return keys;
}

/**
 * lightCell lights the events of one instruction in a drawing.
 * @param {HTMLElement} box as for activate
 * @param {?string} key "thread:instruction", or null for none
 */
export function lightCell(box, key) {
  for (const step of box?.querySelectorAll("[data-key]") ?? []) {
    step.classList.toggle("lit", step.dataset.key === key);
  }
  const svg = box?.querySelector(".drawing svg");
  if (!svg) return;
  const events = [...svg.querySelectorAll("[data-event]")].filter((e) => keyOf(e) === key);
  heat(svg, (e) => events.includes(e), (g) => events.some((e) => touches(e)(g)));
}

function downloads(box, svg) {
  const name = box.querySelector("[data-filename]")?.dataset.filename ?? "execution";
  const on = (kind, f) => box.querySelector(`[data-download=${kind}]`)?.addEventListener("click", f);
  on("svg", () => save(new Blob([standalone(svg)], { type: "image/svg+xml" }), `${name}.svg`));
  on("png", async () => save(await png(svg), `${name}.png`));
  on("dot", () => save(new Blob([box.querySelector(".dot").textContent], { type: "text/vnd.graphviz" }), `${name}.dot`));
}

function save(blob, name) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(blob);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}

// standalone is the drawing as a file: what it shows now, without highlights, in
// its own light colours.
function standalone(svg) {
  const copy = svg.cloneNode(true);
  copy.classList.remove("focus");
  for (const e of copy.querySelectorAll(".hot")) e.classList.remove("hot");
  for (const e of copy.querySelectorAll("[tabindex]")) e.removeAttribute("tabindex");
  copy.querySelector("style")?.removeAttribute("nonce");
  return new XMLSerializer().serializeToString(copy);
}

async function png(svg) {
  const scale = 2; // sharp on paper and on fine screens
  const { width, height } = svg.viewBox.baseVal;
  const url = URL.createObjectURL(new Blob([standalone(svg)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}
