// A map of a drawing that is larger than its pane, with the visible part framed. Pressing the map scrolls there.

const [wide, high] = [120, 84]; // maximum size in pixels,
const share = 1 / 4; // and relative to the pane
/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, string | number>} attributes
 */
const svgOf = (name, attributes) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  return e;
};

/**
 * overview puts the map into a corner.
 * @param {HTMLElement} graph what holds the pane
 * @param {HTMLElement} pane what scrolls
 * @returns to be called when the drawing is another one, or has another size
 */
export function overview(graph, pane) {
  const map = svgOf("svg", { class: "overview", "aria-hidden": "true" });
  const frame = svgOf("rect", { fill: "none", stroke: "var(--accent)", "stroke-width": "2", "vector-effect": "non-scaling-stroke" });
  Object.assign(map.style, { position: "absolute", background: "var(--paper)", border: "1px solid var(--edge)", opacity: ".92", cursor: "pointer" });
  graph.style.position = "relative";
  graph.append(map);
  /** @type {string | null} */
  let drawn = null;
  const shown = () => [...pane.querySelectorAll("svg.execution-graph")].find((e) => e.getClientRects().length > 0);

  /** @param {SVGSVGElement} svg */
  const state = (svg) => `${svg.classList} ${svg.getAttribute("viewBox")} ${pane.clientWidth} ${pane.clientHeight}`;

  /** @param {SVGSVGElement} svg */
  function draw(svg) {
    const { x, y, width, height } = svg.viewBox.baseVal;
    const scale = Math.min(Math.min(wide, pane.clientWidth * share) / width, Math.min(high, pane.clientHeight * share) / height);
    map.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    Object.assign(map.style, { width: `${width * scale}px`, height: `${height * scale}px` });
    const boxes = [...svg.querySelectorAll("[data-event]")].filter((e) => e.getClientRects().length > 0).map((e) => {
      const b = /** @type {SVGGElement} */ (/** @type {Element} */ (e.querySelector(".card"))).getBBox();
      return svgOf("rect", { x: b.x, y: b.y, width: b.width, height: b.height, fill: `var(${e.matches(".cycle") ? "--graph-hot" : "--edge"})` });
    });
    map.replaceChildren(...boxes, frame);
    drawn = state(svg);
  }

  // corner places the map where it covers the fewest events; those of the cycle count twice.
  /** @param {SVGSVGElement} svg */
  function corner(svg) {
    const [around, at] = [graph.getBoundingClientRect(), pane.getBoundingClientRect()];
    const [w, h] = [map.clientWidth + 12, map.clientHeight + 12];
    const drawn = [...svg.querySelectorAll(".event, .event.cycle .card")].map((e) => e.getBoundingClientRect());
    /** @param {{ x: number, y: number }} p */
    const covered = (p) => drawn.filter((b) => b.width && b.right > p.x && b.left < p.x + w && b.bottom > p.y && b.top < p.y + h).length;
    const corners = [at.right - w, at.left].flatMap((x) => [at.bottom - h, at.top].map((y) => ({ x, y })));
    const best = corners.reduce((best, c) => (covered(c) < covered(best) ? c : best));
    Object.assign(map.style, { left: `${Math.max(best.x, at.left + 6) - around.left}px`, top: `${Math.max(best.y, at.top + 6) - around.top}px` });
  }

  /** @param {boolean} moved */
  function follow(moved) {
    const svg = shown();
    map.style.display = "none";
    if (!svg || !pane.classList.contains("movable")) return;
    const [it, at] = [svg.getBoundingClientRect(), pane.getBoundingClientRect()];
    // A drawing that is almost completely visible needs no map.
    if (it.width < 1.1 * at.width && it.height < 1.1 * at.height) return;
    map.style.display = "block";
    if (drawn !== state(svg)) draw(svg);
    if (!moved) corner(svg);
    const box = svg.viewBox.baseVal;
    const scale = box.width / it.width;
    const [left, top] = [Math.max(it.left, at.left), Math.max(it.top, at.top)];
    const sight = {
      x: box.x + (left - it.left) * scale,
      y: box.y + (top - it.top) * scale,
      width: Math.max(0, Math.min(it.right, at.right) - left) * scale,
      height: Math.max(0, Math.min(it.bottom, at.bottom) - top) * scale,
    };
    for (const [name, value] of Object.entries(sight)) frame.setAttribute(name, String(value));
  }

  /** @param {Pick<MouseEvent, "clientX" | "clientY">} e */
  function go(e) {
    const r = map.getBoundingClientRect();
    pane.scrollLeft = ((e.clientX - r.left) / r.width) * pane.scrollWidth - pane.clientWidth / 2;
    pane.scrollTop = ((e.clientY - r.top) / r.height) * pane.scrollHeight - pane.clientHeight / 2;
  }
  map.addEventListener("pointerdown", (e) => {
    e.preventDefault();
    go(e);
    map.setPointerCapture(e.pointerId);
    map.addEventListener("pointermove", go);
    map.addEventListener("lostpointercapture", () => map.removeEventListener("pointermove", go), { once: true });
  });
  pane.addEventListener("scroll", () => follow(true), { passive: true });
  return () => follow(false);
}
