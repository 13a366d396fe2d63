// Presents a lesson as slides, controlled by the keys of a clicker. A second window shows the notes of the slide; the two
// windows exchange their place by a BroadcastChannel.

import { divide, lay } from "./slidedeck.js";
import { HIGH, make, reveal, WIDE } from "./slidepages.js";

/** @typedef {import("./slidedeck.js").Slide} Slide */
/** @typedef {import("./slidepages.js").Page} Page */
/** @typedef {{ slide: number, step: number }} Place step counts the presses since the slide's first page */

const PATIENCE = 2000; // milliseconds to wait for the typefaces
const SETTLING = 1000; // milliseconds until a lesson has settled after its slides
const SWIPE = 50; // pixels that a finger moves to turn a slide

/**
 * placeIn reads the place in an address; null if it has none.
 * @param {string} hash
 * @returns {Place | null}
 */
export function placeIn(hash) {
  const [, slide, step] = /^#(?:slide|notes)=(\d+)(?:\.(\d+))?$/.exec(hash) ?? [];
  return slide ? { slide: Number(slide) - 1, step: Number(step ?? 0) } : null;
}

/**
 * mount builds the slides of a lesson.
 * @param {HTMLElement} lesson
 * @param {{ say: (text: string) => void, ended: () => void }} on
 */
