// The kind of this device, as far as its browser says what it runs on.

/**
 * A DeviceTold is what a browser says of its device.
 * @typedef {{ architecture?: string, platform?: string, agent: string, old: string, touch: number }} DeviceTold
 */

/**
 * kindOf returns the ID of the kind: one of the server's list (class.DeviceKinds).
 * @param {DeviceTold} told architecture and platform come from userAgentData, which not every browser has; old is navigator.platform, and touch the number of touch points
 */
export function kindOf({ architecture = "", platform = "", agent, old, touch }) {
  const says = (/** @type {RegExp} */ what) => what.test(platform) || what.test(agent) || what.test(old);
  const isArm = /^arm/i.test(architecture);
  const isX86 = /^x86/i.test(architecture);
  if (says(/iPhone|iPad|iPod/) || (says(/Mac/) && touch > 1)) return "ios"; // an iPad may call itself a Mac
  if (says(/Android/)) return isX86 ? "x86" : isArm || /arm|aarch64/i.test(old) ? "arm-android" : "android";
  if (isArm) return "arm";
  if (isX86) return "x86";
  if (says(/Mac/)) return "mac";
  if (says(/Win/)) return "windows";
  if (says(/Linux|CrOS|X11/)) {
    if (says(/aarch64|armv/i)) return "arm";
    if (says(/x86_64|i[3-6]86|amd64/i)) return "x86";
  }
  return "other";
}

/** kindOfThis returns the kind of this device. */
export async function kindOfThis() {
  const { userAgent: agent, platform: old, maxTouchPoints: touch } = navigator;
  const data = /** @type {any} */ (navigator).userAgentData;
  /** @type {{ architecture?: string, platform?: string }} */
  let told = {};
  try {
    told = (await data?.getHighEntropyValues(["architecture"])) ?? {};
  } catch {
    // the browser does not say
  }
  return kindOf({ ...told, agent, old, touch });
}
