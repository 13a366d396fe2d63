// The list of models to tick: which are visible, and which are behind "more models".

/**
 * offer ticks models for a test of another architecture and arranges them. Columns that were
 * added go.
 * @param {HTMLElement} form
 * @param {string} arch
 * @param {string[]} chosen names
 */
export function offer(form, arch, chosen) {
  for (const label of form.querySelectorAll(".models label[data-added]")) label.remove();
  for (const tick of form.querySelectorAll(".models input[name=model]")) tick.checked = chosen.includes(tick.value);
  arrange(form, arch);
}

/**
 * arrange puts those models in sight that the server would for a test of an architecture, and what is
 * ticked.
 * @param {HTMLElement} form
 * @param {string} arch
 */
export function arrange(form, arch) {
  const more = form.querySelector(".models details");
  const all = [...form.querySelectorAll(".models label")].sort((a, b) => rank(a, arch) - rank(b, arch));
  for (const label of all) {
    const tick = label.querySelector("input");
    if (tick.checked || "held" in tick.dataset || "added" in label.dataset || label.dataset.front.split(" ").includes(arch)) more.before(label);
    else more.querySelector("div").append(label);
  }
}

/**
 * rank returns a model's place in the server's order: the architecture's own models are first.
 * @param {HTMLElement} label
 * @param {string} arch
 */
function rank({ dataset: { place = "99" } }, arch) {
  return Number.parseInt(place) - (place.split(" ").includes(arch) ? 50 : 0);
}

/**
 * add ticks a column, which may be a model less an axiom, or by another engine.
 * @param {HTMLElement} form
 * @param {string} column
 */
export function add(form, column) {
  const old = [...form.querySelectorAll(".models input")].find((i) => i.value === column);
  if (old) {
    old.checked = true;
    return;
  }
  const [model, engine] = column.split("@");
  const [base, ...without] = model.split("~");
  const of = [...form.querySelectorAll(".models label")].find((l) => l.querySelector("input").value === base);
  const label = document.createElement("label");
  label.dataset.added = "";
  if (of) label.dataset.place = of.dataset.place;
  const tick = document.createElement("input");
  tick.type = "checkbox";
  tick.name = "model";
  tick.value = column;
  tick.checked = true;
  const name = of?.textContent.trim() ?? base;
  label.append(tick, ` ${name}${without.length ? ` without ${without.join(", ")}` : ""}${engine ? ` · ${engine}` : ""}`);
  (of ?? form.querySelector(".models label:last-of-type")).after(label);
}

/**
 * remove unticks a column; one that was added goes.
 * @param {HTMLElement} form
 * @param {string} column
 */
export function remove(form, column) {
  const tick = [...form.querySelectorAll(".models input")].find((i) => i.value === column);
  if (!tick) return;
  tick.checked = false;
  const label = tick.closest("label");
  if ("added" in label.dataset) label.remove();
}

/**
 * rename has the columns of a model of one's own go by another name.
 * @param {HTMLElement} form
 * @param {string} from
 * @param {string} to
 */
export function rename(form, from, to) {
  for (const tick of form.querySelectorAll(".models label[data-added] input")) {
    const rest = tick.value.slice(from.length);
    if (!tick.value.startsWith(from) || !/^([~@]|$)/.test(rest)) continue;
    tick.value = to + rest;
    const text = /** @type {Text} */ (tick.nextSibling);
    text.data = text.data.replace(from, to);
  }
}
