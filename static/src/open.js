// Opens the visitor's files, dropped on the page or chosen.

const KINDS = { litmus: "litmus", cat: "cat", txt: "litmus" };

/**
 * mount lets files be dropped anywhere on the page, and chosen by a button.
 * @param {FileHooks} page
 *   button: the button that opens a file; data-most says how many bytes it may have;
 *   ready(): a promise of when a text can be put in place, to be undone;
 *   load({kind, name, text}): what to do with a test ("litmus") or a model ("cat");
 *   say(text): tells the visitor; kinds, what: other kinds than these, by extension, and in words;
 *   many: load takes all of them at once, as {files: [{name, text}]}
 */
export function mount({ button, ready, load, say, many = false, kinds = KINDS, what = "neither a test (.litmus) nor a model (.cat)" }) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = Object.keys(kinds).map((k) => `.${k}`).join();
  input.hidden = true;
  input.multiple = many;
  input.setAttribute("aria-hidden", "true");
  button.after(input);
  button.hidden = false;
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    take(/** @type {FileList} */ (input.files));
    input.value = ""; // so that the same file can be chosen again
  });

  /** @param {DragEvent} e */
  const files = (e) => e.dataTransfer?.types.includes("Files");
  /** @param {boolean} is */
  const over = (is) => document.documentElement.classList.toggle("dropping", is);
  addEventListener("dragleave", (e) => !e.relatedTarget && over(false)); // the window
  addEventListener("dragover", (e) => {
    if (!files(e)) return;
    e.preventDefault();
    over(true);
  });
  // Before the editors, which would insert a file's text at the pointer.
  addEventListener(
    "drop",
    (e) => {
      if (!files(e)) return;
      e.preventDefault();
      e.stopPropagation();
      over(false);
      take(/** @type {DataTransfer} */ (e.dataTransfer).files);
    },
    { capture: true },
  );

  /** @param {FileList} list */
  async function take(list) {
    const [{ read }] = await Promise.all([import("./openfile.js"), ready()]);
    const found = await read([...list], { kinds, what, many, most: Number(button.dataset.most), say });
    if (!found) return;
    load(found);
    say(found.said);
  }
}
