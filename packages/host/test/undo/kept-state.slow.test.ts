/** A session is left, and taken up from its kept state: what can be undone, redone and shown is as if all facts had been read. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applyRecord, emptySession, type Store } from "@kedge/protocol";
import { openSqliteStore } from "@kedge/store";
import { afterAll, expect, test } from "vitest";
import { readTree } from "./file-tree.ts";
import { openSite, UndoSites } from "./undo-site.ts";

const sites = new UndoSites();
afterAll(() => sites.close());

/** Each mark stands for another program, which keeps a state of its own. */
function openStore(place: string, mark: string): Store {
  const files = { path: join(place, "kedge.db"), blobsDirectory: join(place, "blobs") };
  const keptTexts = { mark, factsMin: 1 };
  const opened = openSqliteStore({ ...files, now: Date.now, randomBytes, isAlive: () => false, keptTexts });
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.store;
}

/** The first text of the file tells it. */
function keptSeq(place: string): unknown {
  return Number(/"seq":(\d+)/.exec(readFileSync(join(place, "folds", "1.state"), "utf8"))?.[1]);
}

const write = (content: string) => ({ tool: "write", input: { filePath: "made.txt", content } });
const bash = (command: string) => ({ tool: "bash", input: { command, description: "test" } });

test("undo and redo over two restarts", async () => {
  const place = sites.newPlace("git");
  let store = openStore(place, "boot-1");
  let site = await openSite({ place, kind: "git", store });
  const sessionId = await site.open();
  const before = readTree(site.root);
  await site.prompt(sessionId, [[write("one\n")], [bash("mv src/a.txt src/b.txt")]]);
  const afterFirst = readTree(site.root);
  await site.prompt(sessionId, [[write("two\n")], [bash("rm -r docs; false")]]);
  const afterSecond = readTree(site.root);

  async function restart(boot: string): Promise<void> {
    const live = site.engine.openSessions()[0]?.state;
    await site.engine.close();
    expect(keptSeq(place)).toBe(live?.lastSeq);
    expect(await store.verify(sessionId)).toMatchObject({ valid: true });
    const [state, applied] = [emptySession(sessionId), emptySession(sessionId)];
    await store.fold(state);
    for await (const record of store.read(sessionId, 0)) applyRecord(applied, record);
    expect(state).toStrictEqual(applied);
    await store.close();
    store = openStore(place, boot);
    site = await openSite({ place, kind: "git", store, boot });
    await site.resume(sessionId);
  }

  await restart("boot-2");
  expect(await site.engine.send({ type: "session.undo", sessionId })).toMatchObject({ ok: true });
  expect(readTree(site.root)).toEqual(afterFirst);
  expect(await site.engine.send({ type: "session.undo", sessionId })).toMatchObject({ ok: true });
  expect(readTree(site.root)).toEqual(before);
  await restart("boot-3");
  expect(await site.engine.send({ type: "session.redo", sessionId })).toMatchObject({ ok: true });
  expect(await site.engine.send({ type: "session.redo", sessionId })).toMatchObject({ ok: true });
  expect(readTree(site.root)).toEqual(afterSecond);
  await site.engine.close();
  await store.close();
});
