// What is in a file of the visitor's own, if it is one that the page can do something with.

/**
 * read takes the first file of a known kind.
 * @param {File[]} all
 * @param {{kinds: Object<string, string>, what: string, most: number, say: (text: string) => void}} page
 *   kinds by extension, and in words what a file is otherwise not; how many bytes it may have; who is told
 * @returns {Promise<?{kind: string, name: string, text: string, said: string}>} said is what to tell once it is open
 */
export async function read(all, { kinds, what, most, say }) {
  if (all.length === 0) return null;
  const refuse = (why) => {
    say(why);
    return null;
  };
  const kind = (f) => kinds[f.name.split(".").pop().toLowerCase()];
  const file = all.find(kind);
  if (!file) return refuse(`${all[0].name} is ${what}.`);
  if (file.size > most) return refuse(`${file.name} is longer than ${most >> 10} KiB.`);
  const text = (await file.text()).replace(/\r\n?/g, "\n");
  if (/[\0\ufffd]/.test(text)) return refuse(`${file.name} is not a text.`);
  const said = all.length === 1 ? `Opened ${file.name}.` : `Opened ${file.name}, the first of ${all.length} files; for all of them, submit a suite.`;
  return { kind: kind(file), name: file.name, text, said };
}
