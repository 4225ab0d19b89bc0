/** The paced model in a thread of its own, so that its work does not delay whoever measures. */
import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { MockTurn } from "../mock-model/script.ts";
import { startPacedModel } from "./paced-model.ts";

type ModelThread = { readonly baseUrl: string; close(): Promise<void> };

/** Turns cross to the thread, so they are plain data: no promises to wait for. */
export async function startModelThread(turns: readonly MockTurn[]): Promise<ModelThread> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { turns } });
  const [told] = await once(worker, "message");
  return {
    baseUrl: String(told),
    async close() {
      await worker.terminate();
    },
  };
}

if (!isMainThread && isModelOrder(workerData)) {
  const model = await startPacedModel(workerData.turns);
  parentPort?.postMessage(model.baseUrl);
}

function isModelOrder(value: unknown): value is { readonly turns: readonly MockTurn[] } {
  return typeof value === "object" && value !== null && "turns" in value && Array.isArray(value.turns);
}
