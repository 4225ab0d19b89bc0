/** Proves which files a headless prompt takes with it, and that progress and forks are told where they belong. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockScript, MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;

async function open(script: MockScript): Promise<Workbench> {
  bench = await openWorkbench(script);
  return bench;
}

afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const lastPrompt = ({ model }: Workbench) =>
  model.requests.at(-1)?.body.messages?.findLast(({ role }) => role === "user")?.content;

test("@path brings the text of a file inside the directory", async () => {
  const opened = await open(() => ({ text: "ok" }));
  const { run, project } = opened;
  mkdirSync(join(project, "src"));
  writeFileSync(join(project, "src/main.ts"), "export {};\n");
  writeFileSync(join(project, "a name.md"), "Words");
  expect(await run(["-p", 'Compare @src/main.ts, @"a name.md" and @nobody or me@src/main.ts'])).toEqual({
    code: 0,
    stdout: "ok\n",
    stderr: "",
  });
  expect(lastPrompt(opened)).toBe(
    'Compare @src/main.ts, @"a name.md" and @nobody or me@src/main.ts\n\n' +
      '<file path="src/main.ts">\nexport {};\n</file>\n\n<file path="a name.md">\nWords\n</file>',
  );
});

test("@path brings a picture as a picture", async () => {
  const opened = await open(() => ({ text: "ok" }));
  writeFileSync(join(opened.project, "shot.png"), Buffer.from("89504e470d0a1a0a", "hex"));
  await opened.run(["-p", "What is on @shot.png?"]);
  expect(JSON.stringify(lastPrompt(opened))).toContain("iVBORw0KGgo=");
});

test("@path brings nothing that a rule keeps from being read, whatever leads to it", async () => {
  const opened = await open(() => ({ text: "ok" }));
  const { run, project } = opened;
  writeFileSync(join(project, "private.txt"), "canary");
  symlinkSync("private.txt", join(project, "link.txt"));
  const prompt = "See @private.txt and @link.txt";
  const { stderr } = await run(["-p", prompt, "--deny", "Read(private.txt)"]);
  expect(lastPrompt(opened)).toBe(prompt);
  expect(
    stderr.match(/@(?:private|link)\.txt is denied by your rules \(.*private\.txt.*\)\. It was not attached\./g),
  ).toHaveLength(2);
});

test("@path leaves alone what is elsewhere, secret, too long or no text", async () => {
  const opened = await open(() => ({ text: "ok" }));
  const { run, project, directory } = opened;
  writeFileSync(join(directory, "outside.txt"), "from elsewhere");
  symlinkSync(join(directory, "outside.txt"), join(project, "link.txt"));
  writeFileSync(join(project, ".env"), "KEY=1");
  writeFileSync(join(project, "long.txt"), "x".repeat(256 * 1024 + 1));
  writeFileSync(join(project, "binary"), Buffer.from([0, 1, 2]));
  const prompt = "See @../outside.txt @link.txt @.env @long.txt @binary @src";
  const { code, stderr } = await run(["-p", prompt]);
  expect(code).toBe(0);
  expect(lastPrompt(opened)).toBe(prompt);
  expect(stderr).toBe(
    `kedge: @.env needs permission to read (${join(project, ".env")} may contain secrets). It was not attached.\n` +
      "kedge: @long.txt is longer than 256 KB. It was not attached.\n" +
      "kedge: @binary is not text, an image or a PDF. It was not attached.\n",
  );
});

test("@path in what is piped in names no file", async () => {
  const opened = await open(() => ({ text: "ok" }));
  writeFileSync(join(opened.project, "note.txt"), "a note");
  await opened.run(["-p", "sum up"], { input: "see @note.txt" });
  expect(lastPrompt(opened)).toBe("sum up\n\nsee @note.txt");
});

const listing: MockTurn = { toolCalls: [{ name: "list", input: { path: "." } }] };

test("--verbose tells on standard error what is done, and leaves the result alone", async () => {
  const script = [listing, { text: "Done." }];
  const { run } = await open(() => script.shift() ?? {});
  const { code, stdout, stderr } = await run(["-p", "look", "--verbose"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Done.\n" });
  expect(stderr).toContain("list");
});

test("--fork-session goes on in a copy and leaves the session as it was", async () => {
  const opened = await open(() => ({ text: "ok" }));
  const { run, model } = opened;
  await run(["-p", "first"]);
  const before = await run(["session", "show", "--json"]);
  const [{ sessionId }] = JSON.parse(before.stdout);
  const forked = JSON.parse((await run(["-p", "second", "-c", "--fork-session", "--output-format", "json"])).stdout);
  expect(forked.sessionId).not.toBe(sessionId);
  const messages = model.requests.at(-1)?.body.messages?.filter(({ role }) => role === "user");
  expect(messages?.map(({ content }) => content)).toEqual(["first", "second"]);
  expect((await run(["session", "show", sessionId, "--json"])).stdout).toBe(before.stdout);
});

test("a session in which nothing was said is neither listed nor gone on with", async () => {
  const { run } = await open(() => ({ text: "ok" }));
  await run(["-p", "first"]);
  await run(["--console"], { input: "/exit\n" });
  const sessions = JSON.parse((await run(["session", "list", "--json"])).stdout);
  expect(sessions.map(({ title }: { readonly title: string }) => title)).toEqual(["first"]);
  expect((await run(["-p", "second", "-c", "--output-format", "json"])).stdout).toContain(sessions[0].sessionId);
});

test("--resume without a name asks nobody where nobody types", async () => {
  const { run } = await open([]);
  expect(await run(["--resume"])).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "kedge: No terminal to choose a session. Pass an id after --resume. List sessions with kedge session list.\n",
  });
  expect((await run(["-p", "x", "--resume"])).code).toBe(2);
});

test("a replay with a model that nobody has fails", async () => {
  const { run } = await open(() => ({ text: "ok" }));
  await run(["-p", "first"]);
  const { code, stderr } = await run(["session", "replay", "last", "--model", "nobody/model"]);
  expect(code).toBe(1);
  expect(stderr).toContain('Unknown provider "nobody"');
});

test("every tool that is offered may stand in a rule of the command line", async () => {
  const { run } = await open(() => ({ text: "ok" }));
  const { stdout } = await run(["-p", "hi", "--output-format", "stream-json"]);
  const tools: readonly string[] = JSON.parse(stdout.split("\n", 1)[0] ?? "").tools;
  const { code, stderr } = await run(["-p", "hi", ...tools.flatMap((tool) => ["--deny", `${tool}(never)`])]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("a profile that is used for the first time is told, with the one that may be meant", async () => {
  const { run, home } = await open(() => ({ text: "ok" }));
  const settings = readFileSync(join(home, "config.json"), "utf8");
  mkdirSync(join(home, "profiles/work"), { recursive: true });
  writeFileSync(join(home, "profiles/work/config.json"), settings);
  expect(await run(["-p", "hi", "--profile", "work"])).toEqual({ code: 0, stdout: "ok\n", stderr: "" });
  const place = join(home, "profiles/wrok");
  expect((await run(["-p", "hi", "--profile", "wrok"])).stderr).toBe(
    `kedge: Created profile wrok in ${place}. It starts without settings and keys. Did you mean work?\n` +
      "kedge: No model configured. Pass --model provider/model, run kedge to set one up, or try kedge demo.\n",
  );
  const other = await run(["config", "path", "--profile", "other"]);
  expect(other.stderr).toBe(
    `kedge: Created profile other in ${join(home, "profiles/other")}. It starts without settings and keys.\n`,
  );
});
