// The keys of a clicker at the projector: next, back, and blank. The projector's page cannot drive the class; the
// teacher's page in the same browser does it on its behalf.

const ON = ["PageDown", "ArrowRight", "ArrowDown", " ", "Enter"];
const BACK = ["PageUp", "ArrowLeft", "ArrowUp"];
const DARK = ["b", "B", "."];

/** @param {string} code */
const channel = (code) => new BroadcastChannel(`litmuscope.class.${code}`);

/**
 * onScreen handles the keys.
 * @param {string} code
 */
export function onScreen(code) {
  const teacher = channel(code);
  addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    if (DARK.includes(e.key)) document.documentElement.classList.toggle("dark-screen");
    else if (ON.includes(e.key)) teacher.postMessage("on");
    else if (BACK.includes(e.key)) teacher.postMessage("back");
    else return;
    e.preventDefault();
  });
}

/**
 * byTeacher carries out the projector's keys: the usual next action, or back to the previous question.
 * @param {HTMLElement} room
 * @param {(what: string) => void} drive
 * @param {string} code
 */
export function byTeacher(code, room, drive) {
  channel(code).addEventListener("message", ({ data }) => {
    const on = /** @type {HTMLButtonElement | null} */ (room.querySelector(".drive .main"));
    const cover = room.querySelector('.drive [value="cover"]');
    const at = room.querySelector(".run [aria-current]")?.getAttribute("value");
    const before = Number(at?.split(":")[1] ?? 0) - 1;
    if (data === "on" && on) drive(on.value);
    else if (data === "back" && cover) drive("cover");
    else if (data === "back" && before >= 0) drive(`goto:${before}`);
  });
}
