/** Proves the commands on stored sessions with the real program: what they print, as JSON whole, and what they refuse. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appeared, ended, openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench(({ body }) => ({ text: `Answer ${body.messages?.filter(isUser).length}.` }));
});
afterEach(() => bench.close());

const isUser = ({ role }: { readonly role?: string }) => role === "user";

async function json(...words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await bench.run(["session", ...words, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const refused = (code: number, sentence: string) => ({ code, stdout: "", stderr: `kedge: ${sentence}\n` });

type Listed = { readonly sessionId: string; readonly title: string };

async function prompts(...texts: readonly string[]): Promise<readonly Listed[]> {
  for (const text of texts) expect((await bench.run(["-p", text])).code).toBe(0);
  return (await json("list")) as readonly Listed[];
}

const summary = (title: string, change: object = {}) => ({
  sessionId: expect.stringMatching(/^ses_/),
  isArchived: false,
  projectId: expect.any(String),
  directory: bench.project,
  title,
  model: "mock/mock-model",
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  lastSeq: expect.any(Number),
  status: "idle",
  ...change,
});

test("list: newest first, as many as asked for, and what was put away apart", async () => {
  expect(await bench.run(["session", "list"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "No sessions in this project yet.\n",
  });
  expect(await prompts("the first", "the second")).toEqual([summary("the second"), summary("the first")]);
  expect(await json("list", "--limit", "1")).toEqual([summary("the second")]);
  expect(await bench.run(["session", "archive", "the first"])).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await json("list")).toEqual([summary("the second")]);
  expect(await json("list", "--archived")).toEqual([summary("the first", { isArchived: true })]);
  expect(await bench.run(["session", "archive", "the first", "--undo"])).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await json("list", "--archived")).toEqual([]);
  const table = await bench.run(["session", "list"]);
  expect(table.stdout.split("\n")[0]).toMatch(/^session +last used +status +title$/);
});

test("list: what came from a session, and that forks are never left out", async () => {
  const [origin] = await prompts("the origin");
  const fork = (await bench.run(["session", "fork", "last"])).stdout.trim();
  const parentId = origin?.sessionId ?? "";
  const forked = summary("the origin (fork)", { sessionId: fork, parentId });
  expect(await json("list")).toEqual([forked, summary("the origin", { sessionId: parentId })]);
  expect(await json("list", "--children")).toEqual([forked, summary("the origin", { sessionId: parentId })]);
  expect(await json("list", "--parent", parentId)).toEqual([forked]);
});

test("list: a session that another process has open waits for its answer, and is idle once that one is gone", async () => {
  const other = await openWorkbench([
    { toolCalls: [{ name: "bash", input: { command: "touch new.txt", description: "make it" } }] },
  ]);
  try {
    const child = other.start(["--console", "make it"]);
    await appeared(child, "touch new.txt");
    const statuses = async () => {
      const { stdout } = await other.run(["session", "list", "--json"]);
      return (JSON.parse(stdout) as readonly { readonly status: string }[]).map(({ status }) => status);
    };
    await expect.poll(statuses).toEqual(["waiting"]);
    child.kill("SIGKILL");
    await ended(child);
    expect(await statuses()).toEqual(["idle"]);
  } finally {
    await other.close();
  }
});

test("search: where it was said, and by whom", async () => {
  const [newest] = await prompts("where is the lighthouse", "and the harbour");
  const hit = {
    sessionId: expect.stringMatching(/^ses_/),
    messageId: expect.any(String),
    title: "where is the lighthouse",
    time: expect.any(Number),
    role: "user",
    snippet: "where is the ⟦lighthouse⟧",
  };
  expect(await json("search", "lighthouse")).toEqual([hit]);
  expect(await json("search", "lighthouse", "--role", "assistant")).toEqual([]);
  expect(await json("search", "answer", "--role", "assistant", "--limit", "1")).toMatchObject([
    { sessionId: newest?.sessionId, role: "assistant" },
  ]);
  expect(await bench.run(["session", "search", "nowhere"])).toEqual({
    code: 0,
    stdout: "",
    stderr: 'No results for "nowhere".\n',
  });
  expect(await bench.run(["session", "search"])).toEqual(refused(2, "Usage: kedge session search <words>."));
});

test("show prints the conversation, tree its entries, label names one of them, fork goes on from there", async () => {
  await prompts("the first");
  await bench.run(["-p", "the second", "--continue"]);
  expect((await bench.run(["session", "show"])).stdout).toBe("> the first\nAnswer 1.\n> the second\nAnswer 2.\n");
  const row = { entryId: expect.any(String), depth: 0, isOnPath: true, isLeaf: false };
  const rows = [
    { ...row, type: "prompt", text: "the first" },
    { ...row, parent: expect.any(String), type: "answer", text: "Answer 1." },
    { ...row, parent: expect.any(String), type: "prompt", text: "the second" },
    { ...row, parent: expect.any(String), type: "answer", text: "Answer 2.", isLeaf: true },
  ];
  const tree = (await json("tree")) as readonly { readonly entryId: string }[];
  expect(tree).toEqual(rows);
  const place = String(tree[1]?.entryId);
  expect(await bench.run(["session", "label", "last", place, "a", "good", "place"])).toMatchObject({ code: 0 });
  expect((await bench.run(["session", "tree"])).stdout).toContain(`| model   [a good place] Answer 1.  (${place})`);
  expect(await bench.run(["session", "label", "last", "nowhere", "x"])).toEqual(
    refused(1, "Entry nowhere not found in this session. List entries with kedge session tree --all."),
  );
  const forked = (await json("fork", "last", place)) as { readonly sessionId: string };
  expect(forked).toEqual({ sessionId: expect.stringMatching(/^ses_/) });
  expect((await bench.run(["session", "show", forked.sessionId])).stdout).toBe("> the first\nAnswer 1.\n");
  expect((await bench.run(["-p", "another way", "--resume", forked.sessionId])).stdout).toBe("Answer 2.\n");
  expect((await bench.run(["session", "show", "the first"])).stdout).toContain("> the second");
  expect(await bench.run(["session", "fork", "last", "nowhere"])).toMatchObject({ code: 1, stdout: "" });
});

test("rename gives another title; delete needs --yes and then leaves the bare chain", async () => {
  const [session] = await prompts("the first");
  const { sessionId } = session ?? { sessionId: "" };
  expect(await bench.run(["session", "rename", "last", "a", "better", "name"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  });
  expect(await json("list")).toEqual([summary("a better name")]);
  expect(await bench.run(["session", "rename", "last"])).toEqual(
    refused(2, "kedge session rename needs a session and its new title."),
  );
  expect(await bench.run(["session", "delete", "a better name"])).toEqual(
    refused(2, `This deletes ${sessionId} (a better name) permanently. Pass --yes to confirm, or archive it instead.`),
  );
  expect(await bench.run(["session", "delete", sessionId, "--yes"])).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await json("list")).toEqual([]);
  expect(readFileSync(join(bench.home, "data", "kedge.db")).includes("a better name")).toBe(false);
});

test("export writes a file once, import takes it in as a session of its own", async () => {
  await prompts("the first");
  const target = join(bench.project, "copy.json");
  expect(await bench.run(["session", "export", "last", "copy.json"])).toEqual({
    code: 0,
    stdout: "",
    stderr: `Saved to ${target}.\n`,
  });
  expect(await bench.run(["session", "export", "last", "copy.json"])).toEqual(
    refused(1, "copy.json already exists. Choose another name, or pass --force to overwrite it."),
  );
  expect(await bench.run(["session", "export", "last", "copy.json", "--force"])).toMatchObject({ code: 0 });
  expect(await json("import", "copy.json")).toEqual({
    sessionId: expect.stringMatching(/^ses_/),
    format: "kedge",
    sourceSessionId: expect.stringMatching(/^ses_/),
    title: "the first",
    prompts: 1,
    answers: 1,
    calls: 0,
    skipped: expect.any(Array),
    notes: expect.any(Array),
    journal: expect.objectContaining({ valid: true }),
  });
  expect((await bench.run(["session", "show"])).stdout).toBe("> the first\nAnswer 1.\n");
  expect((await bench.run(["stats"])).stdout).toContain("Sessions: 1, steps: 1,");
  const markdown = await bench.run(["session", "export", "last", "--format", "md"]);
  expect(markdown.stdout).toContain("the first");
});

test("import of something else says what is wrong with it", async () => {
  writeFileSync(join(bench.project, "garbage.json"), "no session at all");
  const { code, stdout, stderr } = await bench.run(["session", "import", "garbage.json"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^kedge: .+\.\n$/);
  expect(await bench.run(["session", "import", "absent.json"])).toEqual(refused(1, "Could not read absent.json."));
  expect(await bench.run(["session", "import"])).toEqual(refused(2, "kedge session import needs a file."));
  expect(await json("list")).toEqual([]);
});

test("verify tells that the chain holds, of one session or of all", async () => {
  const [second, first] = await prompts("the first", "the second");
  const report = (session: Listed | undefined) => ({
    sessionId: session?.sessionId,
    valid: true,
    records: expect.any(Number),
    payloadsRemoved: expect.any(Number),
    truncated: false,
    signature: "valid",
    signedSeq: expect.any(Number),
  });
  expect(await json("verify", "the first")).toEqual(report(first));
  expect(await json("verify", "--all")).toEqual([report(second), report(first)]);
  expect((await bench.run(["session", "verify"])).stdout).toMatch(
    /^ses_\w+: valid\. The chain of \d+ records is intact and is signed\.\n$/,
  );
  expect(await bench.run(["session", "verify", "last", "--all"])).toEqual(
    refused(2, "kedge session verify takes either a session or --all."),
  );
});

test("a session that does not exist, or one of several, is asked for again", async () => {
  expect(await bench.run(["session", "show"])).toEqual(
    refused(1, `No sessions in ${bench.project} yet. Start one with kedge.`),
  );
  await prompts("fix the tests", "fix the build");
  for (const action of ["show", "tree", "export", "verify", "delete", "scrub"]) {
    expect(await bench.run(["session", action, "nothing like it"])).toEqual(
      refused(1, 'No session matches "nothing like it". List sessions with kedge session list.'),
    );
  }
  expect(await bench.run(["session", "show", "fix"])).toEqual(
    refused(1, '2 sessions match "fix". Pass the id. List sessions with kedge session list.'),
  );
  expect(await bench.run(["session", "prune", "now"])).toEqual(
    refused(2, 'kedge session prune does not accept "now".'),
  );
  expect(await bench.run(["session", "prune", "--older-than", "soon"])).toMatchObject({ code: 2, stdout: "" });
  expect(existsSync(join(bench.project, "copy.json"))).toBe(false);
});
