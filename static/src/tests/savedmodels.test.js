import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as saved from "../savedmodels.js";

/** @type {Map<string, string>} */
const stored = new Map();
let room = 1e9;

beforeEach(() => {
  stored.clear();
  room = 1e9;
  globalThis.localStorage = {
    getItem: (key) => stored.get(key) ?? null,
    setItem(key, value) {
      if (value.length > room) throw new DOMException("no room", "QuotaExceededError");
      stored.set(key, value);
    },
  };
});

const model = (name, text = "acyclic po as order") => ({ name, text, files: {} });

test("a saved model is listed by name, with its files", () => {
  saved.save({ ...model("b"), files: { "x.cat": "let x = po" } });
  saved.save(model("a"));
  assert.deepEqual(saved.list().map((m) => m.name), ["a", "b"]);
  assert.deepEqual(saved.find("b").files, { "x.cat": "let x = po" });
  assert.equal(saved.find("c"), undefined);
});

test("names of built-in models and what cannot be a name are refused", () => {
  assert.throws(() => saved.save(model("TSO"), { builtin: ["tso"] }), /“TSO” is the name of a built-in model/);
  assert.throws(() => saved.save(model("a b")), /letters, digits, - and _/);
  assert.throws(() => saved.save(model("a", " ")), /no text to save/);
  saved.save(model("a"));
  saved.save(model("b"));
  assert.throws(() => saved.rename("a", "b", []), /already have a model “b”/);
  assert.throws(() => saved.rename("a", "sc", ["sc"]), /built-in/);
  assert.throws(() => saved.rename("c", "d", []), /no longer saved/);
  saved.rename("a", "c", []);
  assert.deepEqual(saved.list().map((m) => m.name), ["b", "c"]);
});

test("two tabs do not overwrite each other's edits", () => {
  const first = saved.save(model("a", "one"));
  const second = saved.save(model("a", "two"), { seen: first.at }); // the other tab
  assert.throws(() => saved.save(model("a", "three"), { seen: first.at }), (e) => e.taken && /Another tab has changed “a”/.test(e.message));
  assert.throws(() => saved.save(model("a", "three")), (e) => e.taken && /already have a model “a”/.test(e.message));
  assert.equal(saved.find("a").text, "two");
  assert.equal(saved.save(model("a", "two")).at, second.at, "the same text is no conflict");
  saved.save(model("a", "three"), { replace: true });
  assert.equal(saved.find("a").text, "three");
});

test("a storage that is full or off loses nothing", () => {
  saved.save(model("a"));
  room = 100;
  assert.throws(() => saved.save(model("b", "x".repeat(200))), /storage is full, so “b” is not saved/);
  assert.deepEqual(saved.list().map((m) => m.name), ["a"]);
  globalThis.localStorage = {
    getItem() {
      throw new DOMException("off", "SecurityError");
    },
  };
  assert.deepEqual(saved.list(), []);
  assert.match(saved.problem(), /does not let the page store models/);
  assert.throws(() => saved.save(model("b")), /does not let the page store models/);
});

test("damaged storage has no models", () => {
  for (const text of ["{", "{}", '[1, null, {"name": "a"}]']) {
    stored.set("litmuscope.models", text);
    assert.deepEqual(saved.list(), []);
  }
});

test("a deleted model can be restored", () => {
  saved.save(model("a", "one"));
  const gone = saved.remove("a");
  assert.deepEqual(saved.list(), []);
  saved.save(gone);
  assert.equal(saved.find("a").text, "one");
});

test(".cat files become models, and back", () => {
  const files = [
    { name: "main.cat", text: 'include "part.cat"' },
    { name: "part.cat", text: 'include "deep.cat"' },
    { name: "deep.cat", text: "let d = po" },
    { name: "tso.cat", text: "acyclic po as x" },
    { name: "my model (2).cat", text: "acyclic rf as x" },
  ];
  const models = saved.modelsOf(files, ["tso"]);
  assert.deepEqual(models.map((m) => [m.name, Object.keys(m.files)]), [
    ["main", ["part.cat", "deep.cat"]],
    ["my-tso", []],
    ["my-model-2-", []],
  ]);
  assert.deepEqual(saved.filesOf(models[0]).map((f) => f.name), ["main.cat", "part.cat", "deep.cat"]);
});
