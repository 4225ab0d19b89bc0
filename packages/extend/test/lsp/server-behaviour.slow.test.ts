/** Proves with a server that can misbehave: what is told is never older than the text, and no server fails a call. */
import { existsSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import type { ServerDefinition } from "../../src/lsp/index.ts";
import { openScriptedBed, type ScriptedBed, wrongWord } from "./scripted-bed.ts";

let open: ScriptedBed | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

function openWith(behaviour: string, more: Partial<ServerDefinition> = {}) {
  open = openScriptedBed(behaviour, more);
  const { bed, logged: starts } = open;
  return { bed, starts };
}

for (const behaviour of [
  "pull",
  "late-pull",
  "push",
  "push-late-and-stale",
  "push-unversioned",
  "push-unversioned-and-stale",
]) {
  test(`${behaviour}: an error comes with the text that has it, and goes with the one that has not`, async () => {
    const { bed } = openWith(behaviour);
    for (let round = 0; round < 3; round += 1) {
      bed.put("a.txt", `round ${round}\nbad\n`);
      expect(await bed.diagnose("a.txt")).toEqual([wrongWord(2, 1, "bad")]);
      bed.put("a.txt", `round ${round}\nbad bad\n`);
      expect(await bed.diagnose("a.txt")).toEqual([wrongWord(2, 1, "bad bad"), wrongWord(2, 5, "bad bad")]);
      bed.put("a.txt", `round ${round}\ngood\n`);
      expect(await bed.diagnose("a.txt")).toEqual([]);
    }
  });
}

test("two edits at once are each told what their text has", async () => {
  const { bed } = openWith("pull");
  bed.put("a.txt", "bad\n");
  const first = bed.diagnose("a.txt");
  const second = bed.diagnose("a.txt");
  expect(await Promise.all([first, second])).toEqual([[wrongWord(1, 1, "bad")], [wrongWord(1, 1, "bad")]]);
});

test("at most twenty are told, with how many there are", async () => {
  const { bed } = openWith("pull");
  bed.put("a.txt", "bad\n".repeat(50));
  const lines = await bed.diagnose("a.txt");
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([20, wrongWord(1, 1, "bad"), "… and 31 more"]);
});

test("a server that crashes starts again three times, then no more, and no call fails", async () => {
  const { bed, starts } = openWith("crash-on-bad");
  bed.put("a.txt", "good\n");
  expect(await bed.diagnose("a.txt")).toEqual([]);
  const state = () => bed.servers.running()[0]?.state().state;
  for (let crash = 0; crash < 4; crash += 1) {
    // It rests longer after every crash; nobody waits for it meanwhile.
    await expect
      .poll(async () => {
        bed.put("a.txt", "good\n");
        await bed.diagnose("a.txt");
        return state();
      })
      .toBe("running");
    bed.put("a.txt", "bad\n");
    expect(await bed.diagnose("a.txt")).toEqual([]);
    await expect.poll(state).not.toBe("running");
  }
  expect(state()).toBe("failed");
  const { length } = starts();
  bed.put("a.txt", "good\n");
  expect(await bed.diagnose("a.txt")).toEqual([]);
  expect([length, starts().length]).toEqual([4, 4]);
  expect(await bed.servers.restart("scripted")).toBe(1);
  await expect.poll(() => bed.diagnose("a.txt").then(state)).toBe("running");
});

test("a server that never answers costs the limit, and ends with the rest", async () => {
  const { bed, starts } = openWith("never-answers", { startMsMax: 500 });
  bed.put("a.txt", "bad\n");
  expect(await bed.diagnose("a.txt")).toEqual([]);
  expect(bed.servers.running()[0]?.state()).toMatchObject({ state: "crashed", why: "it did not respond in time" });
  const pid = Number(starts()[0]?.split(" ")[1]);
  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
});

test("a server may not write files", async () => {
  const { bed, starts } = openWith("writes");
  bed.put("a.txt", "good\n");
  await bed.diagnose("a.txt");
  await expect.poll(() => starts()[1]).toContain('"applied":false');
});
