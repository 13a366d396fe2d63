// What the explorer's page and the one on programs have in common: a form with a text, its answer and
// pictures beside it. The server renders everything; this sends the form, puts what comes in place, and
// keeps editor, answer, picture, drafts and address together.

import * as address from "./address.js";
import * as cards from "./cards.js";
import * as drafting from "./drafts.js";
import * as editing from "./editor.js";
import * as engines from "./engines.js";
import * as files from "./open.js";
import * as ownModels from "./ownmodels.js";
import * as panes from "./panes.js";
import * as picker from "./picker.js";
import * as picture from "./picture.js";
import * as rerun from "./rerun.js";
import { fields, lines, nonce, send } from "./send.js";
import * as states from "./state.js";
import * as visiting from "./visits.js";
import * as waiting from "./waiting.js";

/** @type {(id: string) => HTMLElement} */
const named = (id) => document.getElementById(id);

/**
 * mount ties a page's parts together; begin() asks its first question.
 * @param {HTMLFormElement} form whose action is where questions go
 * @param {BenchPage} page what differs
 *   editor, pictures, files: what these modules want besides;
 *   name(state): what to call a question;
 *   state(): what the state has besides the form's; choose(state): ticks, before the options are put in
 *   place; restored(state): puts the rest in place; chose(name): a field is another now;
 *   brief(link, state), whole(state, link): between a state and what links have of it;
 *   unnamed(link): the text in the editor is none of the server's;
 *   checks: where a text is checked; checkAll: with all of the form; checked(text, answer);
 *   examples: where texts to begin with are, by id; address: … their pages; noExample: that there is none;
 *   picked(example): puts one in place;
 *   show(html): puts an answer in place, and gives the pick that answers the question;
 *   pick(first, wished, last): what to show a picture of, null for nothing as long as it is not the last part; wishes: how pictures.show takes it;
 *   placed(): a picture is, or is no longer
 */
