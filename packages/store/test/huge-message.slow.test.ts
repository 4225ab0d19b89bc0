/** A message of 200 MB is shown and found in bounded memory; each measurement is a process of its own. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Half of it is Node itself, which here also strips types. */
const peakMegabytesMax = 220;

const timeoutMs = 120_000;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-huge-"));
  run("fill");
}, timeoutMs);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(task: string, ...options: readonly string[]): string {
  const program = join(import.meta.dirname, "huge-message-process.ts");
  return execFileSync(process.execPath, [...options, program, task, folder], { encoding: "utf8", timeout: timeoutMs });
}

test("with what is around it, twice", { timeout: timeoutMs }, () => {
  // The first brings what is derived up to date, the second reads it.
  for (const _ of ["catching up", "reading"]) {
    const { peakMegabytes, shown, hits } = JSON.parse(run("show", "--max-old-space-size=64"));
    expect(peakMegabytes).toBeLessThan(peakMegabytesMax);
    expect(hits).toBe(2);
    expect(shown).toEqual([
      ["msg_p1", "before"],
      ["msg_s1", "done"],
      ["msg_p2", expect.stringMatching(/\n\[20\d,\d{3} KB more stored, not shown\]$/)],
      ["msg_s2", "done"],
      ["msg_p3", "after the lighthouse"],
      ["msg_s3", "done"],
    ]);
  }
  expect(run("verify")).toContain('"valid":true');
});
