/** Proves that a process knows itself, and a dead or replaced one from a living one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isAlive, processNamed, thisMachine, thisProcess } from "./identity.ts";

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

test.skipIf(process.platform !== "linux")(
  "a process that ended is not alive while its parent does not collect it",
  async () => {
    // The shell becomes a program that knows nothing of its child.
    const parent = spawn("sh", ["-c", "sleep 1000 & echo $!; exec sleep 1000"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [line] = await once(parent.stdout, "data");
    const child = processNamed(Number(line));
    expect(isAlive(child)).toBe(true);
    process.kill(child.pid, "SIGKILL");
    await expect.poll(() => readFileSync(`/proc/${child.pid}/stat`, "latin1")).toContain(") Z ");
    expect(isAlive(child)).toBe(false);
    parent.kill("SIGKILL");
    await once(parent, "close");
  },
);

test("every process of this machine calls it the same", async () => {
  const program = `const { thisMachine } = await import(${JSON.stringify(new URL("./identity.ts", import.meta.url).href)});
    process.stdout.write(thisMachine());`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  const [said] = await once(child.stdout, "data");
  expect(String(said)).toBe(thisMachine());
  expect(thisMachine().length).toBeGreaterThan(0);
});
