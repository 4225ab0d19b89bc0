/** Proves that every text for the model says which version of it this is. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("every prompt names its version", () => {
  const directory = join(import.meta.dirname, "prompts");
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  for (const name of names) expect(readFileSync(join(directory, name), "utf8"), name).toMatch(/^version: \d+\n./);
  expect(names.length).toBeGreaterThan(10);
});
