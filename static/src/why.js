// The panel "Why": connects the steps of a cycle to the model's text, which appears below the test with the relevant
// axiom and definitions highlighted.

import { pathTo } from "./base.js";

const closedKey = "model-text-closed";

// places returns the positions of the definitions in the model's text.
/** @param {HTMLElement} box */
function places(box) {
  /** @type {(ModelLines & { element: HTMLElement })[]} */
  const out = [];
  for (const e of box.querySelectorAll("[data-def]")) {
    const at = /^(.*):(\d+)-(\d+)$/.exec(e.dataset.def);
    if (at) out.push({ element: e, file: at[1], from: Number(at[2]), to: Number(at[3]) });
  }
  return out;
}

function lines(/** @type {HTMLElement} */ pane, /** @type {ModelLines} */ { file, from, to }) {
  const section = [...pane.querySelectorAll("[data-file]")].find((s) => s.dataset.file === file);
  return [...(section?.querySelectorAll("[data-line]") ?? [])].filter((l) => /** @type {number} */ (/** @type {unknown} */ (l.dataset.line)) >= from && /** @type {number} */ (/** @type {unknown} */ (l.dataset.line)) <= to);
}

// reveal scrolls within the pane only.
/**
 * @param {HTMLElement} pane
 * @param {Element | null | undefined} line
 */
function reveal(pane, line) {
  if (!line) return;
  const body = pane.querySelector(".modeltext");
  const top = line.getBoundingClientRect().top - body.getBoundingClientRect().top + body.scrollTop;
  body.scrollTo({ top: Math.max(0, top - body.clientHeight / 3) });
}

const texts = new Map(); // texts of models, from the server

/** @param {string} model */
async function textOf(model) {
  if (!texts.has(model)) {
    const r = await fetch(pathTo(`/models/${encodeURIComponent(model)}?fragment`));
    if (!r.ok) throw new Error(`The server answered ${r.status}.`);
    texts.set(model, await r.text());
  }
  return texts.get(model);
}

/**
 * activate ties what is said of a picture to the model's text, from when the panel is chosen.
 * @param {HTMLElement} box the section that the server rendered
 * @param {WhyHooks} on
 *   host: the element that the text is put into, or null;
 *   lightModel({file, from, to}): lights lines of a model of the visitor's own, in its editor
 */
export function activate(box, on) {
  const why = box.querySelector(".why");
  if (!why) return;
  const link = why.querySelector("[data-model-text]");
  const all = places(why);
  /** @type {HTMLElement | null} */
  let pane = null;

  const close = () => {
    pane?.remove();
    pane = null;
    link?.setAttribute("aria-expanded", "false");
  };

  async function open() {
    close();
    const model = why.dataset.model;
    if (!model || !on.host) return;
    const text = await textOf(model).catch(() => "");
    if (!text || !box.isConnected || box.dataset.tab !== "why") return;
    on.host.querySelector(".modelpane")?.remove();
    pane = document.createElement("section");
    pane.className = "modelpane";
    pane.setAttribute("aria-label", "The model’s text");
    const head = document.createElement("div");
    head.className = "modelhead";
    const title = document.createElement("a");
    title.href = pathTo(`/models/${model}`);
    title.textContent = `${model}.cat`;
    const x = document.createElement("button");
    x.type = "button";
    x.className = "quiet";
    x.setAttribute("aria-label", "Close the model’s text");
    x.textContent = "✕";
    x.addEventListener("click", () => {
      localStorage.setItem(closedKey, "1");
      close();
      link?.focus();
    });
    head.append(title, x);
    const body = document.createElement("div");
    body.className = "modeltext scroll";
    body.tabIndex = 0;
    body.setAttribute("role", "region");
    body.setAttribute("aria-label", `${model}.cat, what is in use marked`);
    body.innerHTML = text;
    for (const id of body.querySelectorAll("[id]")) id.removeAttribute("id"); // IDs must be unique in the page
    pane.append(head, body);
    on.host.append(pane);
    link?.setAttribute("aria-expanded", "true");
    for (const place of all) {
      for (const l of lines(pane, place)) l.classList.add("lit", ...(place.element.closest(".reason") ? ["broken"] : []));
    }
    reveal(pane, pane.querySelector(".broken") ?? pane.querySelector(".lit")); // the axiom; its links lead to its definitions
  }

  /**
   * @param {ModelLines & { element: HTMLElement }} place
   * @param {boolean} hot
   */
  const point = (place, hot) => {
    if (hot && !why.dataset.model) on.lightModel?.(place);
    if (!pane) return;
    const here = lines(pane, place);
    for (const l of here) l.classList.toggle("hot", hot);
    if (hot) reveal(pane, here[0]);
  };
  for (const place of all) {
    const { element } = place;
    for (const type of ["mouseenter", "focus"]) element.addEventListener(type, () => point(place, true));
    for (const type of ["mouseleave", "blur"]) element.addEventListener(type, () => point(place, false));
    element.addEventListener("click", (e) => {
      if (!pane || e.ctrlKey || e.metaKey || e.shiftKey) return;
      e.preventDefault();
      point(place, true);
    });
  }
  link?.addEventListener("click", (e) => {
    if (!on.host || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    if (pane) {
      localStorage.setItem(closedKey, "1");
      close();
    } else {
      localStorage.removeItem(closedKey);
      open();
    }
  });
  const chosen = () => {
    if (box.dataset.tab !== "why") close();
    else {
      if (all.length > 0 && !why.dataset.model) on.lightModel?.(all[0]);
      if (!localStorage.getItem(closedKey)) open();
    }
  };
  box.addEventListener("tab", chosen);
  if (box.isConnected) chosen();
}
