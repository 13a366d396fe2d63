// Loaded before the page is painted, so that a chosen theme does not flash in.
// Without a choice the page follows the system, in CSS alone.

const KEY = "litmuscope-theme";
const root = document.documentElement;

function chosen() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is switched off
  }
}

const theme = chosen();
if (theme === "light" || theme === "dark") root.dataset.theme = theme;

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
