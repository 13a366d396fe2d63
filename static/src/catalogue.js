// Searches the catalogue while the visitor types: the server finds the tests, and the address follows.

import { pathTo } from "./base.js";
import { add } from "./sheet.js";

document.documentElement.classList.add("live");
const form = document.querySelector(".catalogue form.find");
let shape = new URLSearchParams(location.search).get("shape") ?? "";
let asked = 0;
let timer = 0;

form.querySelector("button").hidden = true;
form.addEventListener("submit", (e) => {
  e.preventDefault();
  look("replace");
});
// A search for words and verdicts covers all shapes.
form.addEventListener("input", (e) => {
  if (e.target.name !== "arch") shape = "";
  clearTimeout(timer);
  timer = setTimeout(() => look("replace"), 120);
});

document.querySelector(".table").addEventListener("click", async (e) => {
  const a = e.target.closest("a.all");
  if (!a || e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  shape = a.closest(".cell").dataset.shape;
  form.elements.q.value = form.elements.allowed.value = form.elements.forbidden.value = "";
  await look("push");
  const found = document.getElementById("found");
  found.scrollIntoView();
  found.focus({ preventScroll: true });
});

addEventListener("popstate", () => {
  const q = new URLSearchParams(location.search);
  for (const name of ["q", "arch", "allowed", "forbidden"]) form.elements[name].value = q.get(name) ?? "";
  shape = q.get("shape") ?? "";
  look("");
});

/**
 * look runs the form's search; how says how the address changes: push, replace or not at all.
 * @param {"push" | "replace" | ""} how
 */
async function look(how) {
  const query = new URLSearchParams();
  for (const [name, value] of /** @type {[string, string][]} */ (/** @type {unknown} */ (new FormData(form)))) if (value.trim()) query.set(name, value.trim());
  if (shape) query.set("shape", shape);
  const mine = ++asked;
  const address = pathTo(query.size ? `/catalogue?${query}` : "/catalogue");
  query.set("part", "found");
  let text;
  try {
    const r = await fetch(pathTo(`/catalogue?${query}`));
    if (!r.ok) throw new Error(`status ${r.status}`);
    text = await r.text();
  } catch {
    if (mine === asked) document.querySelector("#found .count").textContent = "Cannot reach the server. Try again later.";
    return;
  }
  if (mine !== asked) return; // a newer search has started
  if (how) history[/** @type {"pushState" | "replaceState"} */ (`${how}State`)](null, "", address);
  const box = document.createElement("template");
  box.innerHTML = text;
  const found = box.content.querySelector("#found");
  const old = document.getElementById("found");
  // Keep the paragraph with the count, so that screen readers announce its new text.
  old.dataset.shapes = found.dataset.shapes;
  const count = old.querySelector(".count");
  count.textContent = found.querySelector(".count").textContent.trim();
  found.querySelector(".count").replaceWith(count);
  old.replaceChildren(...found.childNodes);
  const shapes = new Set(old.dataset.shapes.split(" "));
  for (const cell of document.querySelectorAll(".cell")) {
    cell.classList.toggle("dim", !shapes.has(cell.dataset.shape));
    cell.classList.toggle("chosen", cell.dataset.shape === shape);
  }
}

document.addEventListener("click", (e) => {
  const button = /** @type {HTMLButtonElement} */ (/** @type {HTMLElement} */ (e.target).closest(".to-sheet[data-item]"));
  if (button) add(button, button.dataset.item, (text) => (document.querySelector("#found .count").textContent = text));
});
