{
  const form = document.getElementById("filter");
  const [text, which] = [form.querySelector("input"), form.querySelector("select")];
  const table = document.querySelector(".matrix");
  const rows = [...table.tBodies[0].rows];
  const names = rows.map((r) => (r.cells[0].title + " " + r.cells[0].firstChild.textContent).toLowerCase());
  const show = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((r, i) => {
      r.hidden = !words.every((w) => names[i].includes(w));
      if (!r.hidden && (!which.value || r.classList.contains(which.value))) shown++;
    });
    table.className = "matrix " + which.value;
    form.querySelector("output").value = shown.toLocaleString("en") + " of " + rows.length.toLocaleString("en");
  };
  let later;
  text.addEventListener("input", () => { clearTimeout(later); later = setTimeout(show, 120); });
  which.addEventListener("change", show);
  form.addEventListener("submit", (e) => e.preventDefault());
  form.hidden = false;
  show();
}
