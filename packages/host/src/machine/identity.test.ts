/** Proves that a process knows itself, and a dead or replaced one from a living one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { isAlive, thisMachine, thisProcess } from "./identity.ts";

test("this process is alive, under a new boot id each time", () => {
  const first = thisProcess();
  expect(isAlive(first)).toBe(true);
  expect(first.pid).toBe(process.pid);
  expect(thisProcess().boot).not.toBe(first.boot);
});

test("the same process id with another start time is another process", () => {
  expect(isAlive({ ...thisProcess(), startedAt: "1" })).toBe(false);
});

test("a process that ended is not alive", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  const pid = child.pid ?? 0;
  await once(child, "exit");
  expect(isAlive({ boot: "b", pid, startedAt: "12345" })).toBe(false);
});

test("every process of this machine calls it the same", async () => {
  const program = `const { thisMachine } = await import(${JSON.stringify(new URL("./identity.ts", import.meta.url).href)});
    process.stdout.write(thisMachine());`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  const [said] = await once(child.stdout, "data");
  expect(String(said)).toBe(thisMachine());
  expect(thisMachine().length).toBeGreaterThan(0);
});
