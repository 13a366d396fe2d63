// The question as a plain object for drafts: the content of the form, including fields that the chosen engine disables.

/**
 * rows reads the models of one's own from their fields, where no editor has them.
 * @param {HTMLElement} box
 */
export function rows(box) {
  /**
   * @param {HTMLElement} row
   * @param {string} what
   */
  const field = (row, what) => row.querySelector(`[name=own-${what}]`).value;
  const list = [...box.querySelectorAll("fieldset.own-model")].map((row) => ({
    name: field(row, "name"),
    text: field(row, "text").replace(/\r\n?/g, "\n"),
    files: /** @type {Record<string, string>} */ (JSON.parse(field(row, "files") || "{}")),
  }));
  return list.filter((m) => m.text.trim() !== "" || Object.keys(m.files).length > 0);
}

/**
 * read gives the form's state but for the texts, which editors have.
 * @param {HTMLFormElement} form
 */
export function read(form) {
  /** @type {Record<string, string>} */
  const options = {};
  for (const e of form.querySelectorAll("[name^=option-]")) options[e.name] = e.value;
  return {
    arch: form.elements.arch.value,
    models: [...form.querySelectorAll("input[name=model]")].filter((e) => (e.disabled ? "held" in e.dataset : e.checked)).map((e) => e.value),
    engine: form.elements.engine.value,
    options,
  };
}

/**
 * write puts such a state in the form.
 * @param {HTMLFormElement} form
 * @param {Pick<Question, "engine" | "options">} state
 */
export function write(form, state) {
  form.elements.engine.value = state.engine;
  for (const [name, value] of Object.entries(state.options)) {
    const e = form.querySelector(`[name="${CSS.escape(name)}"]`);
    if (e) e.value = value;
  }
}

/** @param {Field} field */
const optionName = (field) => field.name.slice("option-".length);

/**
 * brief is such a state as links have it: options are those that are not as usual.
 * @param {HTMLFormElement} form
 * @param {Question} state
 */
export function brief(form, { source, models, engine, options, own }) {
  /** @type {Link} */
  const out = { source, models };
  if (own.length > 0) out.own = own;
  if (engine !== form.elements.engine.options[0].value) out.engine = engine;
  /** @type {Record<string, string>} */
  const changed = {};
  for (const e of form.querySelectorAll("[name^=option-]")) {
    if (options[e.name] !== usual(e)) changed[optionName(e)] = options[e.name];
  }
  if (Object.keys(changed).length > 0) out.options = changed;
  return out;
}

/**
 * whole is the state of a link as drafts have it, with no architecture: the models are the link's,
 * whatever the test is written in. An Error says what this server does not have.
 */
export function whole(/** @type {HTMLFormElement} */ form, /** @type {Omit<Required<Link>, "view">} */ { source, models, own, engine, options }) {
  const list = [...form.elements.engine.options].map((o) => o.value);
  if (engine !== "" && !list.includes(engine)) throw new Error(`This link asks for the engine “${engine}”, which this server does not have.`);
  /** @type {Record<string, string>} */
  const all = {};
  for (const e of form.querySelectorAll("[name^=option-]")) all[e.name] = options[optionName(e)] ?? usual(e);
  return { source, arch: "", models, engine: engine || list[0], options: all, own };
}

/** @param {HTMLElement} field */
const usual = (field) => field.closest("[data-default]").dataset.default;
