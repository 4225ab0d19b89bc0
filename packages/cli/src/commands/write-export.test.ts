/** Proves where reports are written and that none replaces another. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeReport } from "./write-export.ts";

test("every report is a file of its own in the home, for its user alone", () => {
  const home = mkdtempSync(join(tmpdir(), "kedge-report-"));
  try {
    const reports = join(home, "reports");
    expect(writeReport(home, "bug.json", "one")).toEqual({ ok: true, sentence: `Saved to ${reports}/bug.json.` });
    expect(writeReport(home, "bug.json", "two")).toEqual({ ok: true, sentence: `Saved to ${reports}/bug-2.json.` });
    expect(readdirSync(reports).map((name) => readFileSync(join(reports, name), "utf8"))).toEqual(["two", "one"]);
    expect(statSync(join(reports, "bug.json")).mode & 0o777).toBe(0o600);
    writeFileSync(join(home, "file"), "");
    expect(writeReport(join(home, "file"), "bug.json", "three").ok).toBe(false);
  } finally {
    rmSync(home, { recursive: true });
  }
});
