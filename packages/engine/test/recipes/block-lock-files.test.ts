/** Proves the recipe that ARCHITECTURE.md quotes. */
import { expect, test } from "vitest";
import { edit, openWorksite, working } from "../worksite.ts";
import { blockLockFiles } from "./block-lock-files.ts";

test("a write to a lock file is refused with a sentence for the model, and no other write is", async () => {
  const turns = working(edit("yarn.lock", "+a"), edit("src/lock.ts", "+a"));
  const { harness, ran } = openWorksite({ turns, parts: { callPhases: [blockLockFiles] } });
  await harness.prompt(await harness.open("bypass"), "go");
  const ends = harness.facts().flatMap((fact) => (fact.type === "tool.ended" ? [[fact.outcome, fact.output]] : []));
  expect([ran, ends]).toEqual([
    ["src/lock.ts"],
    [
      ["refused", "/project/yarn.lock belongs to the package manager. Run that instead."],
      ["completed", "edited"],
    ],
  ]);
});
