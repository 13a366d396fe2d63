// Loaded before the page is painted, so that a chosen theme does not flash in, nor the
// sentence for new visitors that one has put away. Without a choice the page follows the
// system, in CSS alone.

const KEY = "litmuscope-theme";
const root = document.documentElement;

/** @param {string} key */
function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage is switched off
  }
}

if (kept("litmuscope.met")) root.dataset.met = "";
const theme = kept(KEY);
if (theme === "light" || theme === "dark") root.dataset.theme = theme;

// A page that is to show what its address holds shows nothing else before.
if (/^#\d+=/.test(location.hash)) root.classList.add("restoring");

function isDark() {
  const t = root.dataset.theme;
  return t ? t === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

addEventListener("DOMContentLoaded", () => {
  const button = document.getElementById("theme");
  if (!button) return;
  const show = () => (button.textContent = isDark() ? "Light theme" : "Dark theme");
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem(KEY, root.dataset.theme);
    } catch {
      // the choice lasts as long as the page
    }
    show();
  });
  show();
});
