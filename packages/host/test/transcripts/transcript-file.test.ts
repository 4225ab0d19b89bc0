/** Proves which files are kept of sessions, that they are redacted and whole, and that no failure of theirs matters. */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fact } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSessionFiles } from "../../src/sessions/session-files.ts";
import {
  listTranscripts,
  removeTranscripts,
  type TranscriptForm,
  transcriptPath,
} from "../../src/transcripts/transcript-place.ts";
import { smallSession } from "./small-session.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "kedge-transcript-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const holder = { boot: "boot_1", pid: 1, startedAt: "" };
const startTime = Date.UTC(2026, 0, 2);
const owner = { projectId: "prj_1", sessionId: "ses_small" };

function world(forms: readonly TranscriptForm[]) {
  const notices: string[] = [];
  const now = () => startTime;
  const store = createMemoryStore({ now, randomBytes, isAlive: () => true });
  const files = createSessionFiles({
    ...{ store, holder, home, environment: {}, now, kedgeVersion: "1.2.3", directory: "/work", projectId: "prj_1" },
    redact: (text) => text.replaceAll("two", "[REDACTED]"),
    newId: (prefix) => prefix,
    newRequestId: () => "",
    kept: forms,
    onNotice: (sentence) => void notices.push(sentence),
  });
  const append = (sessionId: string, facts: readonly Fact[]) =>
    store.append(sessionId, facts, { boot: holder.boot, durable: false });
  return { transcripts: files.transcripts, append, store, notices };
}

const pathOf = (form: TranscriptForm) => transcriptPath(home, owner, form) ?? "";
const modeOf = (path: string) => statSync(path).mode & 0o777;
const kept = () => listTranscripts(home).map(({ path }) => path.slice(home.length + 1));

test("both forms hold the redacted session, and are the user's alone", async () => {
  const { append, notices, ...opened } = world(["jsonl", "conversations"]);
  const transcripts = await opened.transcripts();
  await append("ses_small", smallSession());
  await transcripts.write("ses_small");
  const lines = readFileSync(pathOf("jsonl"), "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(["user", "assistant", "tool_result", "assistant"]);
  expect(lines.join("\n")).toContain("It has **[REDACTED]** lines.");
  expect(lines.join("\n")).not.toContain("two");
  const text = readFileSync(pathOf("conversations"), "utf8");
  expect(text).toContain("> It has **[REDACTED]** lines.");
  expect(kept()).toEqual(["projects/prj_1/ses_small.jsonl", "projects/prj_1/conversations/ses_small.md"]);
  expect([pathOf("jsonl"), pathOf("conversations")].map(modeOf)).toEqual([0o600, 0o600]);
  expect(
    ["projects", "projects/prj_1", "projects/prj_1/conversations"].map((name) => modeOf(join(home, name))),
  ).toEqual([0o700, 0o700, 0o700]);
  expect(notices).toEqual([]);
});

test("a later run replaces the file, and only what is asked for is kept", async () => {
  const { append, ...opened } = world(["jsonl"]);
  const transcripts = await opened.transcripts();
  const [created, ...said] = smallSession();
  await append("ses_small", created === undefined ? [] : [created]);
  await transcripts.write("ses_small");
  expect(readFileSync(pathOf("jsonl"), "utf8")).toBe("");
  await append("ses_small", said);
  await transcripts.write("ses_small");
  expect(readFileSync(pathOf("jsonl"), "utf8").split("\n")).toHaveLength(5);
  expect(kept()).toEqual(["projects/prj_1/ses_small.jsonl"]);
});

test("a disk that refuses is told once, and leaves the older file", async () => {
  const { append, notices, ...opened } = world(["jsonl", "conversations"]);
  const transcripts = await opened.transcripts();
  await append("ses_small", smallSession());
  mkdirSync(join(home, "projects"), { recursive: true });
  writeFileSync(join(home, "projects", "prj_1"), "");
  await transcripts.write("ses_small");
  await transcripts.write("ses_small");
  expect(notices).toEqual([
    `Could not write the session transcript: ${pathOf("jsonl")} cannot be written (a file of that name exists).`,
  ]);
});

test("a list of secrets that cannot be read stops the file rather than leaving secrets in", async () => {
  const { append, notices, ...opened } = world(["jsonl"]);
  const transcripts = await opened.transcripts();
  await append("ses_small", smallSession());
  writeFileSync(join(home, "secrets.yml"), "- type: plain\n  contents: one\n");
  await transcripts.write("ses_small");
  expect(kept()).toEqual([]);
  expect(notices).toHaveLength(1);
  expect(notices[0]).toContain("secrets.yml, line 1");
});

test("files that are missing or older than what was said are written again, and no others", async () => {
  const { append, ...opened } = world(["jsonl"]);
  const transcripts = await opened.transcripts();
  for (const sessionId of ["ses_missing", "ses_old", "ses_new", "ses_long"]) await append(sessionId, smallSession());
  const long = Array.from({ length: 600 }, (): Fact => ({ type: "mode.changed", mode: "plan" }));
  await append("ses_long", long);
  const place = (sessionId: string) => transcriptPath(home, { ...owner, sessionId }, "jsonl") ?? "";
  mkdirSync(join(home, "projects", "prj_1"), { recursive: true });
  for (const sessionId of ["ses_old", "ses_new"]) writeFileSync(place(sessionId), "before");
  utimesSync(place("ses_old"), 0, startTime / 1_000 - 1);
  await transcripts.writeOutdated("prj_1", (facts) => facts < 500);
  expect(readFileSync(place("ses_new"), "utf8")).toBe("before");
  expect(readFileSync(place("ses_old"), "utf8")).toContain('"type":"user"');
  expect(readdirSync(join(home, "projects", "prj_1")).sort()).toEqual([
    "ses_missing.jsonl",
    "ses_new.jsonl",
    "ses_old.jsonl",
  ]);
});

test("what was kept is written again although nothing is kept any more, and nothing else is", async () => {
  const { append, ...opened } = world([]);
  const transcripts = await opened.transcripts();
  await append("ses_small", smallSession());
  await transcripts.write("ses_small");
  await transcripts.rewrite("ses_small");
  expect(kept()).toEqual([]);
  mkdirSync(join(home, "projects", "prj_1"), { recursive: true });
  writeFileSync(pathOf("jsonl"), "two");
  chmodSync(pathOf("jsonl"), 0o644);
  await transcripts.rewrite("ses_small");
  expect(readFileSync(pathOf("jsonl"), "utf8")).not.toContain("two");
  expect(modeOf(pathOf("jsonl"))).toBe(0o600);
  expect(kept()).toEqual(["projects/prj_1/ses_small.jsonl"]);
});

test("all files of a session go, also those of a write that was cut off, and no other's", () => {
  const folder = join(home, "projects", "prj_1");
  mkdirSync(join(folder, "conversations"), { recursive: true });
  const names = ["ses_small.jsonl", "ses_small.jsonl.0a1b.tmp", "conversations/ses_small.md", "ses_smaller.jsonl", "x"];
  for (const name of names) writeFileSync(join(folder, name), "");
  removeTranscripts(home, "ses_small");
  expect(names.filter((name) => existsSync(join(folder, name)))).toEqual(["ses_smaller.jsonl", "x"]);
});

test.each(["../x", "a/b", "", "."])("names that lead elsewhere have no file: %s", (name) => {
  expect(transcriptPath(home, { ...owner, projectId: name }, "jsonl")).toBeUndefined();
  expect(transcriptPath(home, { ...owner, sessionId: name }, "conversations")).toBeUndefined();
});
