import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { BLOCK, MatrixRows, mark, sameTests, testsOf } from "../matrixrows.js";

// fetched makes rows whose requests a test answers itself.
function fetched(options = {}) {
  const asked = [];
  const rows = new MatrixRows({
    models: 2,
    tests: 1000,
    came: mock.fn(),
    fetch: (places, signal) => new Promise((done, fail) => asked.push({ places, signal, done, fail })),
    ...options,
  });
  return { rows, asked };
}

const row = (n, codes = "..") => ({ n, path: `t/${n}`, name: "", codes, ms: 0 });
const block = (from) => Array.from({ length: BLOCK }, (_, i) => row(from + i));
const settled = () => new Promise((done) => setImmediate(done));

test("a mark is entered once", () => {
  const r = row(0);
  mark(r, 1, "a", 2);
  mark(r, 1, "f", 3);
  assert.deepEqual([r.codes, r.ms], [".a", 2]);
});

test("tests come as steps", () => {
  assert.deepEqual([...testsOf([3, 1, 10])], [3, 4, 14]);
  assert.equal(testsOf([]).length, 0);
  assert.ok(sameTests(testsOf([3, 1]), Uint32Array.of(3, 4)));
  assert.ok(!sameTests(testsOf([3, 1]), Uint32Array.of(3, 5)));
  assert.ok(!sameTests(testsOf([3]), Uint32Array.of(3, 4)));
});

test("a row is found by its test", () => {
  const { rows } = fetched();
  assert.deepEqual([rows.length, rows.find(7), rows.test(7)], [1000, 7, 7]);
  rows.reset(Uint32Array.of(2, 5, 9));
  assert.deepEqual([rows.length, rows.test(1)], [3, 5]);
  assert.deepEqual([2, 5, 9, 3, 10, 0].map((n) => rows.find(n)), [0, 1, 2, -1, -1, -1]);
  rows.reset(null);
  assert.equal(rows.length, 1000);
});

test("rows in sight are fetched in blocks, by what the filter lists", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { rows, asked } = fetched();
  rows.need(190, 210);
  t.mock.timers.tick(1);
  assert.deepEqual(asked.map((a) => a.places), ["0-199", "200-399"]);
  asked[0].done(block(0));
  await settled();
  assert.equal(rows.row(0).path, "t/0");
  assert.equal(rows.row(200), undefined);
  assert.equal(rows.source.came.mock.callCount(), 1);
  rows.reset(Uint32Array.of(4, 8));
  assert.ok(asked[1].signal.aborted);
  assert.equal(rows.row(0), undefined);
  rows.need(0, 2);
  t.mock.timers.tick(1);
  assert.equal(asked[2].places, "4,8");
});

test("blocks out of sight are given up, and fetched anew when scrolling pauses", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { rows, asked } = fetched();
  rows.need(0, 20);
  t.mock.timers.tick(1);
  asked[0].done(block(0));
  await settled();
  rows.need(400, 420);
  t.mock.timers.tick(59);
  assert.equal(asked.length, 1, "while it is scrolled, nothing is asked");
  t.mock.timers.tick(1);
  rows.need(0, 20);
  assert.ok(asked[1].signal.aborted);
  asked[1].done(block(400));
  await settled();
  assert.equal(rows.row(400), undefined);
});

test("what fails is asked again, later each time", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { rows, asked } = fetched();
  rows.need(0, 20);
  t.mock.timers.tick(1);
  for (const pause of [1000, 2000, 4000]) {
    const { length } = asked;
    asked.at(-1).fail(new Error("503"));
    await settled();
    t.mock.timers.tick(pause - 1);
    assert.equal(asked.length, length);
    t.mock.timers.tick(1);
    assert.equal(asked.length, length + 1);
  }
});

test("marks reach rows that are there, and those under way", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { rows, asked } = fetched();
  rows.need(0, 20);
  t.mock.timers.tick(1);
  rows.take([[3 * 2 + 1, "f", 1.5], [3 * 2 + 1, "f", 1.5], [500 * 2, "a", 1]]);
  asked[0].done(block(0));
  await settled();
  assert.deepEqual([rows.row(3).codes, rows.row(3).ms], [".f", 1.5]);
  rows.take([[4 * 2, "a", 1]]);
  assert.equal(rows.row(4).codes, "a.");
  rows.reset(Uint32Array.of(5));
  rows.take([[4 * 2 + 1, "a", 1]]); // which the filter does not list
});

test("the blocks used last are kept", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { rows, asked } = fetched({ tests: 50 * BLOCK });
  for (let b = 0; b < 41; b++) {
    rows.need(b * BLOCK, b * BLOCK + 1);
    t.mock.timers.tick(60);
    asked.at(-1).done(block(b * BLOCK));
    await settled();
    rows.need(0, 1); // stays in use
  }
  assert.ok(rows.row(0));
  assert.equal(rows.row(BLOCK), undefined);
  assert.ok(rows.row(2 * BLOCK));
  assert.ok(rows.row(40 * BLOCK));
});
