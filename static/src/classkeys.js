// The keys of a clicker, which is at the projector's screen: on, back, and dark. The screen has no right to drive the class; the
// teacher's page in the same browser does what it asks for.

const ON = ["PageDown", "ArrowRight", "ArrowDown", " ", "Enter"];
const BACK = ["PageUp", "ArrowLeft", "ArrowUp"];
const DARK = ["b", "B", "."];

/** @param {string} code */
const channel = (code) => new BroadcastChannel(`litmuscope.class.${code}`);

/**
 * onScreen listens to keys.
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
 * byTeacher does what a screen asks for: what comes next as a rule, or back to the question before.
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
