/** Proves a conversation in the console, with permissions answered by typed lines, on piped input. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { appeared, ended, openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const write = (filePath: string): MockTurn => ({
  text: "I will write it.",
  toolCalls: [{ name: "write", input: { filePath, content: "text\n" } }],
});

test("a permission is asked, answered once, and the conversation goes on", async () => {
  bench = await openWorkbench([write("made.txt"), { text: "Written." }, { text: "Nothing else." }]);
  const { code, stdout, stderr } = await bench.run(["--console"], { input: "write it\ny\nanything else?\n/cost\n" });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(readFileSync(join(bench.project, "made.txt"), "utf8")).toBe("text\n");
  const pieces = ["> write it", "I will write it.", "? Write made.txt?", "[y] once", "* write made.txt"];
  const places = [...pieces, "Written.", "> anything else?", "Nothing else.", "> /cost", "cost  "].map((piece) =>
    stdout.indexOf(piece),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((left, right) => left - right));
});

test("a rejection with words reaches the model, an unclear answer permits nothing", async () => {
  bench = await openWorkbench([write("made.txt"), { text: "As you wish." }]);
  const { stdout } = await bench.run(["--console"], { input: "write it\nmaybe\nn use another name\n" });
  expect(existsSync(join(bench.project, "made.txt"))).toBe(false);
  expect(stdout).toContain("As you wish.");
  expect(JSON.stringify(bench.model.requests[1]?.body.messages?.at(-1))).toContain("use another name");
});

test("the end of the input rejects what is still asked", async () => {
  bench = await openWorkbench([write("made.txt"), { text: "unreachable" }]);
  const { code } = await bench.run(["--console"], { input: "write it\n" });
  expect(code).toBe(130);
  expect(existsSync(join(bench.project, "made.txt"))).toBe(false);
});

test("undo and redo, the mode, unknown commands", async () => {
  bench = await openWorkbench([write("made.txt"), { text: "Written." }]);
  const input = "/mode accept-edits\nwrite it\n/und\n/undoo\n/re\n/redo\n/mode bypass\n/exi\nnever sent\n";
  const { code, stdout } = await bench.run(["--console"], { input });
  expect(code).toBe(0);
  expect(stdout).toContain("[accept-edits] > write it");
  expect(stdout).toContain("deleted   made.txt");
  expect(stdout).toContain("Unknown command /undoo. Did you mean /undo?");
  expect(stdout).toMatch(/\/re may be .*\/redo/);
  expect(stdout).toContain("Bypass mode must be enabled at startup: kedge --dangerously-skip-permissions.");
  expect(existsSync(join(bench.project, "made.txt"))).toBe(true);
  expect(bench.model.requests.length).toBe(2);
});

test("what a model says cannot steer the terminal", async () => {
  bench = await openWorkbench([{ text: "red \u001b[31mtext\u0007 and \u001b]0;title\u0007 more", deltaCharacters: 4 }]);
  const { stdout } = await bench.run(["--console"], { input: "go\n" });
  expect(stdout).not.toContain("\u001b");
  expect(stdout).not.toContain("\u0007");
});

test("an interruption stops the run, and the conversation goes on", async () => {
  bench = await openWorkbench([{ stallAfterBytes: 10 }, { text: "Still here." }]);
  const child = bench.start(["--console"]);
  const over = ended(child);
  child.stdin.write("long work\n");
  await bench.model.waitForRequest(1);
  const interrupted = appeared(child, "(interrupted)");
  child.kill("SIGINT");
  await interrupted;
  const answered = appeared(child, "Still here.");
  child.stdin.write("are you there?\n");
  await answered;
  child.stdin.end();
  expect((await over).code).toBe(0);
});

test("a continued session shows what was said before", async () => {
  bench = await openWorkbench([{ text: "First answer." }, { text: "Second answer." }]);
  await bench.run(["-p", "first"]);
  writeFileSync(join(bench.project, "x"), "");
  const { stdout } = await bench.run(["--console", "--continue"], { input: "second\n" });
  expect(stdout).toContain("> first\nFirst answer.\n");
  expect(stdout).toContain("> second\nSecond answer.\n");
});
