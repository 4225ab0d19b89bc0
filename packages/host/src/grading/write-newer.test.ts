import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeNewer } from "./write-newer.ts";

test("Python never runs what it compiled from an earlier text of the same size", () => {
  const directory = mkdtempSync(join(tmpdir(), "kedge-newer-"));
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "" };
  try {
    writeFileSync(join(directory, "value.py"), "value = 0\n");
    writeFileSync(join(directory, "main.py"), "import value; print(value.value)\n");
    const seen = Array.from({ length: 9 }, (_, index) => {
      writeNewer(join(directory, "value.py"), `value = ${index + 1}\n`);
      return execFileSync("python3", ["main.py"], { cwd: directory, encoding: "utf8", env }).trim();
    });
    expect(seen).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
