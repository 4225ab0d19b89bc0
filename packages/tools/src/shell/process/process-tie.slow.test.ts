/** Proves with real processes that nothing that kedge started outlives it, however it ends and whatever they do. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom, livingProcesses, rounds, runawayCommand, runawayWord } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createProcessTie } from "./process-tie.ts";

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));
const program = join(import.meta.dirname, "../../../test/tied-kedge.ts");

const words: string[] = [];
const programs: ChildProcess[] = [];
afterEach(() => {
  for (const child of programs.splice(0)) child.kill("SIGKILL");
  for (const word of words.splice(0)) for (const pid of livingProcesses(word).keys()) process.kill(pid, "SIGKILL");
});

function newWord(): string {
  const word = runawayWord(random);
  words.push(word);
  return word;
}

async function begin(boot: string, commands: readonly string[], environment: NodeJS.ProcessEnv = process.env) {
  const child = spawn(process.execPath, [program, boot, ...commands], {
    stdio: ["ignore", "pipe", "inherit"],
    env: environment,
  });
  programs.push(child);
  await once(child.stdout, "data");
  return child;
}

function parentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/stat`, "latin1");
  return Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[1]);
}

test("processes that fled in random ways are gone after a kill", { timeout: 600_000 }, async () => {
  const kills = rounds({ usual: 8, long: 60 });
  for (let kill = 0; kill < kills; kill += 1) {
    const word = newWord();
    const commands = Array.from({ length: 4 }, () => runawayCommand(random, word));
    const child = await begin(`boot-${word}`, commands);
    await expect.poll(() => livingProcesses(word).size, { message: commands.join("\n") }).toBeGreaterThan(3);
    child.kill("SIGKILL");
    const left = () => [...livingProcesses(word).values()];
    await expect.poll(left, { message: commands.join("\n") }).toEqual([]);
  }
});

test("those of another kedge stay", async () => {
  const [mine, others] = [newWord(), newWord()];
  const first = await begin(`boot-${mine}`, [`setsid sleep ${mine} >/dev/null 2>&1 &`]);
  await begin(`boot-${others}`, [`setsid sleep ${others} >/dev/null 2>&1 &`]);
  first.kill("SIGKILL");
  await expect.poll(() => livingProcesses(mine).size).toBe(0);
  await expect.poll(() => [...livingProcesses(others).values()]).toContain(`sleep ${others}`);
});

test("a kedge inside a kedge takes its own with it when the outer one is killed", async () => {
  const word = newWord();
  const inner = `${process.execPath} ${program} inner-${word} 'env -i setsid sleep ${word} </dev/null >/dev/null 2>&1 &'`;
  const outer = await begin(`outer-${word}`, [`${inner} >/dev/null 2>&1 &`]);
  await expect.poll(() => livingProcesses(`sleep ${word}`).size).toBeGreaterThan(1);
  outer.kill("SIGKILL");
  await expect.poll(() => [...livingProcesses(word).values()]).toEqual([]);
});

test("what a command started is ended before kedge where memory runs out", async () => {
  const word = newWord();
  const score = (pid: number) => Number(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8"));
  const child = await begin(`boot-${word}`, [`env -i setsid sleep ${word} </dev/null >/dev/null 2>&1 &`]);
  await expect.poll(() => [...livingProcesses(`sleep ${word}`).keys()].map(score)).toContain(500);
  expect(score(child.pid ?? 0)).toBeLessThan(500);
});

test("a watcher that was killed is there again", async () => {
  const word = newWord();
  const child = await begin(`boot-${word}`, [`env -i setsid sleep ${word} </dev/null >/dev/null 2>&1 &`]);
  const watchers = () => [...livingProcesses("kedge-watch").keys()].filter((pid) => parentOf(pid) === child.pid);
  await expect.poll(() => watchers().length).toBe(1);
  const [first = 0] = watchers();
  process.kill(first, "SIGKILL");
  await expect.poll(() => watchers().filter((pid) => pid !== first).length).toBe(1);
  child.kill("SIGKILL");
  await expect.poll(() => [...livingProcesses(word).values()]).toEqual([]);
});

test("closing ends what is left, without an end of the process", async () => {
  const word = newWord();
  const tie = createProcessTie({ boot: `boot-${word}` });
  const child = spawn("sleep", [word], { env: tie.environment({ PATH: process.env["PATH"] ?? "" }), stdio: "ignore" });
  tie.close();
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
});
