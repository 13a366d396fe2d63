// A worker that runs one thread of a litmus test on this device, for device.js.

const worker = /** @type {any} */ (self); // a worker, not a window
/** @type {(order: number, results: number, barrier: number, from: number, to: number, zero: bigint, seed: number) => void} */
let run;
/** @type {(counts: number, n: number, ...tables: number[]) => void} */
let count;

worker.onmessage = async (/** @type {MessageEvent<DeviceOrder>} */ { data }) => {
  try {
    await obey(data);
    worker.postMessage({});
  } catch (e) {
    worker.postMessage({ problem: e.message });
  }
};

/** @param {DeviceOrder} order */
async function obey(order) {
  const module = order.module ?? order.counter;
  if (module && order.memory) {
    const instance = await WebAssembly.instantiate(module, { env: { memory: order.memory } });
    const made = /** @type {any} */ (instance.exports.run);
    if (order.module) run = made;
    else count = made;
  } else if (order.tables) count(order.results, order.cells, ...order.tables);
  else run(order.order, order.results, 0, 0, order.cells, 0n, order.seed);
}
