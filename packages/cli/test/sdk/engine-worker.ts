/** A thread that opens kedge where the test tells it, and serves its client to the thread that started it. */
import { parentPort, workerData } from "node:worker_threads";
import { serveClient } from "@kedge/sdk";
import { createLocal, type LocalOptions } from "../../src/sdk/index.ts";

if (parentPort === null) throw new Error("this runs as a worker");

// What the test gave it.
const { client } = await createLocal(workerData as LocalOptions);
serveClient(parentPort, client);
