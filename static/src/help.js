// Cards that explain elements with data-term. They appear on hover and focus, stay under the pointer, and close with
// Escape.

import { pathTo } from "./base.js";

const WAIT = 350; // milliseconds of hovering before a card appears
const LINGER = 200; // milliseconds to move from the word to the card

/** @type {Promise<TermCards> | null} */
let terms = null;
/** @returns {Promise<TermCards | Record<string, undefined>>} */
const load = () =>
  (terms ??= fetch(pathTo("/glossary/terms")).then((r) => {
    if (!r.ok) throw new Error(`status ${r.status}`);
    return /** @type {Promise<TermCards>} */ (r.json());
  }).catch(() => {
    terms = null; // the link to the glossary still works
    return {};
  }));

/**
 * activate watches a page for words with a term.
 * @param {HTMLElement} root
 */
export function activate(root) {
  const card = document.createElement("div");
  card.id = "term-card";
  card.popover = "manual";
  card.setAttribute("role", "tooltip");
  const name = document.createElement("b");
  const title = document.createElement("small");
  const text = document.createElement("p");
  card.append(name, " ", title, text);
  root.querySelector("main").append(card);

  /** @type {HTMLElement | null} */
  let at = null; // the element of the card
  let timer = 0;

  /**
   * @param {number} ms
   * @param {() => void} act
   */
  const later = (ms, act) => {
    clearTimeout(timer);
    timer = setTimeout(act, ms);
  };

  /** @param {HTMLElement} e */
  async function show(e) {
    const [word, words] = (await load())[e.dataset.term] ?? [];
    if (!word || !e.isConnected || !(e.matches(":hover") || e.contains(document.activeElement))) return;
    if (at !== e) hide();
    at = e;
    // Remove the title, or the browser shows its own tooltip too.
    if (e.title) e.dataset.title = e.title;
    e.removeAttribute("title");
    name.textContent = word;
    title.textContent = e.dataset.title ?? "";
    text.textContent = words ?? "";
    describe(e, true);
    card.showPopover();
    put(card, e.getBoundingClientRect());
  }

  function hide() {
    clearTimeout(timer);
    if (!at) return;
    describe(at, false);
    at = null;
    card.hidePopover();
  }

  // describe adds the card to the descriptions of the focused element in e.
  /**
   * @param {HTMLElement} e
   * @param {boolean} on
   */
  function describe(e, on) {
    const target = e.matches("a, button") ? e : (e.querySelector("input, select, button") ?? e);
    const others = (target.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== card.id);
    if (on) others.push(card.id);
    if (others.length) target.setAttribute("aria-describedby", others.join(" "));
    else target.removeAttribute("aria-describedby");
  }

  /** @param {{ target: HTMLElement }} e */
  const termOf = (e) => e.target.closest?.("[data-term]");

  root.addEventListener("pointerover", (e) => {
    if (e.pointerType === "touch") return;
    const to = termOf(e);
    if (to && to === at) clearTimeout(timer);
    else if (to) later(WAIT, () => show(to));
    else if (card.contains(e.target)) clearTimeout(timer);
    else if (at && !at.contains(document.activeElement)) later(LINGER, hide);
    else if (!at) clearTimeout(timer);
  });
  root.addEventListener("focusin", (e) => {
    const to = termOf(e);
    if (!to) hide();
    else if (e.target.matches(":focus-visible")) later(0, () => show(to));
  });
  root.addEventListener("focusout", (e) => {
    if (at?.contains(e.target)) hide();
  });
  root.addEventListener(
    "keydown",
    (e) => {
      if (e.key !== "Escape" || !at) return;
      hide();
      e.stopPropagation(); // keep open what is behind the card
      e.preventDefault();
    },
    true,
  );
  // Touch cannot hover: the first tap shows the card, the second follows the link.
  root.addEventListener("click", (e) => {
    const to = termOf(e);
    if (!to || e.pointerType !== "touch" || !to.matches("a") || to === at) return;
    e.preventDefault();
    to.focus();
    show(to);
  });
  // The word scrolls away from its card.
  document.addEventListener("scroll", () => at && hide(), { capture: true, passive: true });
}

/**
 * put places a card below a box, or above where there is no room, within the window.
 * @param {HTMLElement} card
 * @param {DOMRect} box
 */
export function put(card, box) {
  const { width, height } = card.getBoundingClientRect();
  const gap = 6;
  const below = box.bottom + gap;
  const top = below + height <= innerHeight || box.top - gap - height < 0 ? below : box.top - gap - height;
  const left = Math.max(gap, Math.min(box.left, document.documentElement.clientWidth - width - gap));
  card.style.top = `${top}px`;
  card.style.left = `${left}px`;
}
