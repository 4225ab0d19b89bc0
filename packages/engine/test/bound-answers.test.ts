/** Proves on real files that an answer holds for what was there when it was asked for, and for nothing else. */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Need, PermissionAnswer, Tool } from "@kedge/protocol";
import { createLookAtPath } from "@kedge/sandbox";
import { analyseShell } from "@kedge/sandbox/shell";
import { createMachineLook } from "@kedge/store";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { folders, scripts } from "./bound-commands.ts";
import { openAuto, running, yes } from "./classifier/auto-session.ts";
import { call, calls, createHarness, type Harness, say } from "./harness.ts";

let base: string;
let project: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "kedge-bound-")));
  project = join(base, "project");
  mkdirSync(join(project, "sub"), { recursive: true });
  mkdirSync(join(base, "outside"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const at = (path: string) => join(project, path);

function put(path: string, content: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content, { mode: 0o755 });
}

function relink(path: string, target: string): void {
  rmSync(at(path), { recursive: true, force: true });
  symlinkSync(target, at(path));
}

type Site = { readonly harness: Harness; readonly ran: string[]; readonly marks: () => number };

function openSite(tool: string, input: { readonly [name: string]: string }): Site {
  const ran: string[] = [];
  let marks = 0;
  const look = createMachineLook({ monotonicMs: () => performance.now() });
  const tools = [
    toolOf("bash", ran, ({ command = "", workdir = "." }) => [
      {
        permission: "bash",
        patterns: [command],
        always: [command],
        access: "execute",
        paths: [join(project, workdir)],
      },
    ]),
    toolOf("write", ran, ({ filePath = "" }) => [
      { permission: "edit", patterns: [filePath], always: ["*"], access: "write", paths: [join(project, filePath)] },
    ]),
    toolOf("read", ran, ({ filePath = "" }) => [
      { permission: "read", patterns: [filePath], always: ["*"], access: "read", paths: [join(project, filePath)] },
    ]),
  ];
  const harness = createHarness({
    tools,
    turns: [calls(call("c1", tool, { ...input })), say("Done.")],
    interactive: true,
    parts: {
      machine: {
        ...look,
        mark(wanted) {
          marks += 1;
          return look.mark(wanted);
        },
      },
      workspace: {
        cwd: project,
        root: project,
        projectId: "project-1",
        lookAtPath: createLookAtPath({ root: project, added: [] }),
        analyseShell,
        isProtected: () => false,
        home: join(base, "home"),
        kedgeHome: join(base, "outside", "kedge"),
      },
    },
  });
  return { harness, ran, marks: () => marks };
}

function toolOf(
  name: string,
  ran: string[],
  needs: (input: { readonly [name: string]: string }) => readonly Need[],
): Tool {
  return {
    name,
    description: name,
    inputSchema: { type: "object" },
    resultCharactersMax: 5_000,
    parse: (input) => ({ ok: true, input }),
    // Every input of these tools is written by the tests below.
    needs: (input) => needs(input as { readonly [name: string]: string }),
    readOnly: () => name === "read",
    concurrencySafe: () => false,
    run: async (input) => {
      ran.push(Object.values(input as object).join(" "));
      return { output: "ran", title: name };
    },
  };
}

type Reply = Omit<PermissionAnswer, "message">;

/** Answers each question after what happens before it, and gives the reasons of all. */
async function answering(
  { harness }: Site,
  ...answers: readonly { readonly first?: () => void; readonly reply: Reply }[]
): Promise<readonly string[]> {
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  for (const [index, { first, reply }] of answers.entries()) {
    const { requestId } = await harness.waitForFact("permission.asked", index + 1);
    first?.();
    await harness.engine.send({ type: "permission.answer", sessionId, requestId, ...reply });
  }
  await done;
  return harness.facts().flatMap((fact) => (fact.type === "permission.asked" ? [fact.reason] : []));
}

const once = { reply: "once" } as const;
const no = { reply: "reject" } as const;

test.each(folders)("%s is asked about again when %s changed", async (command, file, folder) => {
  put(file, "old");
  const site = openSite("bash", { command });
  const reasons = await answering(site, { first: () => put(file, "newer"), reply: once }, { reply: no });
  expect(reasons[1]).toContain(`${folder} changed while this question was open`);
  expect(site.ran).toEqual([]);
});

test.each([
  ["write", { filePath: "note.txt" }],
  ["bash", { command: "echo x > note.txt" }],
])("a file to write with %s that becomes a link by then", async (tool, input) => {
  for (const target of ["other.txt", "missing.txt", join(base, "outside/new.txt")]) {
    put("other.txt", "");
    for (const isThere of [false, true]) {
      rmSync(at("note.txt"), { force: true });
      if (isThere) put("note.txt", "");
      const site = openSite(tool, input);
      const reasons = await answering(site, { first: () => relink("note.txt", target), reply: once }, { reply: no });
      expect([target, isThere, reasons.length, site.ran]).toEqual([target, isThere, 2, []]);
    }
  }
});

describe.each(scripts)("%s", (command, script) => {
  test("runs after an answer when nothing changed, with one question", async () => {
    put(script, "echo old\n");
    const site = openSite("bash", { command });
    expect(await answering(site, { reply: once })).toHaveLength(1);
    expect(site.ran).toEqual([command]);
  });

  test("is asked about again when its script changed", async () => {
    put(script, "echo old\n");
    const site = openSite("bash", { command });
    const reasons = await answering(site, { first: () => put(script, "echo new\n"), reply: once }, { reply: no });
    expect(reasons).toHaveLength(2);
    expect(reasons[1]).toContain(`${script} changed while this question was open`);
    expect(site.ran).toEqual([]);
  });

  test("is asked about again when its script appeared", async () => {
    const site = openSite("bash", { command });
    const reasons = await answering(site, { first: () => put(script, "echo new\n"), reply: once }, { reply: no });
    expect(reasons[1]).toContain(`${script} changed while this question was open`);
    expect(site.ran).toEqual([]);
  });
});

test("the second answer counts for what is there then, and an answer for the session does not reach ahead", async () => {
  put("build.sh", "echo old\n");
  const site = openSite("bash", { command: "bash build.sh" });
  const change = (content: string) => () => put("build.sh", content);
  const reply = { reply: "session" } as const;
  const reasons = await answering(site, { first: change("echo new\n"), reply }, { reply: once });
  expect(reasons).toHaveLength(2);
  expect(site.ran).toEqual(["bash build.sh"]);
  expect(readFileSync(at("build.sh"), "utf8")).toBe("echo new\n");
});

test("a script that never holds still does not run", async () => {
  put("build.sh", "0");
  const site = openSite("bash", { command: "./build.sh" });
  const changing = [1, 2, 3, 4].map((round) => ({ first: () => put("build.sh", `${round}`), reply: once }));
  expect(await answering(site, ...changing)).toHaveLength(4);
  expect(site.ran).toEqual([]);
  const ended = site.harness.facts().find((fact) => fact.type === "tool.ended");
  expect(ended).toMatchObject({ outcome: "failed", output: expect.stringContaining("kept changing") });
});

test("a link to a script that leads elsewhere by then", async () => {
  put("a.sh", "same");
  put("b.sh", "same");
  relink("run.sh", "a.sh");
  const site = openSite("bash", { command: "./run.sh" });
  const reasons = await answering(site, { first: () => relink("run.sh", "b.sh"), reply: once }, { reply: no });
  expect(reasons[1]).toContain("run.sh changed while this question was open");
  expect(site.ran).toEqual([]);
});

test("a script replaced by a device is noticed without waiting for it", async () => {
  put("run.sh", "x");
  const site = openSite("bash", { command: "./run.sh" });
  const replace = () => {
    unlinkSync(at("run.sh"));
    symlinkSync("/dev/tty", at("run.sh"));
  };
  expect((await answering(site, { first: replace, reply: once }, { reply: no }))[1]).toContain("run.sh changed");
  expect(site.ran).toEqual([]);
});

test.each(["write", "read"])("a link in the way of %s that leads out of the workspace by then", async (tool) => {
  put("inside/a.txt", "x");
  relink("link", "inside");
  put("../outside/other/a.txt", "x");
  relink("far", join(base, "outside"));
  const filePath = tool === "write" ? "link/new.txt" : "far/x/a.txt";
  put("../outside/x/a.txt", "x");
  const site = openSite(tool, { filePath });
  const retarget = () =>
    tool === "write" ? relink("link", join(base, "outside")) : relink("far", join(base, "outside/other"));
  const reasons = await answering(site, { first: retarget, reply: once }, { reply: no });
  expect(reasons[1]).toContain("changed while this question was open");
  expect(site.ran).toEqual([]);
});

test("a link that leads to a closed file by then is refused whatever was answered", async () => {
  mkdirSync(join(base, "outside", "kedge"), { recursive: true });
  put("a.txt", "x");
  const site = openSite("write", { filePath: "a.txt" });
  const closed = () => relink("a.txt", join(base, "outside", "kedge", "credentials.json"));
  // Nobody is asked again: the file is denied under every name.
  expect(await answering(site, { first: closed, reply: once })).toHaveLength(1);
  expect(site.ran).toEqual([]);
});

test.each([
  ["edited", () => put("a.txt", "theirs")],
  ["deleted", () => unlinkSync(at("a.txt"))],
] as const)("a file to be written that was %s meanwhile", async (_, change) => {
  put("a.txt", "mine");
  const site = openSite("write", { filePath: "a.txt" });
  const reasons = await answering(site, { first: change, reply: once }, { reply: no });
  expect(reasons[1]).toContain("a.txt changed while this question was open");
  expect(site.ran).toEqual([]);
});

test("a file that is only read may change", async () => {
  put("../outside/log", "1");
  const site = openSite("bash", { command: "cat ../outside/log" });
  expect(await answering(site, { first: () => put("../outside/log", "12"), reply: once })).toHaveLength(1);
  expect(site.ran).toEqual(["cat ../outside/log"]);
});

function replaceProject(): void {
  renameSync(project, join(base, "moved"));
  mkdirSync(project);
}

test.each([
  ["replaced", ".", replaceProject, "the working directory changed"],
  ["removed", ".", () => rmSync(project, { recursive: true }), "the working directory changed"],
  ["replaced below", "sub", () => [renameSync(at("sub"), at("old")), mkdirSync(at("sub"))], "sub changed"],
  ["made a link", "sub", () => relink("sub", join(base, "outside")), "sub changed"],
] as const)("a directory that was %s meanwhile", async (_, workdir, change, told) => {
  const site = openSite("bash", { command: "touch x", workdir });
  const reasons = await answering(site, { first: change, reply: once }, { reply: no });
  expect(reasons[1]).toContain(told);
  expect(site.ran).toEqual([]);
});

test("what is denied by now is denied, whatever was answered", async () => {
  const { harness, ran } = openSite("bash", { command: "touch x" });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const { requestId } = await harness.waitForFact("permission.asked");
  await harness.engine.send({ type: "mode.change", sessionId, mode: "plan" });
  await harness.engine.send({ type: "permission.answer", sessionId, requestId, ...once });
  await done;
  expect(ran).toEqual([]);
  expect(harness.facts().find((fact) => fact.type === "tool.ended")).toMatchObject({
    outcome: "refused",
    decision: { source: "mode", reason: "plan mode does not allow bash, which makes changes" },
  });
});

test("an input that a person wrote is asked about again as well", async () => {
  put("build.sh", "old");
  const site = openSite("bash", { command: "./build.sh" });
  const updatedInput = { command: "./build.sh --slow" };
  const change = () => put("build.sh", "new");
  const reasons = await answering(site, { first: change, reply: { reply: "once", updatedInput } }, { reply: once });
  expect(reasons[1]).toContain("build.sh changed while this question was open");
  expect(site.ran).toEqual(["./build.sh --slow"]);
});

test("no number of words hides a script, and what names too many files does not run", async () => {
  put("last.sh", "old");
  const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(" ");
  const command = `./first ${words(3_000)} ./last.sh`;
  const site = openSite("bash", { command });
  const change = () => put("last.sh", "new");
  const reasons = await answering(site, { first: change, reply: once }, { reply: no });
  expect(reasons[1]).toContain("last.sh changed while this question was open");
  const endless = openSite("bash", { command: `./first ${words(20_001)}` });
  expect(await answering(endless)).toEqual([]);
  expect([...site.ran, ...endless.ran]).toEqual([]);
});

test("a call that nobody was asked about looks at nothing", async () => {
  put("a.txt", "x");
  const site = openSite("read", { filePath: "a.txt" });
  expect(await answering(site)).toEqual([]);
  expect([site.ran, site.marks()]).toEqual([["a.txt"], 0]);
});

test("a yes of the classifier holds for what was there as well: nobody else can be asked, so it does not run", async () => {
  const machine = createMachineLook({ monotonicMs: () => 0 });
  const lookAtPath = createLookAtPath({ root: project, added: [] });
  for (const change of [() => undefined, () => put("build.sh", "new")]) {
    put("build.sh", "old");
    const { harness, ran } = openAuto({
      classifier: [
        () => {
          change();
          return yes;
        },
      ],
      turns: running("bash build.sh"),
      workspace: { cwd: project, root: project, lookAtPath, analyseShell },
      parts: { machine },
    });
    await harness.prompt(await harness.open("auto"), "run bash build.sh");
    expect(ran).toEqual(readFileSync(at("build.sh"), "utf8") === "old" ? ["bash build.sh"] : []);
  }
});

test("random commands and random changes: what runs is what was answered for", async () => {
  const random = createSeededRandom();
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  for (let round = 0; round < 25; round += 1) {
    const script = pick(["s.sh", "sub/s.sh", "d e/s.sh", ".hid/s.sh"]);
    put(script, "old");
    const quoted = `'${script}'`;
    const form = pick([
      `bash ${quoted}`,
      `sh -x ${quoted} a b`,
      `'./${script}'`,
      `A=1 ./'${script}' && true`,
      `zsh ${quoted}`,
    ]);
    const command = `${pick(["", "true; ", "ls -la && "])}${form}${pick(["", " | wc -l", " > out.txt", " 2>&1"])}`;
    const site = openSite("bash", { command });
    const change = pick([
      () => put(script, "new"),
      () => unlinkSync(at(script)),
      () => relink(script, "/etc/hostname"),
      () => [unlinkSync(at(script)), mkdirSync(at(script))],
    ]);
    const reasons = await answering(site, { first: change, reply: once }, { reply: no });
    expect([reasons.length, site.ran], `seed ${random.seed}, round ${round}: ${command}`).toEqual([2, []]);
    rmSync(at(script), { recursive: true, force: true });
  }
});
