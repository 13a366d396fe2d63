// The visitor's saved models on pages with plain forms: their list on the Models page, and their names wherever a form
// takes a model. A form sends the texts of the models that it names.

import { encode } from "./address.js";
import { pathTo } from "./base.js";
import { button } from "./cateditorparts.js";
import { titleOf } from "./modelnames.js";
import * as bar from "./savedbar.js";
import * as saved from "./savedmodels.js";

// Make the address bar show the address of the result.
const result = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a[data-address]"));
if (result && location.href !== result.href) history.replaceState(history.state, "", result.href);

/** @param {string} name @param {string} value */
function hidden(name, value) {
  const input = document.createElement("input");
  input.type = "hidden";
  input.name = name;
  input.value = value;
  return input;
}

/**
 * fieldsOf returns the form fields of a model.
 * @param {OwnModel} m
 */
const fieldsOf = (m) => [
  hidden("own-name", m.name),
  hidden("own-text", m.text),
  hidden("own-files", Object.keys(m.files).length > 0 ? JSON.stringify(m.files) : ""),
];

/**
 * sendNamed has a form send the saved models that some of its fields name, unless the form has their texts itself.
 * @param {HTMLFormElement} form
 * @param {string[]} fields
 */
function sendNamed(form, fields) {
  const extra = document.createElement("span");
  extra.hidden = true;
  form.prepend(extra);
  form.addEventListener("submit", () => {
    extra.replaceChildren();
    const sent = new FormData(form);
    const texts = sent.getAll("own-text");
    const has = sent.getAll("own-name").filter((_, i) => String(texts[i]).trim() !== "");
    for (const name of new Set(fields.map((f) => String(sent.get(f)).split("~")[0]))) {
      const model = saved.find(name);
      if (model && !has.includes(name)) extra.append(...fieldsOf(model));
    }
  });
}

/**
 * listIn keeps options of the saved models up to date at the end of a list.
 * @param {HTMLElement} list a select or a datalist
 */
function listIn(list) {
  const draw = () => {
    for (const o of list.querySelectorAll("option[data-saved]")) o.remove();
    const there = new Set([...list.querySelectorAll("option")].map((o) => o.value));
    for (const m of saved.list()) {
      if (there.has(m.name)) continue;
      const o = new Option(`${m.name} (saved)`, m.name);
      o.dataset.saved = "";
      list.append(o);
    }
  };
  draw();
  saved.watch(draw);
}

// Forms with a text of a model.
for (const area of document.querySelectorAll("textarea[name=own-text]")) {
  const form = area.closest("form");
  const [name, files] = ["own-name", "own-files"].map((n) => /** @type {HTMLInputElement} */ (form.querySelector(`[name=${n}]`)));
  /** @returns {OwnModel} */
  const model = () => ({ name: name.value.trim(), text: area.value, files: files.value ? JSON.parse(files.value) : {} });
  const put = (/** @type {OwnModel} */ m) => {
    name.value = m.name;
    area.value = m.text;
    files.value = Object.keys(m.files).length > 0 ? JSON.stringify(m.files) : "";
    const details = area.closest("details");
    if (details) details.open = true;
    area.dispatchEvent(new Event("input", { bubbles: true })); // hear that, who shows what it answers
  };
  name.closest("label").before(bar.mount({ model, put }));
}

// Two models to distinguish, and a model to compare with a built-in one.
const known = document.getElementById("known");
if (known) listIn(known);
const distinguish = document.querySelector("form[action$='/distinguish']");
if (distinguish) sendNamed(/** @type {HTMLFormElement} */ (distinguish), ["left", "right"]);
const mine = document.querySelector(".again select[name=mine]");
if (mine) {
  listIn(mine);
  sendNamed(/** @type {HTMLFormElement} */ (mine.closest("form")), ["mine"]);
}

// Models to tick for a suite.
const ticks = document.querySelector("[data-saved-ticks]");
if (ticks) {
  document.querySelector("[data-saved-hint]").hidden = false;
  const draw = () => {
    const sent = [...ticks.children].filter((label) => label.querySelector("input:checked")); // chosen already
    const chosen = sent.map((label) => label.querySelector("input").value);
    const models = saved.list();
    const elsewhere = sent.filter((_, i) => !models.some((m) => m.name === chosen[i])); // no longer saved, but chosen
    ticks.replaceChildren(...models.map((m) => tick(m, chosen.includes(m.name))), ...elsewhere);
    ticks.hidden = ticks.children.length === 0;
  };
  draw();
  saved.watch(draw);
}

/** @param {OwnModel} m @param {boolean} checked */
function tick(m, checked) {
  const label = document.createElement("label");
  const box = document.createElement("input");
  const fields = document.createElement("span");
  box.type = "checkbox";
  box.value = m.name; // it has no name: the fields name the model
  box.checked = checked;
  const choose = () => fields.replaceChildren(...(box.checked ? fieldsOf(m) : []));
  box.addEventListener("change", choose);
  choose();
  label.append(box, ` ${m.name}`, fields);
  return label;
}

