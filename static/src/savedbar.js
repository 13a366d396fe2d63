// A bar over a model's text: open a saved model, save the text under a name, download it. Loaded where models are written.

import { button } from "./cateditorparts.js";
import * as saved from "./savedmodels.js";
import { words } from "./words.js";

/** builtin returns the names that no own model can have. */
export const builtin = async () => (await words("cat"))?.builtin ?? [];

/**
 * download saves a model as .cat files.
 * @param {OwnModel} model
 */
export function download(model) {
  for (const { name, text } of saved.filesOf(model)) {
    const a = document.createElement("a");
    a.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  }
}

/**
 * fillSaved lists the saved models in a select, after its first option, and keeps the list up to date.
 * @param {HTMLSelectElement} select
 */
export function fillSaved(select) {
  const [first] = select.options;
  const draw = () => {
    select.replaceChildren(first, ...saved.list().map((m) => new Option(m.name, m.name)));
    select.hidden = select.options.length === 1;
  };
  draw();
  saved.watch(draw);
}

/**
 * mount makes a bar.
 * @param {{ model(): OwnModel, put(model: OwnModel): unknown, named?: boolean }} page
 *   model(): the model as it stands; put(model): puts another one in place; named: the bar has a field for the name,
 *   as the page has none
 * @returns {HTMLElement}
 */
export function mount({ model, put, named = false }) {
  const bar = document.createElement("div");
  bar.className = "saved-models";
  const select = document.createElement("select");
  select.setAttribute("aria-label", "Open a saved model");
  select.append(new Option("Open a saved model …", ""));
  fillSaved(select);
  const name = document.createElement("input");
  name.size = 12;
  name.placeholder = "name";
  name.setAttribute("aria-label", "Name to save the model under");
  name.hidden = !named;
  const note = document.createElement("p");
  note.className = "hint";
  note.setAttribute("role", "status");
  /** @type {Map<string, number>} versions that the texts here are edits of */
  const seen = new Map();

  const now = () => ({ ...model(), ...(named && { name: name.value.trim() }) });
  async function save(replace = false) {
    try {
      const m = now();
      const kept = saved.save(m, { builtin: await builtin(), seen: seen.get(m.name), replace });
      seen.set(kept.name, kept.at);
      note.textContent = `Saved “${kept.name}” in this browser. You can choose it on all pages.`;
    } catch (e) {
      note.textContent = `${e.message} `;
      if (e.taken) note.append(button("Replace", () => save(true)));
    }
  }
  select.addEventListener("change", () => {
    const chosen = saved.find(select.value);
    select.value = "";
    if (!chosen) return;
    seen.set(chosen.name, chosen.at);
    if (named) name.value = chosen.name;
    put({ name: chosen.name, text: chosen.text, files: { ...chosen.files } });
    note.textContent = `Opened “${chosen.name}”.`;
  });
  bar.append(
    select,
    name,
    button("Save model", () => save()),
    button("Download .cat", () => download({ ...now(), name: now().name || "model" })),
    note,
  );
  return bar;
}
