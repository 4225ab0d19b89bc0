/** Proves that the shapes that clients hold answers against are those of docs/openapi.json. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answerShapes } from "./answer-shapes.ts";

const root = join(import.meta.dirname, "..");
const path = "packages/sdk/src/http/answer-shapes.generated.ts";

test("the stored shapes are current; vitest -u writes them anew", async () => {
  const made = answerShapes(JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8")));
  const biome = join(root, "node_modules/.bin/biome");
  const argv = ["format", `--stdin-file-path=${path}`];
  const formatted = execFileSync(biome, argv, { cwd: root, input: made, encoding: "utf8" });
  await expect(formatted).toMatchFileSnapshot(join(root, path));
});
