// Saves a drawing in a format that the browser can write.

/**
 * made are these formats: each makes a Blob of a drawing.
 * @type {Record<string, (svg: SVGSVGElement) => Promise<Blob>>}
 */
export const made = { svg: async (svg) => new Blob([standalone(svg)], { type: "image/svg+xml" }), png };

/**
 * save gives a file to the visitor.
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(blob);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}

// standalone returns the drawing as a file: the visible relations at natural size, without highlights, in light
// colours.
/** @param {SVGSVGElement} svg */
function standalone(svg, styles = "") {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  copy.classList.remove("focus", "run");
  copy.removeAttribute("style");
  for (const name of ["hot", "new", "todo", "now", "waiting"]) {
    for (const e of copy.querySelectorAll(`.${name}`)) e.classList.remove(name);
  }
  for (const e of copy.querySelectorAll("[tabindex]")) e.removeAttribute("tabindex");
  const style = copy.querySelector("style");
  style?.removeAttribute("nonce");
  style?.prepend(styles);
  return new XMLSerializer().serializeToString(copy);
}

// typefaces embeds the page's fonts in the file, since images load nothing.
async function typefaces() {
  /** @param {CSSStyleSheet} sheet */
  const of = (sheet) => [...sheet.cssRules].filter((r) => r instanceof CSSFontFaceRule).map((r) => /** @type {[CSSStyleDeclaration, string]} */ ([r.style, sheet.href ?? ""]));
  const faces = [...document.styleSheets].flatMap(of).map(async ([face, base]) => {
    const [, address] = /url\("?([^")]+)/.exec(face.getPropertyValue("src")) ?? [];
    const bytes = new Uint8Array(await (await fetch(new URL(address, base))).arrayBuffer());
    const data = btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
    const [family, weight] = ["font-family", "font-weight"].map((name) => face.getPropertyValue(name));
    return `@font-face{font-family:${family};font-weight:${weight};src:url(data:font/woff2;base64,${data})}`;
  });
  return (await Promise.all(faces)).join("");
}

/** @param {SVGSVGElement} svg */
async function png(svg) {
  const { width, height } = svg.viewBox.baseVal;
  // Sharp on paper and high-resolution screens, within the size limits of canvases.
  const scale = Math.min(2, 8000 / Math.max(width, height));
  const url = URL.createObjectURL(new Blob([standalone(svg, await typefaces())], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}
