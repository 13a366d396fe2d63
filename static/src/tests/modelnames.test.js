import assert from "node:assert/strict";
import { test } from "node:test";
import { canBeCalled, freeName, isAutomatic, isWritten, modelProblems, nameOf } from "../modelnames.js";

test("a title's first words make a name", () => {
  assert.equal(nameOf("Total store order (as in SPARC)"), "Total-store-order");
  assert.equal(nameOf("A model with very many words in its title"), "A-model-with-very-many");
  assert.equal(nameOf("x86: TSO!"), "x86-TSO");
  assert.equal(nameOf(""), "");
});

test("a model that nobody has named gets a name that is free", () => {
  assert.equal(freeName([]), "own");
  assert.equal(freeName(["own", "own2", "mine"]), "own3");
  assert.ok(["own", "own2", "own31"].every(isAutomatic));
  assert.ok(!["mine", "owner", "own-2"].some(isAutomatic));
});

test("names are of letters, digits, - and _", () => {
  assert.ok(["a", "My-model_2", "9lives", "a".repeat(64)].every(canBeCalled));
  assert.ok(!["", "-a", "_a", "a b", "tso~x", "a".repeat(65)].some(canBeCalled));
});

test("what a check says of models goes to their files", () => {
  const a = { name: "a", text: "let", files: { "b.cat": "" } };
  const c = { name: "c", text: "", files: {} };
  const mark = { line: 1, col: 2, message: "m" };
  const said = (asked, own) => modelProblems(asked, own).map((p) => [p.model.name, p.path, p.file, p.severity]);
  assert.deepEqual(said([a], [{ name: "a", errors: [mark, { ...mark, file: "b.cat" }] }]), [
    ["a", "", "", "error"],
    ["a", "b.cat", "b.cat", "error"],
  ]);
  assert.deepEqual(said([a, c], [{ name: "a", errors: [] }, { name: "c", errors: [{ ...mark, file: "lib.cat" }] }]), [
    ["c", "", "c lib.cat", "error"],
  ]);
  assert.deepEqual(said([a, c], []), [], "a model that nothing is said of has no problems");
});

test("a model without a text or a file is none", () => {
  assert.ok(!isWritten({ name: "a", text: " \n", files: {} }));
  assert.ok(isWritten({ name: "a", text: "x", files: {} }));
  assert.ok(isWritten({ name: "a", text: "", files: { "b.cat": "" } }));
});
