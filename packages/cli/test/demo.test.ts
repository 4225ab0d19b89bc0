/** Proves that the demo works offline, checks each of its steps, and leaves nothing behind. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkbench } from "./workbench.ts";

test("the demo repairs, undoes and verifies, and cleans up", async () => {
  const bench = await openWorkbench([]);
  try {
    const temporary = join(bench.directory, "tmp");
    mkdirSync(temporary);
    const { code, stdout, stderr } = await bench.run(["demo"], { environment: { TMPDIR: temporary } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.match(/^ {3}ok: .*/gm)?.map((line) => line.replace(/\d+/, "N"))).toEqual([
      "   ok: the test fails",
      "   ok: the run completed",
      "   ok: the model read the source, edited it and ran the test",
      "   ok: the source was changed",
      "   ok: the test passes",
      "   ok: the source is restored, byte for byte",
      "   ok: the test fails again",
      "   ok: the hash chain of N records is intact",
    ]);
    expect(stdout.match(/y \(demo\)/g)).toHaveLength(2);
    expect(readdirSync(temporary)).toEqual([]);
    // Only the code cache of the program itself is left behind.
    expect(readdirSync(bench.home).filter((name) => name !== "cache")).toEqual(["config.json"]);
  } finally {
    await bench.close();
  }
});
