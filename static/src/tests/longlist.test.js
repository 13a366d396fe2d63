import assert from "node:assert/strict";
import { test } from "node:test";
import { around, clamp, height, rowsInSight, scrollTopOf, topOf } from "../longlist.js";

const short = { length: 100, rowHeight: 30, room: 600 };
const million = { length: 1_000_000, rowHeight: 30, room: 600 };

test("a list that a browser can scroll is scrolled as it is", () => {
  assert.equal(height(short), 3000);
  assert.equal(topOf(short, 450), 450);
  assert.equal(scrollTopOf(short, 450), 450);
  assert.equal(scrollTopOf(short, 5000), 2400, "no further than its end");
  assert.equal(scrollTopOf(short, -1), 0);
});

test("a longer list is scrolled in proportion, to both of its ends", () => {
  assert.equal(height(million), 8_000_000);
  assert.equal(topOf(million, 0), 0);
  assert.equal(topOf(million, 8_000_000 - 600), 30_000_000 - 600);
  for (const px of [0, 1234, 15_000_000, 29_999_400]) {
    assert.ok(Math.abs(topOf(million, scrollTopOf(million, px)) - px) < 1e-6, `${px}`);
  }
});

test("the rows in sight come with six around them", () => {
  assert.deepEqual(rowsInSight(short, 900), { first: 24, last: 56 });
  assert.deepEqual(rowsInSight(short, 0), { first: 0, last: 26 });
  assert.deepEqual(rowsInSight(short, 2400), { first: 74, last: 100 });
  assert.deepEqual(rowsInSight({ ...short, length: 0 }, 0), { first: 0, last: 0 });
});

test("what stands in for other rows fills the list", () => {
  const rows = rowsInSight(short, 900);
  const { above, below } = around(short, 0, rows);
  assert.equal(above, 24 * 30);
  assert.equal(above + (rows.last - rows.first) * 30 + below, height(short));
});

test("the rows of a longer list are where they are looked at", () => {
  const scrollTop = 4_000_000;
  const top = topOf(million, scrollTop);
  const { first } = rowsInSight(million, top);
  const { above } = around(million, scrollTop - top, rowsInSight(million, top));
  assert.ok(Math.abs(above - scrollTop - (first * 30 - top)) < 1e-6);
});

test("clamp", () => assert.deepEqual([-1, 5, 11].map((n) => clamp(n, 0, 10)), [0, 5, 10]));
