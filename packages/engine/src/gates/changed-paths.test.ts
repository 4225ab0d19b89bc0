/** Files of every prompt count, each once. */
import type { UndoPoint } from "@kedge/protocol";
import { expect, test } from "vitest";
import { changedPaths } from "./changed-paths.ts";

function point(promptId: string, ...paths: readonly string[]): UndoPoint {
  const files = paths.map((path) => ({ path, status: "modified" }) as const);
  return { promptId, text: "", changes: [{ before: "tree", after: "tree2", files, uncovered: [] }] };
}

test("the changed files of all prompts are told with their whole paths", () => {
  const undoPoints = [point("prm_1", "a.ts", "deep/b.ts"), point("prm_2", "a.ts", "c.ts")];
  expect(changedPaths({ undoPoints }, "/w")).toEqual(["/w/a.ts", "/w/deep/b.ts", "/w/c.ts"]);
});
