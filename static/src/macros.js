// A table of a program's macros, name and value, over the form field with them as text: separated by spaces or, if a
// value contains spaces, one per line.

/**
 * mount puts rows in place of the field.
 * @param {HTMLTextAreaElement} field
 * @param {() => void} changed what to do when one is another now
 * @returns {() => void} shows what the field has, after others have set it
 */
export function mount(field, changed) {
  const box = document.createElement("div");
  box.className = "macros";
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Macros");
  field.hidden = true;
  field.after(box);

  const rows = () => [...box.children].map((row) => [...row.querySelectorAll("input")].map((e) => e.value.trim()));
  const keep = () => {
    const all = rows().filter(([name]) => name).map(([name, value]) => (value ? `${name}=${value}` : name));
    const text = all.some((m) => /\s/.test(m)) ? `${all.join("\n")}\n` : all.join(" ");
    if (text === field.value) return;
    field.value = text;
    changed();
  };
  /**
   * @param {string} label
   * @param {string} value
   */
  const input = (label, value) => {
    const e = document.createElement("input");
    e.type = "text";
    e.value = value;
    e.placeholder = label;
    e.setAttribute("aria-label", label);
    e.spellcheck = false;
    e.autocapitalize = "off";
    return e;
  };
  function add(name = "", value = "") {
    const row = document.createElement("div");
    const gone = document.createElement("button");
    gone.type = "button";
    gone.className = "quiet";
    gone.textContent = "✕";
    gone.setAttribute("aria-label", `Remove the macro ${name}`);
    gone.addEventListener("click", () => {
      row.remove();
      more();
      keep();
    });
    row.append(input("NAME", name), "=", input("VALUE", value), gone);
    box.append(row);
  }
  // more keeps an empty row at the end.
  const more = () => {
    const last = rows().at(-1);
    if (!last || last.some(Boolean)) add();
  };
  box.addEventListener("input", () => {
    more();
    keep();
  });
  const show = () => {
    box.replaceChildren();
    const lines = field.value.includes("\n") ? field.value.split("\n") : field.value.split(/\s+/);
    for (const m of lines.map((l) => l.trim()).filter(Boolean)) {
      const [name, ...value] = m.split("=");
      add(name, value.join("="));
    }
    more();
  };
  show();
  return show;
}