// The list of all saved models, on the Models page.
const home = document.querySelector("[data-saved-list]");
if (home) manage(home);

/** @param {HTMLElement} home */
function manage(home) {
  const table = document.createElement("ul");
  table.className = "saved-list";
  const note = document.createElement("p");
  note.className = "hint";
  note.setAttribute("role", "status");
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".cat";
  input.multiple = true;
  input.hidden = true;
  input.setAttribute("aria-label", "Import .cat files");
  const say = (/** @type {string} */ text, /** @type {HTMLElement[]} */ ...doings) => note.replaceChildren(`${text} `, ...doings);
  /** @param {() => unknown} act */
  const attempt = async (act) => {
    try {
      await act();
    } catch (e) {
      say(e.message);
    }
  };
  input.addEventListener("change", () => attempt(() => take([...(input.files ?? [])])));
  const arch = document.querySelector("[data-saved-list] ~ form [name=arch]")?.value ?? "X86";
  const doings = document.createElement("p");
  const all = button("Download all as .cat files", () => {
    for (const m of saved.list()) bar.download(m);
  });
  doings.append(button("Import .cat files", () => input.click()), all);

  /** @param {File[]} files */
  async function take(files) {
    const builtin = await bar.builtin();
    const texts = await Promise.all(files.map(async (f) => ({ name: f.name, text: await f.text() })));
    input.value = "";
    /** @type {string[]} */
    const kept = [];
    /** @type {string[]} */
    const refused = [];
    for (const m of saved.modelsOf(texts, builtin)) {
      try {
        kept.push(saved.save(m, { builtin }).name);
      } catch (e) {
        refused.push(`${m.name}: ${e.message}`);
      }
    }
    say([kept.length > 0 ? `Imported ${kept.join(", ")}.` : "", ...refused].join(" ").trim());
  }

  /** @param {saved.SavedModel} m */
  function row(m) {
    const item = document.createElement("li");
    const name = document.createElement("b");
    name.textContent = m.name;
    const about = document.createElement("span");
    about.className = "hint";
    const files = Object.keys(m.files);
    about.textContent = [titleOf(m.text), files.length > 0 ? `with ${files.join(", ")}` : ""].filter(Boolean).join(", ");
    const open = document.createElement("a");
    open.textContent = "Open in the explorer";
    open.href = pathTo("/");
    open.addEventListener("click", (e) => {
      e.preventDefault();
      attempt(() => explore(m));
    });
    const versus = document.createElement("form");
    versus.action = pathTo("/versus");
    versus.method = "post";
    const compare = button("Compare with a built-in model", () => {});
    compare.type = "submit";
    versus.append(...fieldsOf(m), hidden("mine", m.name), hidden("arch", arch), compare);
    item.append(name, about, open, versus, button("Rename", () => ask(m, name)), button("Download .cat", () => bar.download(m)), button("Delete", () => attempt(() => drop(m.name))));
    return item;
  }

  /**
   * ask replaces a model's name by a field for another one.
   * @param {OwnModel} m
   * @param {HTMLElement} at
   */
  function ask(m, at) {
    const form = document.createElement("form");
    const field = document.createElement("input");
    field.value = m.name;
    field.size = 12;
    field.setAttribute("aria-label", `New name of ${m.name}`);
    const done = button("Rename", () => {});
    done.type = "submit";
    form.append(field, done, button("Cancel", draw));
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      attempt(async () => {
        const to = field.value.trim();
        saved.rename(m.name, to, await bar.builtin());
        say(`Renamed ${m.name} to ${to}.`);
      });
    });
    at.replaceWith(form);
    field.select();
  }

  /** @param {string} name */
  function drop(name) {
    const gone = saved.remove(name);
    if (gone) say(`Deleted ${name}.`, button("Undo", () => attempt(() => (saved.save(gone), say(`Restored ${name}.`)))));
  }

  function draw() {
    const models = saved.list();
    table.replaceChildren(...models.map(row));
    all.hidden = models.length === 0;
    if (models.length === 0 && note.textContent === "") say(saved.problem() || "No saved models yet. Write one below, on the explorer or in a lesson, and save it. It stays in this browser.");
  }
  home.append(table, doings, input, note);
  draw();
  saved.watch(() => {
    if (note.textContent?.startsWith("No saved models")) say("");
    draw();
  });
}

/**
 * explore opens a model in the explorer, on store buffering.
 * @param {OwnModel} model
 */
async function explore({ name, text, files }) {
  const r = await fetch(pathTo("/classic?test=SB"));
  if (!r.ok) throw new Error("Cannot load the test SB. Try again.");
  /** @type {TestExample} */
  const { source } = await r.json();
  location.assign(pathTo("/") + (await encode({ source, models: ["sc", "tso", name], own: [{ name, text, files }], view: {} })));
}
