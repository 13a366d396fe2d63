import assert from "node:assert/strict";
import { test } from "node:test";
import { moved } from "../matrix.js";
import { splitPath, took } from "../matrixcells.js";

test("keys move about the matrix", () => {
  const to = (key, ctrlKey = false) => Object.values(moved({ key, ctrlKey }, { row: 5, col: 2 }, 10, { row: 99, col: 4 }) ?? {});
  assert.deepEqual(to("ArrowDown"), [6, 2]);
  assert.deepEqual(to("ArrowUp"), [4, 2]);
  assert.deepEqual(to("ArrowRight"), [5, 3]);
  assert.deepEqual(to("ArrowLeft"), [5, 1]);
  assert.deepEqual(to("PageDown"), [15, 2]);
  assert.deepEqual(to("PageUp"), [-5, 2]);
  assert.deepEqual(to("Home"), [0, 2]);
  assert.deepEqual(to("End"), [99, 2]);
  assert.deepEqual(to("Home", true), [0, 0]);
  assert.deepEqual(to("End", true), [99, 4]);
  assert.deepEqual(to("x"), []);
});

test("a path is parted at its last slash", () => {
  assert.deepEqual(splitPath("a/b/c.litmus"), { folder: "a/b", file: "c.litmus" });
  assert.deepEqual(splitPath("c.litmus"), { folder: "", file: "c.litmus" });
  assert.deepEqual(splitPath("/c"), { folder: "", file: "c" });
});

test("times have two digits or three", () => {
  assert.deepEqual([0, 0.04, 9.94, 9.95, 999.4, 999.5, 12_345].map(took), ["", "0.0 ms", "9.9 ms", "10 ms", "999 ms", "1.0 s", "12.3 s"]);
});
