// Loaded before the page is painted, so that a chosen theme, or a closed introduction, does not flash. Without a choice
// the page follows the system, in CSS alone.

const KEY = "litmuscope-theme";
const root = document.documentElement;

/** @param {string} key */
function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage is off
  }
}

// An address with a question needs no introduction.
if (kept("litmuscope.met") || location.search || location.hash) root.dataset.met = "";
const theme = kept(KEY);
if (theme === "light" || theme === "dark") root.dataset.theme = theme;

// A page for a link shows nothing before the link's content.
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
      // no storage: the choice lasts as long as the page
    }
    show();
  });
  show();
});
