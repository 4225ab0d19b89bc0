/** Imports a transcript of 120 MB and prints the report; started with a small heap, which holding it would exhaust. */
import { importSession } from "../../src/transcripts/index.ts";

const line = (payload: unknown, type = "response_item") =>
  `${JSON.stringify({ timestamp: "2026-01-02T03:00:00.000Z", type, payload })}\n`;

async function* transcript(): AsyncGenerator<string> {
  yield line({ type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] });
  const event = line({ type: "agent_message", message: "z".repeat(100_000) }, "event_msg");
  for (let count = 0; count < 1200; count += 1) yield event;
  yield line({ type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello" }] });
}

let count = 0;
const newId = (prefix: string) => `${prefix}${++count}`;
const place = { directory: "/", projectId: "prj", model: "mock/one", kedgeVersion: "1.2.3", boot: "boot" };
const outcome = await importSession(transcript(), { newId, newRequestId: () => newId("req_"), now: () => 0, ...place });
process.stdout.write(JSON.stringify(outcome.ok ? outcome.report : outcome));
