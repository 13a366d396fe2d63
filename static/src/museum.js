// The museum of bugs: steps through the execution of an exhibit beside the program's lines, and runs the engines again.

import { pathTo } from "./base.js";
import * as picture from "./picture.js";
import { send } from "./send.js";

document.documentElement.classList.add("live");
const exhibit = /** @type {HTMLElement | null} */ (document.querySelector("main.exhibit"));

// begin makes an exhibit's page interactive.
/** @param {HTMLElement} page */
function begin(page) {
  const at = `/museum/${page.dataset.name}`;
  const here = pathTo(at);
  const status = document.getElementById("status");
  const pane = document.getElementById("execution");
  const shown = () => /** @type {HTMLElement} */ (pane.querySelector(".picture"));
  /** @param {string} text */
  const say = (text) => (status.textContent = text);
  const lines = /** @type {HTMLElement[]} */ ([...page.querySelectorAll(".beside-fix [data-line]")]);
  /** @type {Places | null} */
  const places = JSON.parse(page.querySelector("#places")?.textContent ?? "null");

  const pictures = picture.mount(pane, {
    at,
    still: true,
    question: () => new URLSearchParams({ build: shown().dataset.build, model: shown().dataset.column }),
    columns: () => [],
    light(keys) {
      const lit = new Set([...keys].map((key) => String(places?.lines[key]?.line)));
      for (const line of lines) line.classList.toggle("lit", lit.has(line.dataset.line));
    },
    chosen() {},
    changed() {},
    say,
  });
  pictures.adopt();

  // A line under the pointer highlights its events, and the failing line is visible.
  for (const line of lines) {
    const keys = Object.keys(places?.lines ?? {}).filter((key) => String(/** @type {Places} */ (places).lines[key].line) === line.dataset.line);
    line.classList.toggle("fails", places?.fails.some((p) => String(p.line) === line.dataset.line) ?? false);
    if (keys.length === 0) continue;
    line.addEventListener("mouseenter", () => pictures.lightCell(keys));
    line.addEventListener("mouseleave", () => pictures.lightCell(null));
  }

  const form = page.querySelector("form.tables");
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const button = /** @type {HTMLButtonElement} */ (e.submitter);
    const rows = /** @type {HTMLTableSectionElement} */ (document.getElementById(`build-${button.value}`));
    const holder = document.createElement("template");
    button.disabled = true;
    say("The engines are running.");
    try {
      holder.innerHTML = await (await send(here, new URLSearchParams({ build: button.value }))).text();
    } catch (fault) {
      const row = document.createElement("tr");
      const cell = document.createElement("td");
      row.className = "anew says";
      cell.colSpan = rows.rows[0].cells.length;
      cell.textContent = fault.message;
      row.append(cell);
      holder.content.append(row);
    } finally {
      button.disabled = false;
    }
    for (const old of rows.querySelectorAll(".anew")) old.remove();
    rows.append(holder.content);
    say(rows.querySelector(".says").textContent);
    button.focus();
  });
}

if (exhibit) begin(exhibit);
