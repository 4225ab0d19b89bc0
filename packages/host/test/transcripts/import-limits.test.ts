import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { importSession } from "../../src/transcripts/index.ts";
import { smallSession } from "./small-session.ts";
import { exportText, importParts, storeSession } from "./stored-session.ts";

const limits = { bytesMax: 4096, lineCharactersMax: 1024 };

function said(role: "user" | "assistant", text: string): string {
  const type = role === "user" ? "input_text" : "output_text";
  const payload = { type: "message", role, content: [{ type, text }] };
  return `${JSON.stringify({ timestamp: "2026-01-02T03:00:00.000Z", type: "response_item", payload })}\n`;
}

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

test("a file over the limit is refused", async () => {
  expect(await importSession(said("user", "x".repeat(900)).repeat(6), importParts(), limits)).toEqual({
    ok: false,
    sentence: "The file is larger than 0 MB. Export it without tool output.",
  });
});

test("a line over the limit is passed over", async () => {
  const text = said("user", "Hi") + said("assistant", "y".repeat(2000)) + said("assistant", "Hello");
  const outcome = await importSession(pieces(text, 100), importParts(), limits);
  expect(outcome).toMatchObject({
    ok: true,
    report: { answers: 1, skipped: [{ what: "lines that are too long", count: 1 }] },
  });
});

test("where the pieces of a file end does not matter", async () => {
  const text = `\uFEFF\n${said("user", "é 𝒳 \u2028")}\n${said("assistant", "ok")}`;
  const whole = await importSession(text, importParts());
  for (const size of [1, 3, 7, 1000]) expect(await importSession(pieces(text, size), importParts())).toEqual(whole);
});

test.each([
  ["nothing", "", "The file is empty."],
  ["blank lines", "\n \n", "The file is empty."],
  [
    "something else",
    '{"hello":1}\n[1]\n',
    "Not a kedge export or a transcript of Claude Code, Codex or OpenCode. Pass a file written by one of them.",
  ],
  ["half a document", '{\n"info":', "The file is not complete JSON. Export it again."],
  [
    "another version",
    '{"format":"kedge-session","version":9}',
    "This export has version 9; this kedge reads version 1. Export it again.",
  ],
  [
    "no conversation",
    '{"type":"session_meta","payload":{"id":"x"}}',
    "This transcript contains no conversation. Nothing to import.",
  ],
])("%s is refused in words", async (_, text, sentence) => {
  expect(await importSession(text, importParts())).toEqual({ ok: false, sentence });
});

test("damaged files never throw", async () => {
  const random = createSeededRandom();
  const { source } = await storeSession("ses_small", smallSession());
  const text = await exportText(source, { format: "json", redact: "none" });
  const signs = ["{", "}", "[", "]", '"', ":", ",", "0", "null", "true", "\\", "\n"];
  for (let round = 0; round < 300; round += 1) {
    const at = random.below(text.length);
    const sign = signs[random.below(signs.length)] ?? "";
    const damaged = text.slice(0, at) + sign + text.slice(at + random.below(6));
    const outcome = await importSession(damaged, importParts()).catch((error: unknown) => ({
      seed: random.seed,
      round,
      error,
    }));
    expect(outcome).toHaveProperty("ok");
  }
});

test("a transcript of 120 MB is read without holding it", () => {
  const script = join(import.meta.dirname, "large-import.ts");
  const { stdout, stderr } = spawnSync(process.execPath, ["--max-old-space-size=32", script], { encoding: "utf8" });
  expect({ stderr, report: stdout }).toEqual({
    stderr: "",
    report:
      '{"format":"codex","sourceSessionId":"","title":"Hi","prompts":1,"answers":1,"calls":0,"skipped":[],"notes":[]}',
  });
});
