/** Proves the files that sessions leave for other programs, with the real program: written, rewritten and deleted. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const secret = "ghp_0123456789abcdefABCDEF0123456789abcd";

async function openWith(transcripts: unknown): Promise<Workbench> {
  bench = await openWorkbench(() => ({ text: "Done by bluebird-seven." }), { transcripts });
  return bench;
}

async function ask(prompt: string, ...more: readonly string[]): Promise<{ readonly stderr: string }> {
  const ended = await opened().run(["-p", prompt, ...more]);
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 0, stdout: "Done by bluebird-seven.\n" });
  return ended;
}

function opened(): Workbench {
  if (bench === undefined) throw new Error("No workbench is open.");
  return bench;
}

/** By their names below the only folder of a project. */
function kept(): { readonly [name: string]: string } {
  const projects = join(opened().home, "projects");
  const [project = ""] = existsSync(projects) ? readdirSync(projects) : [];
  const folder = join(projects, project);
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [path.slice(folder.length + 1).replace(/ses_\w+/, "session"), readFileSync(path, "utf8")]),
  );
}

test("without the setting nothing is written", async () => {
  const { home } = await openWith(false);
  await ask("Hello");
  expect(existsSync(join(home, "projects"))).toBe(false);
});

test("both forms are there after a run, redacted, grow with the next one, and go with the session", async () => {
  const { home, run } = await openWith({ jsonl: true, conversations: true });
  await ask(`my token is ${secret}`);
  const first = kept();
  expect(Object.keys(first)).toEqual(["conversations/session.md", "session.jsonl"]);
  expect(Object.values(first).join("")).not.toContain(secret);
  expect(first["conversations/session.md"]).toContain("> my token is [REDACTED:github-token]");
  const lines = (text = "") =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  expect(lines(first["session.jsonl"]).map(({ type, gitBranch }) => [type, gitBranch])).toEqual([
    ["user", expect.stringMatching(/^ma(in|ster)$/)],
    ["assistant", expect.stringMatching(/^ma(in|ster)$/)],
  ]);
  await ask("again", "--continue");
  expect(lines(kept()["session.jsonl"])).toHaveLength(4);
  expect(statSync(join(home, "projects")).mode & 0o777).toBe(0o700);
  expect((await run(["session", "delete", "last", "--yes"])).code).toBe(0);
  expect(kept()).toEqual({});
});

test("a missing file is made again after a later run, scrub takes secrets out of those that are there", async () => {
  const { home, run } = await openWith(true);
  await ask("first");
  rmSync(join(home, "projects"), { recursive: true });
  await ask("second");
  expect(readdirSync(join(home, "projects", readdirSync(join(home, "projects"))[0] ?? ""))).toHaveLength(2);
  expect(Object.values(kept()).join("")).toContain("bluebird-seven");
  writeFileSync(join(home, "secrets.yml"), "- type: plain\n  content: bluebird-seven\n");
  expect((await run(["session", "scrub", "--all", "--yes"])).code).toBe(0);
  expect(Object.values(kept()).join("")).not.toContain("bluebird-seven");
});

test("a file that cannot be written costs a notice, and the run its result not", async () => {
  const { home } = await openWith(true);
  writeFileSync(join(home, "projects"), "");
  const { stderr } = await ask("Hello");
  expect(stderr.split("\n").filter((line) => line.includes("transcript"))).toHaveLength(1);
});

test("a list of secrets that cannot be read stops transcripts and exports, and names the line", async () => {
  const { home, run } = await openWith(true);
  writeFileSync(join(home, "secrets.yml"), "- type: plain\n  content: x\n- type: words\n  content: y\n");
  const { stderr } = await ask("Hello");
  expect(stderr).toContain("secrets.yml, line 3): type must be plain or regex.");
  expect(kept()).toEqual({});
  const exported = await run(["session", "export", "last", "--format", "md"]);
  expect({ code: exported.code, stdout: exported.stdout }).toEqual({ code: 1, stdout: "" });
  expect(exported.stderr).toContain("secrets.yml, line 3): type must be plain or regex.");
});
