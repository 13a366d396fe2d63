// Loads the cards that explain terms when the visitor first points at a term.

const kinds = ["pointerover", "focusin", "click"];

/** activate connects the page's terms to their cards. */
export function activate() {
  /** @type {Promise<void> | null} */
  let cards = null;
  /** @param {Omit<Event, "target"> & { target: HTMLElement, pointerType?: string }} e */
  const onWord = (e) => {
    if (!e.target.closest?.("[data-term]")) return;
    if (e.type === "click") {
      if (e.pointerType !== "touch") return;
      e.preventDefault();
    }
    cards ??= import("./help.js").then((help) => {
      for (const kind of kinds) document.removeEventListener(kind, /** @type {(e: Event) => void} */ (onWord));
      help.activate(document.body);
    });
    cards.then(() => e.target.dispatchEvent(new (/** @type {typeof PointerEvent} */ (e.constructor))(e.type, e)), () => (cards = null));
  };
  for (const kind of kinds) document.addEventListener(kind, onWord);
}
