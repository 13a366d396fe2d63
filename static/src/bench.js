// The common part of the explorer and the programs page: a form with a text, its answer and its pictures. The server
// renders everything; this script sends the form, inserts the results, and keeps editor, answer, picture, drafts and
// address in step.

import * as address from "./address.js";
import * as answers from "./answering.js";
import { ask, drop, isDue, isEdited, isRetyped, othersLike, problemsOf, showsByItself } from "./asked.js";
import * as buttons from "./benchbuttons.js";
import * as cards from "./cards.js";
import * as drafting from "./drafts.js";
import * as editing from "./editor.js";
import * as engines from "./engines.js";
import * as ownModels from "./ownmodels.js";
import * as panes from "./panes.js";
import * as picker from "./picker.js";
import * as picture from "./picture.js";
import * as rerun from "./rerun.js";
import { fields, nonce, send } from "./send.js";
import * as states from "./state.js";
import * as visiting from "./visits.js";

/** @type {(id: string) => HTMLElement} */
const named = (id) => document.getElementById(id);

/**
 * mount connects a page's parts; begin() asks its first question.
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
 *   placed(): a picture is, or is no longer;
 *   compile(to): shows the text compiled
 */
export function mount(form, page) {
  const [result, note, status, bar, pane] = ["result", "note", "status", "drafts", "picture"].map(named);
  /** @type {import("./asked.js").Asked} */
  const asked = { running: null, answered: null };
  let fresh = true; // the page will show the content of its address
  let described = ""; // the text that the page's title, name and note are about

  /** @param {string} text */
  const say = (text) => {
    status.textContent = text;
  };
  /** @param {string} text */
  const tell = (text) => {
    const p = document.createElement("span");
    p.textContent = text;
    bar.replaceChildren(p); // also show it
    bar.hidden = false;
  };
  const formData = () => fields(form);

  const answer = answers.mount(form, page, {
    result,
    pane,
    asked,
    pictures: () => pictures,
    begin() {
      again.ran();
      return ask(asked, formData(), state());
    },
    came: mark,
    ended: () => editor.recheck(),
    tell,
    say,
    shown(done) {
      if (fresh && done) visits.settled();
      fresh = false;
      visits.changed();
    },
  });
  const { run, fail } = answer;
  const question = () => /** @type {URLSearchParams} */ (asked.answered?.fields);

  const own = ownModels.mount(form, { run: () => run(), changed: () => changed() });
  const editor = editing.mount(form.elements.source, nonce, { ...page.editor, run: () => run(), change: changed, check });
  const pictures = picture.mount(pane, {
    ...page.pictures,
    question,
    chosen: answer.chosen,
    changed() {
      page.placed?.();
      visits.changed();
    },
    say,
  });
  const drafts = drafting.mount({ get: state, set: restore, name: page.name, bar });
  const visits = visiting.mount({ state: onShow, open: openLink, pick: (id) => pick(id, false), fail: (e) => tell(e.message) });
  const again = rerun.asYouType({
    toggle: /** @type {HTMLInputElement} */ (named("rerun")),
    text: () => editor.text(),
    due: () => isDue(asked, state()),
    run: () => run(),
  });

  // mark marks what is shown but does not belong to the text in the editor: the style sheet hides it.
  function mark() {
    const now = state();
    const retyped = isRetyped(asked, now);
    form.classList.toggle("edited", isEdited(asked, now));
    form.classList.toggle("retyped", retyped);
    if (retyped) say("");
    const altered = now.source !== described;
    form.classList.toggle("altered", altered);
    document.title = document.title.replace(/( \(edited\))? –/, altered ? " (edited) –" : " –");
  }

  // describe says that title, name and note are about a text.
  function describe(text = state().source) {
    described = text;
    mark();
  }

  // state returns the whole question for drafts. restore puts one in place; it returns a promise if something has to
  // load first.
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
    described = s.source;
    changed();
    return ready;
  }

  /** @param {Question} s */
  const brief = (s) => page.brief(states.brief(form, s), s);

  // onShow returns the question as it was asked and the view of its answer, for links.
  function onShow(all = false) {
    if (!asked.answered) return null;
    const view = pictures.state();
    const pick = !all && showsByItself(view.pick, answer.answering()) ? null : view.pick;
    return { ...brief(asked.answered.state), view: address.brief({ ...view, pick, compiled: result.querySelector(".made")?.dataset.compiled }) };
  }

  /**
   * shared returns the content of links: the question on show, or the edited one.
   * @returns {Link}
   */
  function shared() {
    const now = state();
    return (isEdited(asked, now) ? null : onShow(true)) ?? { ...brief(now), view: {} };
  }

  // openLink puts the content of a link in place.
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
    await show(link.view);
  }

  // show runs the question and shows a link's view of its answer.
  /** @param {View | null} view */
  async function show(view) {
    await run(view?.pick);
    if (view?.compiled) page.compile?.(view.compiled);
  }

  // changed is called after every change by the visitor.
  function changed() {
    mark();
    drafts.changed();
    if (again.changed() && asked.running && isDue(asked, state())) drop(asked);
  }

  /** @param {string} text */
  async function check(text) {
    try {
      const body = page.checkAll ? formData() : new URLSearchParams();
      if (!page.checkAll) body.set("source", text);
      /** @type {Checked} */
      const found = await (await send(page.checks, body)).json();
      if (text === editor.text()) {
        page.checked?.(found);
        again.checked(found.errors.length);
      }
      return problemsOf(found);
    } catch {
      if (text === editor.text()) again.checked(0); // a run reports the errors
      return [];
    }
  }

  // pick puts a text of the server in place.
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
      describe();
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

  // take replaces the text in the editor by one from elsewhere; called() names it.
  /**
   * @param {string} text
   * @param {() => unknown} called
   */
  async function take(text, called) {
    drafts.leaving();
    editor.setText(text);
    note.textContent = "";
    await called();
    describe();
    await run();
  }

  // mine returns the visitor's stored texts of this kind, except the one in the editor.
  const mine = () =>
    othersLike(state(), drafts.recent()).map((d) => ({
      name: d.name,
      note: `edited ${drafting.when(d.at)}`,
      take() {
        drafts.leaving();
        drafts.restore(d.key);
        run();
      },
    }));

  /** listen hears what is pressed around the text and the answer. */
  function listen() {
    buttons.sheet(/** @type {HTMLButtonElement | null} */ (named("sheet")), shared, say);
    buttons.share(named("share"), { state: shared, fields: formData, name: () => page.name(state()), say }, tell);
    buttons.jumps();
    result.addEventListener("compiled", visits.changed);
    form.addEventListener("keydown", (e) => {
      if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && !e.defaultPrevented) run();
    });
    form.addEventListener("change", (e) => {
      if (e.target.id === "rerun" || e.target.type === "file") return;
      changed();
      if (e.target.name === "engine") engines.fit(form);
      page.chose?.(e.target.name);
    });
  }
  listen();

  // begin asks the first question: that of the address's fragment or of the server, unless a draft replaces it.
  async function begin() {
    panes.activate(form);
    describe();
    if (!CSS.supports("position-area", "bottom")) import("./beside.js");
    engines.fit(form);
    // The page is complete without it: it need not be part of the first load.
    addEventListener("load", () =>
      setTimeout(async () => (await import("./open.js")).mount({ ...page.files, button: named("open"), ready: () => editor.ready(), say: tell })),
    );
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
    show(shown);
  }

  return { result, note, own, editor, pictures, question, changed, check, describe, run, take, begin };
}