export async function mount(lesson, { say, ended }) {
  const article = lesson.querySelector("article");
  const root = document.documentElement;
  const stage = make("div", "stage");
  const count = make("p", "count");
  const bar = make("div", "turning");
  const deck = make("section", "deck", stage, count, bar);
  const blank = make("div", "blank");
  blank.hidden = true;
  deck.append(blank);
  deck.tabIndex = -1;
  deck.setAttribute("aria-label", `Slides of ${article.querySelector("h1").textContent}`);
  const notesView = /^#notes/.test(location.hash);
  const channel = new BroadcastChannel(`litmuscope slides ${location.pathname}`);

  /** @type {Slide[]} */
  const slides = divide(article);
  let at = /** @type {Place} */ ({ slide: 0, step: 0 });
  let on = false;

  lesson.append(deck);
  root.classList.add("presenting", "measuring");
  // Text is measured in the typefaces in which it is shown.
  const typefaces = ["400 40px Inter", "700 40px Inter", "400 30px 'JetBrains Mono'"].map((f) => document.fonts.load(f).catch(() => []));
  await Promise.race([Promise.all(typefaces), new Promise((late) => setTimeout(late, PATIENCE))]);
  lay(stage, slides);
  slides.forEach((s, i) => {
    for (const p of s.pages) {
      p.el.setAttribute("aria-label", `Slide ${i + 1} of ${slides.length}`);
      p.el.dataset.slide = String(i + 1);
      p.el.append(make("p", "number", `${i + 1} / ${slides.length}`));
    }
  });
  root.classList.remove("measuring");

  /** @param {Slide} s */
  const presses = (s) => s.pages.reduce((n, p) => n + p.steps + 1, 0) - 1;

  /**
   * find returns the page at a place, and the step on it.
   * @param {Place} place
   * @returns {[Page, number]}
   */
  function find({ slide, step }) {
    const { pages } = slides[slide];
    for (const p of pages) {
      if (step <= p.steps) return [p, step];
      step -= p.steps + 1;
    }
    const last = /** @type {Page} */ (pages.at(-1));
    return [last, last.steps];
  }

  /** @type {WeakMap<Page, Promise<unknown>>} */
  const loading = new WeakMap();
  /**
   * prepare fetches the pictures of a slide; a page whose picture cannot be fetched says so.
   * @param {Slide | undefined} s
   */
  const prepare = (s) =>
    Promise.all(
      (s?.pages ?? []).map((p) => {
        if (!p.ready || loading.has(p)) return loading.get(p);
        p.el.setAttribute("aria-busy", "true");
        const mine = p
          .ready()
          .catch((e) => {
            loading.delete(p);
            const problem = p.body.querySelector(".hint");
            if (problem) problem.textContent = e.message;
          })
          .finally(() => p.el.removeAttribute("aria-busy"));
        loading.set(p, mine);
        return mine;
      }),
    );

  /** @type {((place: Place) => void)[]} */
  const followers = [];
  /**
   * show shows a place, and tells the other windows about it unless it comes from there.
   * @param {Place} place
   */
  function show(place, told = false) {
    const slide = Math.min(Math.max(place.slide, 0), slides.length - 1);
    at = { slide, step: Math.min(Math.max(place.step, 0), presses(slides[slide])) };
    const [page, step] = find(at);
    for (const p of stage.querySelectorAll(".page.on")) p.classList.remove("on");
    page.el.classList.add("on");
    reveal(page, step);
    count.style.setProperty("--done", String((slide + 1) / slides.length));
    history.replaceState(history.state, "", `#${notesView ? "notes" : "slide"}=${slide + 1}${at.step ? `.${at.step}` : ""}`);
    say(`Slide ${slide + 1} of ${slides.length}: ${page.el.querySelector("h1").textContent}`);
    if (!told) channel.postMessage(at);
    for (const f of followers) f(at);
    const now = at;
    prepare(slides[slide]).then(() => {
      if (now !== at || !on) return;
      reveal(...find(at)); // what has come may have steps
      for (const f of followers) f(at);
    });
    prepare(slides[slide + 1]);
  }

  /** @param {1 | -1} by */
  function turn(by) {
    const { slide, step } = at;
    if (by > 0 && step < presses(slides[slide])) show({ slide, step: step + 1 });
    else if (by > 0 && slide + 1 < slides.length) show({ slide: slide + 1, step: 0 });
    else if (by < 0 && step > 0) show({ slide, step: step - 1 });
    else if (by < 0 && slide > 0) show({ slide: slide - 1, step: presses(slides[slide - 1]) });
  }

  const darkened = () => !blank.hidden;
  /** @param {boolean} yes */
  const darken = (yes, told = false) => {
    blank.hidden = !yes;
    if (!told) channel.postMessage({ blank: yes });
  };

  function resize() {
    // A phone held upright shows text in its usual size, and scrolls.
    const flows = !notesView && innerWidth < 640 && innerHeight > innerWidth;
    deck.classList.toggle("flow", flows);
    if (notesView) {
      const width = Math.min(innerWidth * 0.56, (innerHeight * 0.55 * WIDE) / HIGH);
      deck.style.setProperty("--scale", String(width / WIDE));
      deck.style.setProperty("--next-scale", String((innerWidth * 0.34) / WIDE));
      return;
    }
    deck.style.setProperty("--scale", String(flows ? 1 : Math.min(innerWidth / WIDE, innerHeight / HIGH)));
  }

  function end() {
    if (!on) return;
    on = false;
    const { from } = slides[at.slide];
    root.classList.remove("presenting", "with-notes");
    history.replaceState(history.state, "", location.pathname + location.search);
    deck.hidden = true;
    if (document.fullscreenElement) document.exitFullscreen();
    // Live tests change their height when they come into sight.
    const settling = new ResizeObserver(() => from.scrollIntoView({ block: "start", behavior: "instant" }));
    settling.observe(article);
    setTimeout(() => settling.disconnect(), SETTLING);
    ended();
  }

  /** print fetches all pictures first, because paper shows every page. */
  async function print(withNotes = false) {
    say("Drawing all pictures.");
    for (const s of slides) await prepare(s);
    for (const s of slides) for (const p of s.pages) reveal(p, p.steps);
    root.classList.toggle("with-notes", withNotes);
    for (const old of stage.querySelectorAll(".paper-notes")) old.remove();
    if (withNotes) {
      for (const s of slides) s.pages.at(-1)?.el.after(make("div", "paper-notes", ...s.notes.map((n) => n.cloneNode(true))));
    }
    const theme = root.dataset.theme;
    root.dataset.theme = "light"; // printing uses the light theme
    window.print();
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    root.classList.remove("with-notes");
    if (on) show(at);
  }

  const openNotes = () => open(`${location.pathname}${location.search}#notes=${at.slide + 1}${at.step ? `.${at.step}` : ""}`, "litmuscope-notes", "width=1100,height=720");
  /** @type {[string, string, () => unknown][]} */
  const buttons = [
    ["Previous", "PageUp, ←", () => turn(-1)],
    ["Next", "PageDown, →, space", () => turn(1)],
    ["Open notes", "A second window with your notes (n)", openNotes],
    ["Print slides", "One slide on each page", () => print()],
    ["Print handout", "Slides with their notes", () => print(true)],
    ["End presentation", "Escape", end],
  ];
  for (const [name, title, act] of buttons) {
    const b = make("button", "", name);
    b.type = "button";
    b.title = title;
    b.addEventListener("click", () => {
      act();
      deck.focus(); // so that space turns the slide
    });
    bar.append(b);
  }

  /** @type {Record<string, (() => unknown) | undefined>} */
  const keys = {
    PageDown: () => turn(1),
    ArrowRight: () => turn(1),
    ArrowDown: () => turn(1),
    " ": () => turn(1),
    PageUp: () => turn(-1),
    ArrowLeft: () => turn(-1),
    ArrowUp: () => turn(-1),
    Home: () => show({ slide: 0, step: 0 }),
    End: () => show({ slide: slides.length - 1, step: 0 }),
    b: () => darken(!darkened()),
    ".": () => darken(!darkened()),
    f: () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()),
    n: openNotes,
    Escape: end,
  };
  addEventListener("keydown", (e) => {
    if (!on || e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    if (e.key === " " && /** @type {HTMLElement} */ (e.target).closest("button")) return;
    const act = keys[e.key];
    if (!act) return;
    e.preventDefault();
    act();
  });
  /** @type {Touch | null} */
  let finger = null;
  deck.addEventListener("touchstart", (e) => (finger = e.touches.length === 1 ? e.touches[0] : null), { passive: true });
  deck.addEventListener("touchend", (e) => {
    const [dx, dy] = finger ? [e.changedTouches[0].clientX - finger.clientX, e.changedTouches[0].clientY - finger.clientY] : [0, 0];
    if (Math.abs(dx) > SWIPE && Math.abs(dx) > 2 * Math.abs(dy)) turn(dx < 0 ? 1 : -1);
  });
  addEventListener("resize", resize);
  addEventListener("hashchange", () => {
    const place = placeIn(location.hash);
    if (place && on) show(place);
  });
  channel.addEventListener("message", ({ data }) => {
    if (!on) return;
    if ("hello" in data) {
      if (!notesView) channel.postMessage(at);
    } else if ("blank" in data) {
      darken(data.blank, true);
    } else if (data.slide !== at.slide || data.step !== at.step) {
      prepare(slides[data.slide]).then(() => show(data, true));
    }
  });

  /** @param {Place} [place] where to begin */
  async function begin(place = at) {
    on = true;
    deck.hidden = false;
    root.classList.add("presenting");
    resize();
    show({ slide: place.slide, step: 0 }, true);
    deck.focus();
    if (place.step > 0) {
      await prepare(slides[at.slide]);
      show(place, true);
    }
    channel.postMessage(notesView ? { hello: true } : at);
  }
  if (notesView) {
    const { notes } = await import("./slidenotes.js");
    followers.push(notes({ deck, slides, find, presses, prepare }));
  }
  return { begin, place: () => at };
}
