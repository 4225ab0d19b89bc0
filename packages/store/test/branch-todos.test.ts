/** The derived list of todos follows the conversation to another place of its tree. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fact } from "@kedge/protocol";
import { expect, test } from "vitest";
import { openSqliteStore } from "../src/sqlite/open-sqlite-store.ts";
import { created, prompt } from "./sample-facts.ts";
import { appended, validReport } from "./store-site.ts";
import { answerStep, readCall, started } from "./view-facts.ts";

const todos = (content: string): Fact => ({
  type: "todos.replaced",
  todos: [{ content, status: "pending", priority: "low" }],
});

test("after a move the table equals a fresh fold", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kedge-todos-"));
  const outcome = openSqliteStore({
    path: join(folder, "kedge.db"),
    blobsDirectory: join(folder, "blobs"),
    now: () => 1_700_000_000_000,
    randomBytes,
    isAlive: () => true,
  });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const { store } = outcome;
  try {
    const first = [prompt("one", "p1"), started(1, ["p1"]), answerStep(1, "a"), todos("first"), ...readCall(1, "x")];
    const second = [prompt("two", "p2"), started(2, ["p2"]), answerStep(2, "b"), todos("second"), ...readCall(2, "y")];
    const facts: readonly Fact[] = [created, ...first, ...second, { type: "leaf.moved", leafId: "p2" }];
    await appended(store, "ses_1", facts);
    await store.catchUp("ses_1");
    expect(await store.verify("ses_1")).toEqual(validReport("ses_1", facts.length, 0));
    await appended(store, "ses_1", [{ type: "leaf.moved" }]);
    await store.catchUp("ses_1");
    expect(await store.verify("ses_1")).toEqual(validReport("ses_1", facts.length + 1, 0));
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
