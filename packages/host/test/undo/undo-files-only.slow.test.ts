/** Undo that puts back files alone: the conversation stays, and redo brings the files forward like after any other undo. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyRecord, emptySession, messageIdOf, type SessionState, type Snapshots } from "@kedge/protocol";
import { afterAll, expect, test } from "vitest";
import { linesOf, readTree } from "./file-tree.ts";
import { bash, edit, write } from "./scenario-calls.ts";
import { openSite, type UndoSite, UndoSites } from "./undo-site.ts";

const sites = new UndoSites();
afterAll(() => sites.close());

const first = [edit("src/a.txt", "beta", "BETA"), write("made.txt", "1")];
const second = [bash("rm -r docs; printf f > docs; printf 2 > .env; mv src/a.txt src/b.txt; chmod +x src/crlf.txt")];
const third = [write("made.txt", "3")];

async function stateOf({ store }: UndoSite, sessionId: string): Promise<SessionState> {
  const state = emptySession(sessionId);
  for await (const record of store.read(sessionId, 0)) applyRecord(state, record);
  return state;
}

/** Three prompts; the lines are those of the workspace before each of them and at the end. */
async function play(site: UndoSite) {
  const sessionId = await site.open();
  const lines = [linesOf(readTree(site.root))];
  const messageIds: string[] = [];
  for (const steps of [first, second, third]) {
    const [admitted] = await site.prompt(sessionId, steps);
    if (admitted?.type === "prompt.admitted") messageIds.push(messageIdOf(admitted.promptId));
    lines.push(linesOf(readTree(site.root)));
  }
  const now = () => linesOf(readTree(site.root));
  const state = () => stateOf(site, sessionId);
  const rewind = (index: number, options: { readonly evenIfChanged?: boolean } = {}) =>
    site.engine.send({
      ...{ type: "session.revert", sessionId, messageId: messageIds[index] ?? "", only: "files" },
      ...options,
    });
  const redo = (options: { readonly evenIfChanged?: boolean } = {}) =>
    site.engine.send({ type: "session.redo", sessionId, ...options });
  const undo = () => site.engine.send({ type: "session.undo", sessionId });
  return { sessionId, lines, now, state, rewind, redo, undo };
}

test("a rewind of files alone is redone byte for byte, and the conversation stays where it is", async () => {
  const site = await openSite({ place: sites.newPlace("git"), kind: "git" });
  const { lines, now, state, rewind, redo } = await play(site);
  const before = await state();
  expect(await rewind(1)).toMatchObject({ ok: true, value: { uncovered: [] } });
  expect(now()).toEqual(lines[1]);
  const between = await state();
  expect([between.items, between.leaf]).toEqual([before.items, before.leaf]);
  expect(await rewind(0)).toMatchObject({ ok: true });
  expect(now()).toEqual(lines[0]);
  for (const expected of [lines[1], lines[3]]) {
    expect(await redo()).toMatchObject({ ok: true });
    expect(now()).toEqual(expected);
  }
  expect(await redo()).toMatchObject({ ok: false });
  const { items, leaf, undoPoints } = await state();
  expect([items, leaf, undoPoints]).toEqual([before.items, before.leaf, before.undoPoints]);
});

test("after a rewind of files alone undo takes back the conversation only, and redo goes the whole way forward", async () => {
  const site = await openSite({ place: sites.newPlace("git"), kind: "git" });
  const { sessionId, lines, now, state, rewind, redo, undo } = await play(site);
  const before = await state();
  await rewind(1);
  for (const count of [2, 1]) {
    expect(await undo()).toMatchObject({ ok: true, value: { files: [] } });
    expect(now()).toEqual(lines[1]);
    expect((await state()).undoPoints).toHaveLength(count);
  }
  expect(await undo()).toMatchObject({ ok: true });
  expect(now()).toEqual(lines[0]);
  for (const expected of [lines[1], lines[1], lines[1], lines[3]]) {
    expect(await redo()).toMatchObject({ ok: true });
    expect(now()).toEqual(expected);
  }
  expect((await state()).items).toEqual(before.items);
  await rewind(0);
  expect(await site.engine.send({ type: "session.unrevert", sessionId })).toMatchObject({ ok: true });
  expect(now()).toEqual(lines[3]);
});

