// The elements of the model editor, and the list of built-in models to start from.

import { pathTo } from "./base.js";

/**
 * @param {HTMLElement} row
 * @param {string} what
 */
export const field = (row, what) => row.querySelector(`[name=own-${what}]`);

/** @type {Promise<BuiltInModel[]> | null} */
let listed = null;

/**
 * builtins returns the built-in models with their texts.
 * @returns {Promise<BuiltInModel[]>}
 */
export function builtins() {
  listed ??= fetch(pathTo("/api/v1/models"))
    .then((r) => /** @type {Promise<BuiltInModel[]> | BuiltInModel[]} */ (r.ok ? r.json() : []))
    .catch(() => ((listed = null), []));
  return listed;
}

/**
 * @param {HTMLElement} select
 * @param {BuiltInModel[]} list
 */
export function fill(select, list) {
  for (const m of list) {
    const o = document.createElement("option");
    o.value = m.name;
    o.textContent = `${m.name} – ${m.title}`;
    select.append(o);
  }
}

/**
 * @param {string} text
 * @param {() => unknown} act
 */
export function button(text, act) {
  const b = document.createElement("button");
  b.type = "button";
  b.textContent = text;
  b.addEventListener("click", act);
  return b;
}

let boxes = 0;

/** @param {HTMLElement} box */
export function build(box) {
  const id = `model-editor-${++boxes}`;
  const bar = document.createElement("div");
  bar.className = "tabs";
  const tabs = document.createElement("div");
  tabs.setAttribute("role", "tablist");
  tabs.setAttribute("aria-label", "Your own models");
  const add = button("+ Model", () => {});
  bar.append(tabs, add);

  const tools = document.createElement("div");
  tools.className = "tools";
  const name = document.createElement("input");
  name.size = 10;
  name.setAttribute("aria-label", "Name of the model");
  const title = document.createElement("span");
  title.className = "title";
  const from = document.createElement("select");
  from.setAttribute("aria-label", "Start from a built-in model");
  const none = document.createElement("option");
  none.value = "";
  none.textContent = "Start from …";
  from.append(none);
  const files = document.createElement("span");
  const remove = button("Remove", () => {});
  tools.append(name, title, files, from, remove);

  const undo = document.createElement("p");
  undo.className = "bar";
  undo.setAttribute("role", "status");
  undo.hidden = true;
  undo.append(document.createTextNode(""), button("Undo", () => {}));

  const host = document.createElement("div");
  host.className = "editor";
  host.id = id;
  host.setAttribute("role", "tabpanel");
  host.setAttribute("aria-label", "Model");
  box.append(bar, tools, undo, host);
  return { tabs, add, name, title, from, files, remove, undo, host };
}
