/** Runs a mock model as a process of its own: `node main.ts --script turns.json [--port n]` prints one line with its port. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startMockModel } from "./mock-model.ts";
import type { MockTurn } from "./script.ts";

const { values } = parseArgs({ options: { script: { type: "string" }, port: { type: "string", default: "0" } } });
if (values.script === undefined) throw new Error("Give the list of turns with --script <file.json>.");

// The file is written by whoever starts the mock for a test; a turn it does not understand is said wrongly, and seen.
const script = JSON.parse(readFileSync(values.script, "utf8")) as readonly MockTurn[];
const model = await startMockModel({ script, port: Number(values.port) });
process.stdout.write(`${JSON.stringify({ port: model.port })}\n`);
