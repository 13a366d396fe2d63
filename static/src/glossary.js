// Searches the glossary while the visitor types; the server does it for browsers without scripts.

const form = document.querySelector(".glossary form.find");
const field = form.elements.q;
const found = document.getElementById("found");
const terms = [...document.querySelectorAll(".glossary dl > div")];

// A page with search results does not have all terms, so it asks the server again.
if (field.value === "") {
  form.querySelector("button").hidden = true;
  form.addEventListener("submit", (e) => e.preventDefault());
  field.addEventListener("input", narrow);
}

function narrow() {
  const query = field.value.trim();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  let n = 0;
  for (const t of terms) {
    const text = `${t.id} ${t.textContent}`.toLowerCase();
    t.hidden = !words.every((w) => text.includes(w));
    if (!t.hidden) n++;
  }
  for (const section of document.querySelectorAll(".glossary section")) section.hidden = !section.querySelector("dl > div:not([hidden])");
  document.querySelector(".glossary .index").hidden = query !== "";
  found.textContent = query === "" ? "" : `${n} ${n === 1 ? "term contains" : "terms contain"} “${query}”.`;
}
