/** A fork and its origin have one file for an output of before: a secret taken out of one is gone from both. */
import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore } from "@kedge/store";
import { afterEach, expect, test } from "vitest";
import { scrubSession } from "../src/retention/scrub-session.ts";

const directory = mkdtempSync(join(tmpdir(), "kedge-scrub-"));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const holder = { boot: "boot-1", pid: 1, startedAt: "now" };
const redact = (text: string) => text.replaceAll("hunter2", "[REDACTED]");

test.each(["ses_origin", "ses_fork"])("scrubbing %s", async (scrubbed) => {
  const path = (sessionId: string, name: string) => join(directory, sessionId, name);
  for (const sessionId of ["ses_origin", "ses_fork"]) mkdirSync(join(directory, sessionId), { recursive: true });
  writeFileSync(path("ses_origin", "0.bash.log"), `${"line\n".repeat(1_000)}key hunter2\n`, { mode: 0o600 });
  linkSync(path("ses_origin", "0.bash.log"), path("ses_fork", "0.bash.log"));
  writeFileSync(path("ses_origin", "1.bash.log"), "nothing secret\n");
  linkSync(path("ses_origin", "1.bash.log"), path("ses_fork", "1.bash.log"));
  writeFileSync(path("ses_origin", "2.bash.log"), "origin hunter2\n");
  writeFileSync(path("ses_fork", "2.bash.log"), "fork hunter2\n");

  const store = createMemoryStore({ now: () => 1_700_000_000_000, randomBytes, isAlive: () => false });
  const parts = { store, holder, redact, artifactsDirectory: directory };
  const counted = { ok: true, sessionId: scrubbed, contents: 0, files: 2 };
  const before = readFileSync(path("ses_fork", "0.bash.log"), "utf8");
  expect(await scrubSession(scrubbed, parts, { isDryRun: true })).toEqual(counted);
  expect(readFileSync(path("ses_fork", "0.bash.log"), "utf8")).toBe(before);

  expect(await scrubSession(scrubbed, parts, { isDryRun: false })).toEqual(counted);
  const other = scrubbed === "ses_fork" ? "ses_origin" : "ses_fork";
  for (const sessionId of [scrubbed, other]) {
    expect(readFileSync(path(sessionId, "0.bash.log"), "utf8")).toBe(redact(before));
    expect(readFileSync(path(sessionId, "1.bash.log"), "utf8")).toBe("nothing secret\n");
    expect(statSync(path(sessionId, "0.bash.log")).nlink).toBe(2);
  }
  expect(statSync(path(other, "0.bash.log")).mode & 0o777).toBe(0o600);
  // What only the other one has waits for its own turn.
  expect(readFileSync(path(scrubbed, "2.bash.log"), "utf8")).not.toContain("hunter2");
  expect(readFileSync(path(other, "2.bash.log"), "utf8")).toContain("hunter2");
  expect(await scrubSession(other, parts, { isDryRun: false })).toMatchObject({ ok: true, files: 1 });
  expect(await scrubSession(other, parts, { isDryRun: true })).toMatchObject({ ok: true, files: 0 });
  for (const sessionId of [scrubbed, other])
    expect(readdirSync(join(directory, sessionId)).toSorted()).toEqual(["0.bash.log", "1.bash.log", "2.bash.log"]);
});
