// Names of the visitor's models, and the results of checking them.

/**
 * nameOf makes a name of a title: its first words, but for what is in parentheses.
 * @param {string} title
 */
export function nameOf(title) {
  let name = "";
  for (const word of title.replace(/\(.*/, "").match(/[A-Za-z0-9]+/g) ?? []) {
    if (name.length + word.length > 24) break;
    name += name ? `-${word}` : word;
  }
  return name;
}

/**
 * isAutomatic tells whether a name is one that freeName gives.
 * @param {string} name
 */
export const isAutomatic = (name) => /^own\d*$/.test(name);

/**
 * freeName is a name that no model has.
 * @param {string[]} taken
 */
export function freeName(taken) {
  for (let i = 1; ; i++) {
    const name = i === 1 ? "own" : `own${i}`;
    if (!taken.includes(name)) return name;
  }
}

/**
 * canBeCalled tells whether a model can have a name, as far as that depends on the name.
 * @param {string} name
 */
export const canBeCalled = (name) => /^[A-Za-z0-9][\w-]{0,63}$/.test(name);

/**
 * modelProblems are what a check says of models: each is a problem of a model, and in a file of it.
 * @template {OwnModel} Model
 * @param {Model[]} asked
 * @param {OwnCheck[]} own what is said of each
 * @returns {(ModelMark & { severity: "error", model: Model, path: string, file: string })[]} path: the file, "" for the
 *   model's own text; file: what to call the place
 */
export const modelProblems = (asked, own) =>
  asked.flatMap((model, i) =>
    (own[i]?.errors ?? []).map((e) => ({
      ...e,
      severity: /** @type {const} */ ("error"),
      model,
      path: e.file && e.file in model.files ? e.file : "",
      file: [asked.length > 1 ? model.name : "", e.file].filter(Boolean).join(" "),
    })),
  );

/**
 * isWritten tells whether a model has a text or a file.
 * @param {OwnModel} model
 */
export const isWritten = ({ text, files }) => text.trim() !== "" || Object.keys(files).length > 0;

/**
 * included returns the files that a model includes.
 * @param {string} text
 */
export const included = (text) => [...text.matchAll(/\binclude\s+"([^"\n]*)"/g)].map((m) => m[1]);

/**
 * titleOf returns a model's title, "" if it has none.
 * @param {string} text
 */
export function titleOf(text) {
  return /^(?:\s|\(\*[^]*?\*\)|\/\/.*)*"([^"\n]*)"/.exec(text)?.[1] ?? "";
}
