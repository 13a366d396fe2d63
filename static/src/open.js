// Files of the visitor's own: dropped on the page, or chosen.

const KINDS = { litmus: "litmus", cat: "cat", txt: "litmus" };

/**
 * mount lets files be dropped anywhere on the page, and chosen by a button.
 * @param {object} page
 *   button: the button that opens a file; data-most says how many bytes it may have;
 *   load({kind, name, text}): what to do with a test ("litmus") or a model ("cat");
 *   say(text): tells the visitor; kinds, what: other kinds than these, by extension, and in words
 */
export function mount({ button, load, say, kinds = KINDS, what = "test (.litmus) nor a model (.cat)" }) {
  const most = Number(button.dataset.most);
  const input = document.createElement("input");
  input.type = "file";
  input.accept = Object.keys(kinds).map((k) => `.${k}`).join();
  input.hidden = true;
  input.setAttribute("aria-hidden", "true");
  button.after(input);
  button.hidden = false;
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    take(input.files);
    input.value = ""; // the same file may be chosen again
  });

  const files = (e) => e.dataTransfer?.types.includes("Files");
  let depth = 0; // of elements that a file is dragged over
  const over = (now) => {
    depth = Math.max(0, now);
    document.documentElement.classList.toggle("dropping", depth > 0);
  };
  addEventListener("dragenter", (e) => files(e) && over(depth + 1));
  addEventListener("dragleave", (e) => files(e) && over(depth - 1));
  addEventListener("dragover", (e) => files(e) && e.preventDefault());
  // Before the editors, which would put a file's text in at the pointer.
  addEventListener(
    "drop",
    (e) => {
      if (!files(e)) return;
      e.preventDefault();
      e.stopPropagation();
      over(0);
      take(e.dataTransfer.files);
    },
    { capture: true },
  );

  async function take(list) {
    const all = [...list];
    if (all.length === 0) return;
    const kind = (f) => kinds[f.name.split(".").pop().toLowerCase()];
    const file = all.find(kind);
    if (!file) return say(`${all[0].name} is ${kinds === KINDS ? "neither a" : "no"} ${what}.`);
    if (file.size > most) return say(`${file.name} is longer than ${most >> 10} KiB.`);
    const text = (await file.text()).replace(/\r\n?/g, "\n");
    if (/[\0\ufffd]/.test(text)) return say(`${file.name} is not a text.`);
    load({ kind: kind(file), name: file.name, text });
    say(all.length === 1 ? `Opened ${file.name}.` : `Opened ${file.name}, the first of ${all.length} files; for all of them, submit a suite.`);
  }
}
