// Fits models and options to the chosen engine.

/** @param {ParentNode} form */
const ticks = (form) => form.querySelectorAll("input[name=model]");

/**
 * fit keeps models and options to what the chosen engine has, and options to the test's architecture. A model that it does not
 * answer for cannot be ticked, and is ticked again with an engine that does; where no
 * model is left, those of the engine are taken.
 * @param {HTMLFormElement} form
 */
export function fit(form) {
  release(form);
  const engine = form.elements.engine.selectedOptions[0];
  for (const option of /** @type {NodeListOf<Field>} */ (form.querySelectorAll("[data-engines]"))) {
    const { engines, arch = "" } = option.dataset;
    const unheeded = engines !== "" && !engines.split(" ").includes(engine.value);
    // While the test is unknown, offer every option.
    const tests = form.elements.arch ? form.elements.arch.value || arch : "program";
    option.hidden = option.disabled = unheeded || (arch !== "" && arch !== tests);
  }
  document.getElementById("engine-help").textContent = engine.dataset.help;
  const own = form.querySelector(".own-models");
  const note = document.getElementById("engine-models");
  const reason = `${engine.value} supports ${/** @type {HTMLOptGroupElement} */ (engine.parentElement).label} only`;
  const few = engine.dataset.models !== "";
  for (const field of own?.querySelectorAll("[name^=own-]") ?? []) field.disabled = few;
  if (own) own.title = few ? reason : "";
  note.hidden = !few;
  note.textContent = `${reason}.`;
  if (!few) return;
  const models = engine.dataset.models.split(" ");
  const free = [...ticks(form)].filter((tick) => models.includes(tick.value));
  for (const tick of ticks(form)) {
    if (free.includes(tick)) continue;
    tick.toggleAttribute("data-held", tick.checked);
    tick.checked = false;
    tick.disabled = true;
    tick.title = reason;
  }
  if (free.some((tick) => tick.checked)) return;
  for (const tick of free) tick.checked = tick.toggleAttribute("data-lent", true);
}

/**
 * release enables all models, ticks those that fit has unticked and unticks those that it has ticked.
 * @param {HTMLFormElement} form
 */
export function release(form) {
  for (const tick of ticks(form)) {
    if (tick.disabled) tick.checked = "held" in tick.dataset;
    tick.disabled = false;
    tick.title = "";
    if ("lent" in tick.dataset) tick.checked = false;
    delete tick.dataset.held;
    delete tick.dataset.lent;
  }
}
