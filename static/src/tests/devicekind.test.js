import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf } from "../devicekind.js";

const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15";
const phone = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36";
const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0";
const linux = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";

// A kind says no more than the browser does: a Mac or a Windows computer without an architecture may have either.
for (const [what, told, want] of [
  ["Chrome on an Android phone", { platform: "Android", architecture: "", agent: phone, old: "Linux armv81", touch: 5 }, "arm-android"],
  ["an Android phone that does not say", { agent: phone, old: "", touch: 5 }, "android"],
  ["Android on x86", { platform: "Android", architecture: "x86", agent: phone, old: "Linux x86_64", touch: 0 }, "x86"],
  ["an iPhone", { agent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", old: "iPhone", touch: 5 }, "ios"],
  ["an iPad that calls itself a Mac", { agent: mac, old: "MacIntel", touch: 5 }, "ios"],
  ["Safari on a Mac", { agent: mac, old: "MacIntel", touch: 0 }, "mac"],
  ["Chrome on a Mac with Arm", { platform: "macOS", architecture: "arm", agent: mac, old: "MacIntel", touch: 0 }, "arm"],
  ["Chrome on Windows", { platform: "Windows", architecture: "x86", agent: windows, old: "Win32", touch: 0 }, "x86"],
  ["Firefox on Windows", { agent: windows, old: "Win32", touch: 10 }, "windows"],
  ["Firefox on Linux", { agent: linux, old: "Linux x86_64", touch: 0 }, "x86"],
  ["Firefox on Linux with Arm", { agent: linux.replace("x86_64", "aarch64"), old: "Linux aarch64", touch: 0 }, "arm"],
  ["another device", { agent: "Mozilla/5.0 (PlayStation 5)", old: "", touch: 0 }, "other"],
]) {
  test(what, () => assert.equal(kindOf(told), want));
}
