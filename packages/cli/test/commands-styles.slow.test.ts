/** Commands from Markdown files, output styles and brevity through the real program. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
let terminal: Terminal | undefined;
afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
  await bench.close();
});

const done: MockTurn = { text: "Done." };

function put(path: string, text: string, base = bench.project): string {
  const whole = join(base, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}

type Body = { readonly messages?: readonly { readonly role: string; readonly content: string }[] };

function whole(index: number): string {
  const { messages = [] } = (bench.model.requests[index]?.body ?? {}) as Body;
  return messages.map(({ content }) => content).join("\n");
}

test("a command is expanded with arguments, files and the output of looks, and what it allows holds for its turn", async () => {
  const touch: MockTurn = { toolCalls: [{ name: "bash", input: { command: "touch made", description: "x" } }] };
  bench = await openWorkbench([touch, done, touch, done]);
  put("notes.txt", "remember the milk");
  put("secret.env", "TOKEN=1");
  put(".env", "TOKEN=canary");
  put(
    ".claude/commands/db/migrate.md",
    "---\ndescription: Migrate\nallowed-tools: Bash(touch made)\n---\nTo $1: !`cat notes.txt` @notes.txt !`cat .env` !`touch made`\n",
  );
  expect(await bench.run(["-p", "/db:migrate live", "--trust"])).toMatchObject({ code: 0, stdout: "Done.\n" });
  expect(whole(0)).toContain("Command db:migrate live:\n\nTo live: remember the milk @notes.txt [Not run: cat .env");
  expect(whole(0)).toContain("[Not run: touch made (it may change something)");
  expect(whole(0)).toContain('<file path="notes.txt">\nremember the milk\n</file>');
  expect(whole(0)).not.toContain("canary");
  expect(existsSync(join(bench.project, "made"))).toBe(true);
});

test("an argument is never run, in any view", async () => {
  bench = await openWorkbench(() => done);
  put(".kedge/commands/say.md", "Say $ARGUMENTS");
  await bench.run(["-p", "/say !`touch canary`", "--trust"]);
  await bench.run(["--console", "--trust"], { input: "/say !`touch canary`\n/exit\n" });
  expect([whole(0), whole(1)].every((text) => text.includes("Say !`touch canary`"))).toBe(true);
  expect(existsSync(join(bench.project, "canary"))).toBe(false);
});

test("headless runs local commands, and names a mistyped one instead of sending it to a model", async () => {
  bench = await openWorkbench([done, done]);
  put(".kedge/commands/deploy.md", "Deploy.", bench.home.replace(/home$/, ""));
  const listed = await bench.run(["-p", "/commands"]);
  expect(listed).toMatchObject({ code: 0, stdout: "No custom commands. Create one in .kedge/commands/name.md.\n" });
  put("commands/deploy.md", "---\ndescription: Deploys it\n---\nDeploy.", bench.home);
  expect((await bench.run(["-p", "/commands"])).stdout).toBe("deploy  Deploys it (user, native)\n");
  const mistyped = await bench.run(["-p", "/deplyo now"]);
  expect(mistyped).toMatchObject({ code: 2, stdout: "" });
  expect(mistyped.stderr).toContain("Unknown command /deplyo in headless mode. Did you mean /deploy?");
  expect((await bench.run(["-p", "/comman"])).stdout).toBe("deploy  Deploys it (user, native)\n");
  const ambiguous = await bench.run(["-p", "/com"]);
  expect(ambiguous.code).toBe(2);
  expect(ambiguous.stderr).toMatch(/\/com may be .*\/commands/);
  expect(bench.model.requests).toHaveLength(0);
  await bench.run(["-p", "/usr is a directory"]);
  await bench.run(["-p", "/usr/bin/env is a program"]);
  expect(bench.model.requests).toHaveLength(2);
});

test("what is missing or wrong in parameters is told, and no model is asked", async () => {
  bench = await openWorkbench([done]);
  const text = "---\nparameters:\n  - name: place\n    required: true\n    choices: [test, live]\n---\nTo $place";
  put("commands/deploy.md", text, bench.home);
  expect((await bench.run(["-p", "/deploy"])).stdout).toContain("Missing: place. Usage: /deploy <place>");
  expect((await bench.run(["-p", "/deploy moon"])).stdout).toContain("place must be one of test, live");
  expect(bench.model.requests).toHaveLength(0);
  await bench.run(["-p", "/deploy place=live"]);
  expect(whole(0)).toContain("To live");
});

test("a command is offered, run and shown in the terminal", async () => {
  bench = await openWorkbench(() => done);
  put("commands/ops/tidy.md", "---\ndescription: Tidies up\n---\nTidy the $ARGUMENTS.", bench.home);
  terminal = openTerminal(bench, [], { environment: { KEDGE_CATALOGUE_URL: "off" } });
  await terminal.shows("mock/mock-model");
  terminal.type("/ops:ti");
  await terminal.shows("Tidies up");
  terminal.type("dy shed");
  await terminal.shows("/ops:tidy shed");
  terminal.press("Enter");
  await terminal.shows("Done.");
  expect(whole(0)).toContain("Tidy the shed.");
});

test("an output style and brevity count from the next turn, survive a resume and a summary, and end when told", async () => {
  bench = await openWorkbench(() => ({ text: "Done. ".repeat(2_000) }));
  put("output-styles/plain.md", "---\nname: Plain\n---\nNo jargon.", bench.home);
  const say = (...lines: string[]) =>
    bench.run(["--console", ...(bench.model.requests.length === 0 ? [] : ["--continue"])], {
      input: `${[...lines, "/exit"].join("\n")}\n`,
    });
  const level = () => readFileSync(join(bench.home, "run/brief-level"), "utf8");
  const first = await say("hi", "/output-style plain", "Be brief.", "one");
  expect(level()).toBe("full\n");
  expect(first.stdout).toContain("Brief mode: full. Turn it off with /brief off.");
  expect([whole(0), whole(1)].map((text) => /No jargon|Brief mode, level full/.test(text))).toEqual([false, true]);
  expect(whole(1).startsWith(whole(0))).toBe(true);
  await say("two");
  expect(whole(2).match(/Brief mode, level full/g)).toHaveLength(1);
  await say("three", "/compact", "four", "/brief off", "five");
  const [summary, after, ended] = [4, 5, 6].map(whole);
  expect(summary).toBeDefined();
  expect(after).toMatch(/No jargon[\s\S]*Brief mode, level full/);
  expect(ended).toContain("Brief mode has ended");
  expect(level).toThrow(/ENOENT/);
});

test("the style of the settings is told at the start, and one that is missing is named", async () => {
  bench = await openWorkbench([done, done], { outputStyle: "Plain" });
  expect((await bench.run(["-p", "hi"])).stderr).toContain("No output style named Plain");
  put("output-styles/plain.md", "No jargon.", bench.home);
  await bench.run(["-p", "hi"]);
  expect([whole(0), whole(1)].map((text) => text.includes("No jargon."))).toEqual([false, true]);
});

test("words that switch brevity in a terminal are a prompt where a program sends them", async () => {
  bench = await openWorkbench([{ text: "Done." }, { text: "Done." }, { text: "Done." }]);
  for (const format of ["json", "stream-json"]) await bench.run(["-p", "be brief", "--output-format", format]);
  expect(bench.model.requests.map(({ body }) => body.messages?.at(-1)?.content)).toEqual(["be brief", "be brief"]);
  await bench.run(["-p", "/brief", "--output-format", "json"]);
  await bench.run(["-p", "hi", "--continue", "--output-format", "json"]);
  expect(bench.model.requests.at(-1)?.raw.toString()).toContain("Leave out articles");
});

test("a question that is asked again in brief mode is answered in full", async () => {
  bench = await openWorkbench(() => done);
  await bench.run(["--console"], { input: "/brief\nwhy does it fail?\nWhy does it fail\n/exit\n" });
  expect([whole(0), whole(1)].map((text) => text.includes("The user asked this before"))).toEqual([false, true]);
});

test("names of other brevity plugins work, and a command of the user with such a name wins", async () => {
  bench = await openWorkbench(() => done);
  const lines = ["/caveman ultra", "talk like caveman", "stop caveman"];
  const { stdout } = await bench.run(["--console"], { input: `${[...lines, "/exit"].join("\n")}\n` });
  expect(stdout).toMatch(/Brief mode: ultra[\s\S]*Brief mode: full[\s\S]*Brief mode is off\./);
  expect(bench.model.requests).toHaveLength(0);
  put("commands/caveman.md", "Paint a mammoth.", bench.home);
  await bench.run(["-p", "/caveman"]);
  expect(whole(0)).toContain("Paint a mammoth.");
});

test("an instruction file is made shorter only if nothing exact is lost, and comes back", async () => {
  const before = "# Build\n\nYou should always run `npm test` before you commit, because 3 checks need it.\n";
  const write = (content: string): MockTurn => ({
    toolCalls: [{ name: "write", input: { filePath: "NOTES.brief.md", content } }],
  });
  const turns = [
    write("# Build\n\nRun `npm t` before commit.\n"),
    done,
    write("# Build\n\nRun `npm test` before commit: 3 checks.\n"),
  ];
  bench = await openWorkbench([...turns, done], { permission: { edit: "allow" } });
  const file = put("NOTES.md", before);
  const ran = await bench.run(["-p", "/brief compress NOTES.md"]);
  expect(ran.code, ran.stderr).toBe(0);
  const refused = await bench.run(["-p", "/brief apply NOTES.md"]);
  expect(refused.stdout).toMatch(/Not applied[\s\S]*inline code missing: `npm test`[\s\S]*number missing: 3/);
  expect([readFileSync(file, "utf8"), existsSync(join(bench.project, "NOTES.original.md"))]).toEqual([before, false]);
  await bench.run(["-p", "/brief compress NOTES.md", "--allow", "edit"]);
  writeFileSync(join(bench.project, "NOTES.brief.md"), "# Build\n\nRun `npm test` before commit: 3 checks.\n");
  expect((await bench.run(["-p", "/brief apply NOTES.md"])).stdout).toContain(
    "Applied. NOTES.md is about 10 tokens shorter",
  );
  expect(readFileSync(file, "utf8")).toContain("before commit: 3");
  expect((await bench.run(["-p", "/brief restore NOTES.md"])).stdout).toBe("Restored NOTES.md.\n");
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("skills and commands are listed with what lost and why, for people and for programs", async () => {
  bench = await openWorkbench([done]);
  put("skills/tea/SKILL.md", "---\nname: tea\ndescription: Makes tea\n---\nBoil.", bench.home);
  put(".claude/skills/tea/SKILL.md", "---\nname: tea\ndescription: Other tea\n---\nBoil.", bench.directory);
  put("skills/empty/SKILL.md", "", bench.home);
  put("commands/go.md", "Go.", bench.home);
  const skills = JSON.parse((await bench.run(["skills", "list", "--json"])).stdout) as readonly {
    readonly name: string;
  }[];
  expect(skills.filter(({ name }) => name === "tea" || name === "")).toMatchObject([
    { name: "tea", status: "used", tier: "user", source: "native" },
    { name: "tea", status: "hidden", source: "claude", why: "user native has the same name" },
    { status: "refused", why: "the file is empty. Write instructions for the model, or remove the file." },
  ]);
  expect((await bench.run(["commands"])).stdout).toMatch(/go +used +user +native +Go\./);
  expect((await bench.run(["-p", "/status"])).stdout).toContain("1 shadowed by another of the same name, 1 refused");
  const explained = (await bench.run(["config", "explain"])).stdout;
  expect(explained).toMatch(/skill tea \(.*SKILL\.md\): not used: user native has the same name/);
  expect(explained).toMatch(/skill \(.*empty\/SKILL\.md\): not used: the file is empty/);
  expect(await bench.run(["skills", "nothing"])).toMatchObject({ code: 2 });
});

test("kedge bench brief measures every level on the same tasks", async () => {
  bench = await openWorkbench(() => done);
  const ran = await bench.run(["bench", "brief", "--json"]);
  expect(ran.code, ran.stderr).toBe(0);
  const rows = JSON.parse(ran.stdout) as readonly { readonly level: string; readonly outputTokens: number }[];
  expect(rows.map(({ level, outputTokens }) => [level, outputTokens])).toEqual(
    ["off", "lite", "full", "ultra", "wenyan-lite", "wenyan-full", "wenyan-ultra"].map((level) => [level, 200]),
  );
  expect(bench.model.requests).toHaveLength(70);
  expect([whole(0), whole(20)].map((text) => text.includes("Brief mode, level full"))).toEqual([false, true]);
});
