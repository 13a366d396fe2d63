// Reads the visitor's files, if they are of a kind that the page supports.

/**
 * read takes the first file of a known kind, or all.
 * @param {File[]} all
 * @param {{kinds: Object<string, string>, what: string, many: boolean, most: number, say: (text: string) => void}} page
 *   kinds by extension, and in words what a file is otherwise not; whether all are taken; how many bytes they may have; who is told
 * @returns {Promise<?{kind: string, name: string, text: string, files?: SourceFile[], said: string}>} said is what
 *   to tell once it is open
 */
export async function read(all, { kinds, what, many, most, say }) {
  if (all.length === 0) return null;
  /** @param {string} why */
  const refuse = (why) => {
    say(why);
    return null;
  };
  /** @param {File} f */
  const kind = (f) => kinds[/** @type {string} */ (f.name.split(".").pop()).toLowerCase()];
  const known = all.filter(kind);
  const file = known[0];
  if (!file) return refuse(`${all[0].name} is ${what}.`);
  /** @type {SourceFile[]} */
  const files = [];
  let size = 0;
  for (const f of many ? known : [file]) {
    size += f.size;
    if (size > most) return refuse(`${f.name} is too long: the limit is ${most >> 10} KiB${many ? " for all files" : ""}.`);
    const text = (await f.text()).replace(/\r\n?/g, "\n");
    if (/[\0\ufffd]/.test(text)) return refuse(`${f.name} is not a text file.`);
    files.push({ name: f.name, text });
  }
  const { text } = files[0];
  if (many) {
    const left = all.length - known.length;
    return { kind: kind(file), ...files[0], files, said: `Opened ${files.map((f) => f.name).join(", ")}${left > 0 ? `; ${left} of the files are ${what}` : ""}.` };
  }
  const said = all.length === 1 ? `Opened ${file.name}.` : `Opened ${file.name}, the first of ${all.length} files. To run all of them, submit a suite.`;
  return { kind: kind(file), name: file.name, text, said };
}