export function mount(form, page) {
  const [result, note, status, bar] = ["result", "note", "status", "drafts"].map(named);
  /** @type {AbortController | null} */
  let running = null; // the AbortController of the run under way
  let runningFor = ""; // … and the question that it is for
  let askedFor = ""; // the question that the answer on show is for
  /** @type {URLSearchParams | null} */
  let asked = null; // the form as it was when the answer on show was asked for
  /** @type {Question | null} */
  let askedState = null; // … and the state
  /** @type {Picked | null} */
  let answering = null; // the pick that answers the question
  let chosen = false; // a picture is, since the run has begun
  let fresh = true; // what is on show is going to be what the address is for

  /** @param {string} text */
  const say = (text) => {
    status.textContent = text;
  };
  const formData = () => fields(form);

  const own = ownModels.mount(form, { run: () => run(), changed: () => changed() });
  const editor = editing.mount(form.elements.source, nonce, { ...page.editor, run: () => run(), change: changed, check });
  const pictures = picture.mount(named("picture"), {
    ...page.pictures,
    question: () => /** @type {URLSearchParams} */ (asked),
    chosen(pick) {
      chosen = true;
      page.pictures.chosen(pick);
    },
    changed() {
      page.placed?.();
      visits.changed();
    },
    say,
  });
  const now = () => JSON.stringify(state());
  const edited = () => askedState !== null && now() !== askedFor;
  const mark = () => form.classList.toggle("edited", edited());
  const drafts = drafting.mount({ get: state, set: restore, name: page.name, bar });
  const visits = visiting.mount({ state: onShow, open: openLink, pick: (id) => pick(id, false), fail: (e) => tell(e.message) });

  // state is all of the question, as drafts keep it; restore puts one in place, and gives a promise where
  // something has to come first.
  function state() {
    return { source: editor.text(), ...states.read(form), own: own.state(), ...page.state?.() };
  }

  /** @param {Question} s */
  function restore(s) {
    engines.release(form);
    page.choose(s);
    states.write(form, s);
    engines.fit(form);
    editor.setText(s.source);
    page.restored?.(s);
    const ready = own.restore(s.own);
    changed();
    return ready;
  }

  /** @param {Question} s */
  const brief = (s) => page.brief(states.brief(form, s), s);

  // onShow is the question as it was asked and what is shown of the answer, as links have it;
  // what is shown by itself goes without saying.
  function onShow(all = false) {
    if (!askedState) return null;
    const view = pictures.state();
    const { pick } = view;
    const byItself = !all && pick?.column === answering?.column && pick?.state === answering?.state && !pick?.flag && !(/** @type {number} */ (pick?.n) > 1);
    return { ...brief(askedState), view: address.brief({ ...view, pick: byItself ? null : pick }) };
  }

  // shared is what links are made of: what is on show, or what has been typed since.
  function shared() {
    return edited() || !askedState ? { ...brief(state()), view: {} } : /** @type {Link} */ (onShow(true));
  }

  // openLink puts what a link holds in place.
  /** @param {Required<Link> & { view: View }} link */
  async function openLink(link) {
    const whole = page.whole(states.whole(form, link), link);
    drafts.leaving();
    if (link.source !== editor.text()) {
      note.textContent = "";
      page.unnamed(whole);
    }
    pictures.forget();
    fresh = false;
    await restore(whole);
    document.documentElement.classList.remove("restoring");
    drafts.moved();
    pictures.restore(link.view);
    await run(link.view.pick);
  }

  // changed is called when the visitor changes anything.
  function changed() {
    mark();
    drafts.changed();
    if (again.changed() && running && now() !== runningFor) {
      const old = running;
      running = null; // its end is nobody's concern
      old.abort();
    }
  }

  // due tells whether the question is another than the one that is answered, or is being asked.
  const due = () => now() !== (running ? runningFor : askedFor);

  const again = rerun.asYouType({ toggle: /** @type {HTMLInputElement} */ (named("rerun")), text: () => editor.text(), due, run: () => run() });

  // tell says something that is to be seen, too.
  /** @param {string} text */
  function tell(text) {
    const p = document.createElement("span");
    p.textContent = text;
    bar.replaceChildren(p);
    bar.hidden = false;
  }

  /** @param {string} text */
  async function check(text) {
    try {
      const body = page.checkAll ? formData() : new URLSearchParams();
      if (!page.checkAll) body.set("source", text);
      /** @type {Checked} */
      const answer = await (await send(page.checks, body)).json();
      if (text === editor.text()) {
        page.checked?.(answer);
        again.checked(answer.errors.length);
      }
      /**
       * @param {ModelMark[]} list
       * @param {Problem["severity"]} severity
       */
      const of = (list, severity) => list.map((e) => ({ ...e, severity }));
      return [...of(answer.errors, "error"), ...of(answer.remarks, "info")];
    } catch {
      if (text === editor.text()) again.checked(0); // a run will say what is wrong
      return [];
    }
  }

  /**
   * run asks the form's question.
   * @param {Picked | null} wished what to show a picture of, rather than of what answers
   */
  async function run(wished = null) {
    running?.abort();
    pictures.stop();
    const mine = (running = new AbortController());
    const question = formData();
    const asking = state();
    runningFor = JSON.stringify(asking);
    /** @type {typeof import("./parts.js") | null} */
    let parts = null; // once the answer comes in parts
    chosen = false;
    again.ran();
    const wait = waiting.begin(result, {
      what: `${form.elements.engine.value} under ${question.getAll("model").length || "the usual"} models`,
      cancel: () => mine.abort(),
    });
    try {
      const r = await send(form.getAttribute("action") ?? "", question, mine.signal);
      const coming = r.headers.get("Content-Type") === lines;
      if (coming) parts = await import("./parts.js");
      for await (const { part, last, problem } of coming ? /** @type {typeof import("./parts.js")} */ (parts).read(r) : [{ part: await r.text(), last: true }]) {
        if (mine !== running) return;
        if (problem) throw new Error(problem);
        [asked, askedState] = [question, asking];
        askedFor = runningFor;
        mark();
        const restore = parts?.keep(result);
        result.removeAttribute("aria-busy"); // first: what comes in is not dimmed
        answering = page.show(part);
        if (parts) wait.came();
        restore?.();
        choose(wished, last);
      }
    } catch (e) {
      if (running === mine && mine.signal.aborted) {
        tell(parts ? "Cancelled." : "Cancelled. What is shown is of an earlier run.");
        if (parts) choose(wished, true);
      }
      if (!mine.signal.aborted) fail(e);
    } finally {
      wait.end();
      if (running === mine) running = null;
    }
  }

  // choose shows a picture for the part of the answer that has come.
  /**
   * @param {Picked | null} wished
   * @param {boolean | undefined} last
   */
  function choose(wished, last) {
    if (last) {
      editor.recheck();
      say(result.querySelector("[data-summary]")?.dataset.summary ?? "");
    }
    if (chosen) {
      page.pictures.chosen(/** @type {Picked} */ (pictures.state().pick));
      return;
    }
    const pick = page.pick(answering, wished, last);
    if (!pick && !last) {
      named("picture").setAttribute("aria-busy", "true"); // of an earlier run
      return;
    }
    if (!pick) clear();
    Promise.resolve(!pick || pictures.show(pick, page.wishes)).then((done) => {
      if (fresh && done) visits.settled();
      fresh = false;
      visits.changed();
    });
  }

  function clear() {
    named("picture").removeAttribute("aria-busy");
    pictures.clear();
    page.placed?.();
  }

  /** @param {Error} error */
  function fail(error) {
    const p = document.createElement("p");
    p.className = "problem";
    p.textContent = error.message;
    page.show("");
    result.replaceChildren(p);
    clear();
    say(p.textContent);
  }

  // pick puts a text of the server's in place.
  /** @param {string} id */
  async function pick(id, remember = true) {
    try {
      const r = await fetch(page.examples + encodeURIComponent(id));
      if (!r.ok) throw new Error(`${page.noExample} ${id}.`);
      /** @type {Example} */
      const example = await r.json();
      await editor.ready();
      drafts.leaving();
      editor.setText(example.source);
      page.picked(example);
      note.textContent = example.note;
      if (remember) history.pushState({ test: id }, "", page.address + encodeURIComponent(id));
      visits.moved();
      drafts.moved();
      pictures.forget();
      fresh = true;
      await run();
    } catch (e) {
      fail(e);
    }
  }

  // take puts a text that came from elsewhere in place of the one in the editor; called() says what it is.
  /**
   * @param {string} text
   * @param {() => unknown} called
   */
  async function take(text, called) {
    drafts.leaving();
    editor.setText(text);
    note.textContent = "";
    await called();
    await run();
  }

  // mine are the texts of this kind that this browser keeps of its visitor, but for the one in the editor.
  function mine() {
    const now = state();
    /** @param {Question} s */
    const programs = (s) => s.arch === "program";
    const others = drafts.recent().filter((d) => programs(d.state) === programs(now) && d.state.source !== now.source);
    return others.map((d) => ({
      name: d.name,
      note: `edited ${drafting.when(d.at)}`,
      take() {
        drafts.leaving();
        drafts.restore(d.key);
        run();
      },
    }));
  }

  // A test goes on the sheet as a link to it would have it.
  const sheetButton = /** @type {HTMLButtonElement} */ (named("sheet"));
  sheetButton?.addEventListener("click", async () => {
    try {
      const [{ add }, { encode }] = await Promise.all([import("./sheet.js"), import("./address.js")]);
      const state = shared();
      if (state) add(sheetButton, (await encode(state)).slice(1), say);
    } catch (e) {
      say(/** @type {Error} */ (e).message);
    }
  });

  // share opens the menu of links and copies, which is fetched when it is first wanted.
  const shareButton = named("share");
  async function share() {
    shareButton.removeEventListener("click", share);
    try {
      const sharing = await import("./share.js");
      (await sharing.mount(shareButton, { state: shared, fields: formData, name: () => page.name(state()), say })).open();
    } catch (e) {
      shareButton.addEventListener("click", share);
      tell(e.message);
    }
  }
  shareButton.addEventListener("click", share);

  form.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && !e.defaultPrevented) run();
  });
  form.addEventListener("change", (e) => {
    if (e.target.id === "rerun" || e.target.type === "file") return;
    changed();
    if (e.target.name === "engine") engines.fit(form);
    page.chose?.(e.target.name);
  });
  // Links within the page move the focus, and leave the address alone.
  document.addEventListener("click", (e) => {
    const to = e.target.closest?.(".skip, .jump a")?.getAttribute("href");
    if (!to) return;
    e.preventDefault();
    const pane = document.querySelector(to);
    pane.focus();
    pane.scrollIntoView({ block: "start" });
  });

  // begin asks the first question: of the address's fragment, or as the server has put it, but
  // for what was typed here before.
  async function begin() {
    panes.activate(form);
    if (!CSS.supports("position-area", "bottom")) import("./beside.js");
    engines.fit(form);
    files.mount({ ...page.files, button: named("open"), ready: () => editor.ready(), say: tell });
    picker.activate(named("pick"), named("picker"), { pick, arch: () => form.elements.arch.value, mine });
    cards.activate();
    own.begin();
    document.documentElement.classList.add("live");
    editor.speak(form.elements.arch.value);
    const { test, view } = form.dataset;
    if (test && !history.state) history.replaceState({ test }, "");
    if (address.carries(location.hash) && (await visits.here())) {
      drafts.resume(/** @type {PerformanceNavigationTiming} */ (performance.getEntriesByType("navigation")[0])?.type !== "navigate");
      return;
    }
    document.documentElement.classList.remove("restoring");
    const shown = view ? address.viewOf(JSON.parse(view)) : null;
    if (shown) pictures.restore(shown);
    if (drafts.resume()) fresh = false;
    run(shown?.pick);
  }

  return { form, result, note, own, editor, pictures, due, drafts, question: () => /** @type {URLSearchParams} */ (asked), state, changed, say, tell, check, run, pick, take, mine, begin };
}
