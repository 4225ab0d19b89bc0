/** `kedge session replay` in a real terminal: it is held, stepped, sent to a fact and ended by keys, and nothing runs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
let terminal: Terminal | undefined;
let facts: readonly { readonly seq: number; readonly fact: { readonly type: string } }[] = [];

beforeEach(async () => {
  bench = await openWorkbench([
    { toolCalls: [{ name: "read", input: { filePath: "a.txt" } }] },
    { toolCalls: [{ name: "edit", input: { filePath: "a.txt", oldString: "one", newString: "two" } }] },
    { text: "It says two now." },
  ]);
  writeFileSync(join(bench.project, "a.txt"), "one\n");
  const ended = await bench.run(["-p", "Change one to two.", "--permission-mode", "accept-edits"]);
  expect(ended).toEqual({ code: 0, stdout: "It says two now.\n", stderr: "" });
  const stored = await bench.run(["session", "replay", "--json"]);
  facts = stored.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as (typeof facts)[number]);
});

afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
  await bench.close();
});

/** So slow that nothing is shown by itself before the longest wait is over. */
const slowly = ["session", "replay", "last", "--speed", "0.00001"];

const seqOf = (type: string) => facts.find(({ fact }) => fact.type === type)?.seq;

test("space holds it, arrows and letters step, a number goes to a fact, q ends it", async () => {
  const asked = bench.model.requests.length;
  const last = facts.at(-1)?.seq;
  terminal = openTerminal(bench, slowly);
  await terminal.shows("> Change one to two.");
  terminal.press("Space");
  await terminal.shows(`[fact ${seqOf("prompt.admitted")} of ${last}] space play/pause`);
  terminal.press("Right");
  expect(await terminal.shows("* read a.txt")).not.toContain("* edit");
  terminal.press("n");
  const edited = await terminal.shows("* edit a.txt");
  expect(edited).not.toContain("It says two now.");
  terminal.press("Left");
  await terminal.shows(`-- fact ${seqOf("tool.ended")} --`);
  terminal.type("99");
  await terminal.shows("go to fact 99");
  terminal.press("BSpace");
  terminal.press("BSpace");
  terminal.type(String(last));
  terminal.press("Enter");
  await terminal.shows("It says two now.");
  terminal.type("q");
  expect(await terminal.ended()).toBe(0);
  expect(terminal.isRestored()).toBe(true);
  expect(await terminal.shows("ended with 0.")).not.toContain("space play/pause");
  expect(bench.model.requests).toHaveLength(asked);
});

test("what was held goes on to its end", async () => {
  terminal = openTerminal(bench, slowly);
  await terminal.shows("> Change one to two.");
  terminal.press("Space");
  await terminal.shows("space play/pause");
  for (const key of ["n", "n", "n"]) terminal.press(key);
  await terminal.shows("It says two now.");
  terminal.press("Space");
  expect(await terminal.ended()).toBe(0);
  expect(terminal.isRestored()).toBe(true);
});

test("Ctrl+C leaves the terminal as it was", async () => {
  terminal = openTerminal(bench, slowly);
  await terminal.shows("> Change one to two.");
  terminal.press("C-c");
  expect(await terminal.ended()).toBe(130);
  expect(terminal.isRestored()).toBe(true);
});

test("a fast one and one without pauses end by themselves", async () => {
  for (const speed of ["1000", "0"]) {
    terminal = openTerminal(bench, ["session", "replay", "last", "--speed", speed]);
    const screen = await terminal.shows("ended with 0.");
    const shown = ["> Change one to two.", "* read a.txt", "* edit a.txt", "It says two now."];
    expect(shown.map((text) => screen.includes(text))).toEqual([true, true, true, true]);
    expect(terminal.isRestored()).toBe(true);
    await terminal.close();
  }
});
