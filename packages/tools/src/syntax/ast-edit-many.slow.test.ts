/** Proves that as many files as may be rewritten at once are left as they are when one of them changed meanwhile. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { findRipgrep } from "../searching/find-ripgrep.ts";
import { createAstEditTool } from "./ast-edit.ts";
import { createGrammars } from "./grammars.ts";
import { createPendingEdits } from "./pending-edits.ts";
import { createResolveTool } from "./resolve.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

test("a thousand files, of which one changed, are left as they are", async () => {
  const context = workshop.newContext();
  const shared = { grammars: createGrammars(), pendingEdits: createPendingEdits() };
  const edit = createAstEditTool({ ripgrepPath: findRipgrep, childEnvironment: () => ({}), ...shared });
  const resolve = createResolveTool(shared);
  const names = Array.from({ length: 1_000 }, (_, index) => `many/${index}.py`);
  for (const name of names) workshop.put(name, `f(${name.length})\n`);
  const { metadata } = await edit.run({ ops: [{ pat: "f($A)", out: "g($A)" }], paths: ["many"] }, context);
  expect(metadata).toMatchObject({ count: 1_000, files: 1_000, skipped: 0 });
  workshop.put("many/999.py", "changed()\n");
  const id = String(metadata?.["pending"]);
  expect(await resolve.run({ id, action: "apply", reason: "test" }, context)).toMatchObject({ isError: true });
  expect(names.filter((name) => workshop.text(name).startsWith("g"))).toEqual([]);
});
