// The models to tick: which are in sight, and which are behind "more models".

/**
 * offer ticks models for a test of another architecture and puts those in sight that
 * the server would: the generic ones, the architecture's own, and what is ticked.
 * @param {HTMLElement} form
 * @param {string} arch
 * @param {string[]} chosen names
 */
export function offer(form, arch, chosen) {
  const more = form.querySelector(".models details");
  const generic = [];
  const others = [];
  for (const label of form.querySelectorAll(".models label")) {
    const tick = label.querySelector("input");
    tick.checked = chosen.includes(tick.value);
    if ("generic" in label.dataset) generic.push(label);
    else if (tick.checked || label.dataset.own === arch) others.push(label);
    else more.querySelector("div").append(label);
  }
  for (const label of [...generic, ...others]) more.before(label);
}
