/** Proves that a session notes the branch it begins on, as it is then, and none where there is none. */
import { expect, test } from "vitest";
import { createHarness } from "./harness.ts";

test("the branch is asked for with every session", async () => {
  const branches = ["main", "topic/one", undefined];
  const { workspace } = createHarness({ turns: [] }).parts;
  const parts = { workspace: { ...workspace, branch: () => branches.shift() } };
  const harness = createHarness({ turns: [], parts });
  const noted: unknown[] = [];
  for (let count = 0; count < 3; count += 1)
    for await (const { fact } of harness.store.read(await harness.open(), 0))
      if (fact.type === "session.created") noted.push("branch" in fact ? fact.branch : "none");
  expect(noted).toEqual(["main", "topic/one", "none"]);
});
