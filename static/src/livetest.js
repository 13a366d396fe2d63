// A live test in a lesson: the reader can choose cells for pictures, and edit the test.

import { pathTo } from "./base.js";
import * as address from "./address.js";
import * as answer from "./answer.js";
import { hiding } from "./hiding.js";
import { keyboard } from "./keyboard.js";
import * as picture from "./picture.js";
import { asYouType } from "./rerun.js";
import { nonce, send } from "./send.js";

let editors = 0;

/**
 * mountEditor turns a textarea into an editor of tests.
 * @param {HTMLTextAreaElement} area
 * @param {() => void} run what Control-Enter does
 * @param {{changed: () => void, checked: (errors: number) => void}} [again] is told what is typed
 */
export async function mountEditor(area, run, again) {
  const { mount } = await import("./editor.js");
  const editor = mount(area, nonce, {
    id: `live-editor-${++editors}`,
    run,
    change: () => again?.changed(),
    pasted() {},
    cell() {},
    async check(source) {
      try {
        const body = new URLSearchParams({ source });
        /** @type {Checked} */
        const { errors, remarks, arch } = await (await send(pathTo("/check"), body)).json();
        editor.speak(arch);
        if (source === editor.text()) again?.checked(errors.length);
        return [...errors.map((e) => ({ ...e, severity: /** @type {const} */ ("error") })), ...remarks.map((m) => ({ ...m, severity: /** @type {const} */ ("info") }))];
      } catch {
        return []; // running it reports the errors
      }
    },
  });
  return editor;
}

/**
 * mount makes a live test interactive.
 * @param {HTMLElement} box
 * @param {{say: (text: string) => void}} on
 */
export async function mount(box, { say }) {
  const state = { options: /** @type {Record<string, string>} */ ({}), .../** @type {LinkState} */ (JSON.parse(box.querySelector(":scope > script[type='application/json']").textContent)) };
  const listing = box.querySelector(".listing");
  const result = box.querySelector(".answer");
  const pane = box.querySelector(".pictures");
  const question = () => address.fields(state);
  /** @type {Editor | null} */
  let editor = null;
  /** @type {AbortController | null} */
  let asking = null;

  const pictures = picture.mount(pane, {
    still: true,
    walks: true,
    question,
    columns: () => answers.columns(),
    light(keys) {
      for (const cell of listing.querySelectorAll("[data-cell]")) cell.classList.toggle("lit", keys.has(cell.dataset.cell));
      editor?.light(keys);
    },
    goTo() {},
    chosen: (pick) => answers.press(pick),
    changed() {},
    say,
  });
  const answers = answer.mount(result, {
    question,
    picture: (pick) => pictures.show(pick),
    beside() {},
    start() {},
    remove() {},
    goTo: (line, col) => editor?.goTo(line, col),
  });
  for (const cell of listing.querySelectorAll("[data-cell]")) {
    cell.addEventListener("mouseenter", () => pictures.lightCell(cell.dataset.cell));
    cell.addEventListener("mouseleave", () => pictures.lightCell(null));
  }
  // The box for runs may have been opened while this script was loaded.
  if (result.querySelector(".device[open]")) import("./device.js").then((d) => d.run(result, question()));
  pictures.restore(address.viewOf({ tab: pane.dataset.tab }));
  answers.take();
  if (result.querySelector("[data-late]")) run();
  await pictures.adopt();

  // What belongs to another text than the editor's is hidden: the answer, and what the lesson says of its own text.
  const first = state.source;
  const title = /** @type {HTMLElement | null} */ (box.querySelector("header h3")); // tests of answers have none
  const name = title?.textContent ?? "";
  let answered = first;
  const hideAnswer = hiding(() => [result, pane], "The test has changed. Run it to see its answer, or undo the edit.");
  const hideWords = hiding(() => [...box.querySelectorAll(".why-text, .guess, .came")], "");
  function mark() {
    const now = editor?.text() ?? state.source;
    hideAnswer(now !== answered);
    hideWords(now !== first);
    if (title) title.textContent = name + (now === first ? "" : " (edited)");
  }

  // Each change cancels the previous run.
  const typing = asYouType({ text: () => editor?.text() ?? "", due: () => editor?.text() !== state.source || !asking, run });
  const again = {
    checked: typing.checked,
    changed() {
      mark();
      if (typing.changed()) asking?.abort();
    },
  };

  // run answers the current text.
  async function run() {
    typing.ran();
    asking?.abort();
    const mine = (asking = new AbortController());
    if (editor) state.source = editor.text();
    pictures.stop();
    result.setAttribute("aria-busy", "true");
    try {
      const r = await send(pathTo("/learn/run"), question(), mine.signal);
      const html = await r.text();
      if (mine.signal.aborted) return;
      const pick = answers.show(html);
      const drawn = pane.childElementCount > 0;
      pictures.clear();
      answered = state.source;
      mark();
      if (pick && drawn) await pictures.show(pick, false);
      say(result.querySelector("[data-summary]")?.dataset.summary ?? "");
    } catch (e) {
      if (mine.signal.aborted) return;
      const p = document.createElement("p");
      p.className = "problem";
      p.textContent = e.message;
      result.replaceChildren(p);
      pictures.clear();
      answered = state.source;
      mark();
      say(e.message);
    } finally {
      if (asking === mine) result.removeAttribute("aria-busy");
    }
  }

  return {
    /**
     * submit does what a button does that would send a form.
     * @param {HTMLButtonElement | null | undefined} button
     */
    async submit(button) {
      if (button?.name === "cell") {
        answers.choose(button);
        return;
      }
      if (button?.form?.classList.contains("open")) location.href = pathTo(`/${await address.encode(state)}`);
    },
    /** edit turns the listing into an editor. */
    async edit() {
      const button = box.querySelector("button[data-edit]");
      if (editor) return;
      button.disabled = true;
      const area = document.createElement("textarea");
      area.value = state.source;
      const writing = document.createElement("div");
      writing.className = "writing";
      writing.append(area);
      listing.after(writing);
      editor = await mountEditor(area, run, again);
      listing.hidden = true;
      listing.classList.add("edited");
      const go = document.createElement("p");
      go.className = "doings";
      const [main, back] = [document.createElement("button"), document.createElement("button")];
      main.type = back.type = "button";
      main.className = "main";
      main.dataset.run = "";
      main.textContent = "Run";
      if (keyboard) main.title = "Ctrl-Enter, ⌘-Enter";
      main.addEventListener("click", run);
      back.className = "quiet";
      back.textContent = "Reset";
      const before = state.source;
      back.addEventListener("click", () => {
        editor?.setText(before);
        run();
      });
      go.append(main, back);
      writing.append(go); // below the editor, beside the answer
      button.hidden = true;
      editor?.focus();
    },
  };
}
