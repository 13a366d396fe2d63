// A worker that runs one thread of a litmus test on this device, for device.js.

const worker = /** @type {any} */ (self); // a worker, not a window
/** @type {(order: number, results: number, barrier: number, from: number, to: number, zero: bigint, seed: number) => void} */
let run;

worker.onmessage = async (/** @type {MessageEvent<DeviceOrder>} */ { data }) => {
  if (data.module && data.memory) {
    const { exports } = await WebAssembly.instantiate(data.module, { env: { memory: data.memory } });
    run = /** @type {any} */ (exports.run);
    worker.postMessage("ready");
    return;
  }
  run(data.order, data.results, 0, 0, data.cells, 0n, data.seed);
  worker.postMessage("done");
};
