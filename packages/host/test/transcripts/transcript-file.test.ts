import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeTranscriptFile } from "../../src/transcripts/index.ts";
import { smallSession } from "./small-session.ts";
import { exportText, storeSession } from "./stored-session.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-transcript-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const redact = (text: string) => text.replaceAll("two", "[REDACTED]");

test("the file holds the redacted lines, replaces an older one, and is the user's alone", async () => {
  const path = join(directory, "project", "ses_small.jsonl");
  const { source: older } = await storeSession("ses_small", smallSession().slice(0, 2));
  await writeTranscriptFile(path, older, { redact });
  const { source } = await storeSession("ses_small", smallSession());
  await writeTranscriptFile(path, source, { redact });
  const { source: same } = await storeSession("ses_small", smallSession());
  expect(readFileSync(path, "utf8")).toBe(await exportText(same, { format: "jsonl", redact }));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(directory, "project"))).toEqual(["ses_small.jsonl"]);
});

test("an export that breaks leaves the older file as it was", async () => {
  const path = join(directory, "ses_small.jsonl");
  const { source } = await storeSession("ses_small", smallSession());
  await writeTranscriptFile(path, source, { redact });
  const before = readFileSync(path, "utf8");
  const fail = () => {
    throw new Error("no more");
  };
  await expect(writeTranscriptFile(path, source, { redact: fail })).rejects.toThrow("no more");
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(readdirSync(directory)).toEqual(["ses_small.jsonl"]);
});
