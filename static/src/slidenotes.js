// The window with the notes of a presentation: this slide and its notes, the next slide, and the time.

import { make, reveal } from "./slidepages.js";

/** @typedef {import("./slides.js").Place} Place */
/** @typedef {import("./slides.js").Slide} Slide */
/** @typedef {import("./slides.js").Page} Page */

/**
 * notes turns the deck of a window into the view of its notes, and returns the function to call at each place.
 * @param {{ deck: HTMLElement, slides: Slide[], find: (place: Place) => [Page, number], presses: (s: Slide) => number, prepare: (s: Slide | undefined) => Promise<unknown> }} deck
 */
export function notes({ deck, slides, find, presses, prepare }) {
  document.documentElement.classList.add("notes");
  const next = make("div", "next-stage");
  const clock = make("time", "");
  const elapsed = make("output", "");
  const restart = make("button", "", "Restart timer");
  restart.type = "button";
  const text = make("div", "notes-text");
  text.tabIndex = 0;
  text.setAttribute("role", "region");
  text.setAttribute("aria-label", "Notes");
  const where = make("p", "where-now");
  const side = make(
    "div",
    "notes-side",
    make("p", "clock", clock, elapsed, restart),
    make("h2", "", "Next"),
    next,
  );
  deck.append(make("div", "notes-now", where, text), side);

  let since = Date.now();
  restart.addEventListener("click", () => {
    since = Date.now();
    tick();
  });
  const tick = () => {
    const now = new Date();
    clock.textContent = now.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const s = Math.floor((now.getTime() - since) / 1000);
    elapsed.textContent = `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
    elapsed.setAttribute("aria-label", "Time since the start");
  };
  tick();
  setInterval(tick, 1000);

  let told = -1;
  /** @param {Place} at */
  return (at) => {
    const slide = slides[at.slide];
    where.textContent = `Slide ${at.slide + 1} of ${slides.length}`;
    if (told !== at.slide) {
      text.replaceChildren(...slide.notes.map((n) => n.cloneNode(true)));
      if (slide.notes.length === 0) text.append(make("p", "hint", "The lesson says nothing more here."));
      text.scrollTop = 0;
      told = at.slide;
    }
    const after = at.step < presses(slide) ? { slide: at.slide, step: at.step + 1 } : { slide: at.slide + 1, step: 0 };
    if (after.slide >= slides.length) {
      next.replaceChildren(make("p", "hint", "End of the lesson"));
      return;
    }
    const preview = () => {
      const [page, step] = find(after);
      const copy = /** @type {HTMLElement} */ (page.el.cloneNode(true));
      reveal({ ...page, el: copy, shown: undefined }, step);
      copy.classList.add("on");
      copy.inert = true;
      copy.setAttribute("aria-hidden", "true");
      const holder = make("div", "stage", copy);
      next.replaceChildren(holder);
    };
    preview();
    prepare(slides[after.slide]).then(() => told === at.slide && preview());
  };
}