test("what is said after a rewind of files alone ends the chance to redo, and is undone from there", async () => {
  const site = await openSite({ place: sites.newPlace("git"), kind: "git" });
  const { sessionId, lines, now, rewind, redo, undo } = await play(site);
  await rewind(1);
  await site.prompt(sessionId, [write("made.txt", "4")]);
  expect(await redo()).toMatchObject({ ok: false });
  for (const expected of [lines[1], lines[1], lines[1], lines[0]]) {
    expect(await undo()).toMatchObject({ ok: true });
    expect(now()).toEqual(expected);
  }
});

test("a note after a rewind of files alone stays in the conversation when the files come again", async () => {
  const site = await openSite({ place: sites.newPlace("git"), kind: "git" });
  const { sessionId, lines, now, state, rewind, redo } = await play(site);
  await rewind(0);
  await site.engine.send({ type: "message.add", sessionId, text: "Looked at it." });
  const { items } = await state();
  expect(await redo()).toMatchObject({ ok: true });
  expect(now()).toEqual(lines[3]);
  expect((await state()).items).toEqual(items);
});

test("a rewind of files alone and its redo refuse to overwrite what somebody else changed, unless told to", async () => {
  const site = await openSite({ place: sites.newPlace("git"), kind: "git" });
  const { lines, now, state, rewind, redo } = await play(site);
  const path = join(site.root, "made.txt");
  writeFileSync(path, "user");
  const changed = now();
  expect(await rewind(0)).toMatchObject({ ok: false, failure: { code: "changed_since" } });
  expect([now(), (await state()).reverts]).toEqual([changed, []]);
  expect(await rewind(0, { evenIfChanged: true })).toMatchObject({ ok: true });
  expect(now()).toEqual(lines[0]);
  writeFileSync(path, "user again");
  expect(await redo()).toMatchObject({ ok: false, failure: { code: "changed_since" } });
  expect(await redo({ evenIfChanged: true })).toMatchObject({ ok: true });
  expect(now()).toEqual(changed);
});

test("a rewind of files alone that changes none is refused, and leaves nothing to redo", async () => {
  const site = await openSite({ place: sites.newPlace("git"), kind: "git" });
  const { state, rewind } = await play(site);
  await rewind(0);
  const count = (await state()).reverts.length;
  expect(await rewind(1)).toMatchObject({ ok: false, failure: { code: "not_found" } });
  expect((await state()).reverts).toHaveLength(count);
});

/** Dies after some of the files are there. */
const dyingRestore = (snapshots: Snapshots): Snapshots => ({
  ...snapshots,
  restore: async (tree, paths) => {
    await snapshots.restore(tree, paths.slice(0, 2));
    throw new Error("killed");
  },
});

test("a rewind of files alone that a crash cut short is finished, and redone by the next process", async () => {
  const place = sites.newPlace("git");
  const site = await openSite({ place, kind: "git", change: dyingRestore });
  const { sessionId, lines, now, state, rewind } = await play(site);
  const { items } = await state();
  await expect(rewind(0)).rejects.toThrow("killed");
  expect(now()).not.toEqual(lines[0]);
  const dying = await openSite({ place, kind: "git", store: site.store, boot: "boot-2" });
  await dying.resume(sessionId);
  expect(now()).toEqual(lines[0]);
  await dying.engine.close();
  const next = await openSite({ place, kind: "git", store: site.store, boot: "boot-3", change: dyingRestore });
  await next.resume(sessionId);
  await expect(next.engine.send({ type: "session.redo", sessionId })).rejects.toThrow("killed");
  expect(now()).not.toEqual(lines[3]);
  const last = await openSite({ place, kind: "git", store: site.store, boot: "boot-4" });
  await last.resume(sessionId);
  expect(now()).toEqual(lines[3]);
  expect((await state()).items).toEqual(items);
});
