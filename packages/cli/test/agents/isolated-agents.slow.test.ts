/** Agents in worktrees through the real program: their work stays there, and no way leads into the main checkout. */
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { runWithout } from "../sandboxed-session-machine.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];

function git(...words: readonly string[]): string {
  return execFileSync("git", [...who, ...words], { cwd: bench.project, encoding: "utf8" });
}

const messagesOf = ({ body }: MockRequest) => body.messages ?? [];
const isAgent = (request: MockRequest) =>
  messagesOf(request).some(({ content }) => String(content).includes("You work in a git worktree"));
const resultsIn = (request: MockRequest) => messagesOf(request).filter(({ role }) => role === "tool");

/** The leader starts one isolated agent, which makes its calls one after the other and reports. */
function script(calls: readonly { readonly name: string; readonly input: object }[]) {
  return (request: MockRequest): MockTurn => {
    const done = resultsIn(request).length;
    if (!isAgent(request)) {
      const input = { agent: "general", prompt: "Do it", description: "Do it", isolation: "worktree" };
      return done === 0 ? { toolCalls: [{ name: "agent", input }] } : { text: "The leader is done." };
    }
    const call = calls[done];
    return call === undefined
      ? { text: "The agent is done." }
      : { toolCalls: [{ name: call.name, input: call.input }] };
  };
}

async function open(calls: readonly { readonly name: string; readonly input: object }[]): Promise<void> {
  bench = await openWorkbench(script(calls));
  const files = { "app.ts": "one\n", ".gitignore": "node_modules/\n", "node_modules/pkg/index.js": "original\n" };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(bench.project, path)), { recursive: true });
    writeFileSync(join(bench.project, path), text);
  }
  git("add", "-A");
  git("commit", "-qm", "Begin");
  // Some of the ways name it, whatever git calls a first branch here.
  git("branch", "-M", "master");
}

const place = () => join(bench.project, ".kedge", "worktrees");
const agentTrees = () => readdirSync(place()).filter((name) => name.startsWith("agent-"));

/** Every file of the main checkout, links as what they say; git's own folder by what decides over the checkout. */
function stateOfMain(): readonly string[] {
  const lines: string[] = [];
  const look = (directory: string) => {
    for (const name of readdirSync(directory).sort()) {
      const path = join(directory, name);
      if (path === join(bench.project, ".kedge") || path === join(bench.project, ".git")) continue;
      const stats = lstatSync(path);
      const content = stats.isSymbolicLink() ? readlinkSync(path) : stats.isFile() ? readFileSync(path, "utf8") : "";
      lines.push(`${relative(bench.project, path)} ${stats.mode} ${content}`);
      if (stats.isDirectory()) look(path);
    }
  };
  look(bench.project);
  const hooks = readdirSync(join(bench.project, ".git", "hooks"));
  const config = readFileSync(join(bench.project, ".git", "config"), "utf8");
  return [
    ...lines,
    ...hooks,
    config,
    git("rev-parse", "HEAD"),
    git("status", "--porcelain"),
    git("branch", "--show-current"),
  ];
}

const words = ["-p", "--dangerously-skip-permissions", "--tools", "agent,bash,write,edit,read", "Start an agent"];
const environment = { IS_SANDBOX: "1" };
const run = () => bench.run(words, { environment });

test("an agent writes and commits in its worktree, and its leader hears where the work is", async () => {
  await open([
    { name: "write", input: { filePath: "new.ts", content: "new\n" } },
    {
      name: "bash",
      input: {
        command: `git ${who.join(" ")} commit -qam x; git add -A; git ${who.join(" ")} commit -qm Work; pwd`,
        description: "x",
      },
    },
  ]);
  const before = stateOfMain();
  const ran = await run();
  expect(ran.code, ran.stderr).toBe(0);
  const [name = ""] = agentTrees();
  expect(readFileSync(join(place(), name, "new.ts"), "utf8")).toBe("new\n");
  expect(stateOfMain()).toEqual(before);
  const last = bench.model.requests.findLast((request) => !isAgent(request));
  const told = JSON.stringify(last?.body);
  expect(told).toContain("The agent is done.");
  expect(told).toContain("Its worktree was kept (1 commit on no other branch)");
  expect(git("log", "-1", "--format=%s", git("branch", "--list", "kedge-wt-*").trim().replace(/^\+ /, "")).trim()).toBe(
    "Work",
  );
});

test("an agent that changes nothing leaves no worktree", async () => {
  await open([{ name: "bash", input: { command: "ls", description: "x" } }]);
  const ran = await run();
  expect(ran.code, ran.stderr).toBe(0);
  expect(agentTrees()).toEqual([]);
  expect(git("branch", "--list", "kedge-wt-*")).toBe("");
});

/** `MAIN` stands for the root of the main checkout. Each of them changes it where nothing holds the agent. */
const escapes: readonly (readonly [name: string, input: { readonly [field: string]: unknown }])[] = [
  ["write", { filePath: "MAIN/app.ts", content: "x" }],
  ["write", { filePath: "MAIN/new.ts", content: "x" }],
  ["write", { filePath: "../../../new.ts", content: "x" }],
  ["write", { filePath: "MAIN/node_modules/pkg/index.js", content: "x" }],
  ["write", { filePath: "MAIN/.git/hooks/pre-commit", content: "#!/bin/sh\n" }],
  ["write", { filePath: "out/app.ts", content: "x" }],
  ["edit", { filePath: "MAIN/app.ts", oldString: "one", newString: "two" }],
  ["edit", { filePath: "../../../app.ts", oldString: "one", newString: "two" }],
  ...[
    "echo x > MAIN/app.ts",
    "echo x > ../../../app.ts",
    "cd MAIN && echo x > new.ts",
    "cd ../../.. && echo x >> app.ts",
    "rm -rf MAIN/app.ts",
    "rm -rf MAIN/node_modules",
    "rm -rf node_modules; rm -rf ../../../node_modules",
    "mv MAIN/app.ts MAIN/gone.ts",
    "ln -s MAIN m && echo x > m/app.ts",
    "ln -sf /etc/passwd MAIN/app.ts",
    "cp /etc/hostname MAIN/app.ts",
    "git -C MAIN checkout -q -b other",
    "git -C MAIN -c user.name=T -c user.email=t@example.com commit -q --allow-empty -m x",
    "git update-ref refs/heads/master HEAD~1",
    "git -C MAIN branch -m master gone",
    "git push -qf --receive-pack='git -c receive.denyCurrentBranch=ignore receive-pack' MAIN HEAD~1:master",
    "git -C MAIN reset -q --hard HEAD",
    "git -C MAIN rm -qf app.ts",
    "git -C MAIN config core.hooksPath /tmp",
    "GIT_DIR=MAIN/.git GIT_WORK_TREE=MAIN git checkout -q -b other",
    "git --git-dir=MAIN/.git --work-tree=MAIN rm -qf MAIN/app.ts",
    "git config core.worktree MAIN",
    "git config --global alias.x '!touch MAIN/x'; git x",
    "echo '#!/bin/sh' > \"$(git rev-parse --git-common-dir)/hooks/post-commit\"",
    "git -C MAIN stash -q",
    "git worktree move . MAIN/moved",
    "(sleep 0.1; echo x > MAIN/app.ts) & wait",
    "nohup sh -c 'echo x > MAIN/app.ts' >/dev/null 2>&1; true",
    "setsid sh -c 'echo x > MAIN/app.ts'; true",
    "python3 -c \"open('MAIN/app.ts','w').write('x')\"",
    "node -e \"require('fs').writeFileSync('MAIN/app.ts','x')\"",
    "touch MAIN/app.ts MAIN/new.ts",
    "chmod 777 MAIN/app.ts",
    "find MAIN -name app.ts -delete",
    "tar cf - app.ts | tar xf - -C MAIN",
    "sed -i s/one/two/ MAIN/app.ts",
    "dd if=/dev/zero of=MAIN/app.ts bs=1 count=1",
    "git update-index --index-info </dev/null; mkdir MAIN/folder",
    `git init -q inner && cd inner && echo one > f && git add f && git ${who.join(" ")} commit -qm x && git config filter.x.clean "sh -c 'touch MAIN/new.ts; cat'" && echo 'f filter=x' > .gitattributes && echo two > f && cd .. && git add inner`,
    "echo '{}' > \"$(git rev-parse --absolute-git-dir)/kedge-worktree.json\"",
  ].map((command) => ["bash", { command, description: "x" }] as const),
];

async function openWithEscapes(tried = escapes): Promise<void> {
  const calls = tried.map(([name, input]) => ({ name, input }));
  await open(calls);
  calls.splice(0, calls.length, ...JSON.parse(JSON.stringify(calls).replaceAll("MAIN", bench.project)));
  symlinkSync(bench.project, join(bench.project, "out"));
  git("add", "-A");
  git("commit", "-qm", "Link");
  // Work of the user that is in no commit: a reset would lose it.
  writeFileSync(join(bench.project, "app.ts"), "one\nnot committed\n");
}

test(`${escapes.length} ways to write into the main checkout leave it as it was, in a mode that asks for nothing`, async () => {
  await openWithEscapes();
  const before = stateOfMain();
  const ran = await run();
  expect(ran.code, ran.stderr).toBe(0);
  const tried = bench.model.requests.filter(isAgent).at(-1);
  expect(tried && resultsIn(tried).length).toBe(escapes.length);
  expect(stateOfMain()).toEqual(before);
});

/** Written into the command itself, so that kedge sees it before it runs. */
const visible: readonly (typeof escapes)[number][] = [
  "echo x > MAIN/app.ts",
  "cd MAIN && echo x > new.ts",
  "cd ../../.. && echo x >> app.ts",
  "rm -rf MAIN/app.ts",
  "rm -rf node_modules; rm -rf ../../../node_modules",
  "mv MAIN/app.ts MAIN/gone.ts",
  "cp /etc/hostname MAIN/app.ts",
  "touch MAIN/app.ts MAIN/new.ts",
  "git -C MAIN rm -qf app.ts",
  "git -C MAIN reset -q --hard HEAD",
].map((command) => ["bash", { command, description: "x" }] as const);

test("without the sandbox, writes to the main checkout that a call or command shows do not run unasked", async () => {
  const files = escapes.filter(([name]) => name !== "bash");
  const commit = `echo x > own.ts && git add -A && git ${who.join(" ")} commit -qm Own && echo committed`;
  const tried = [["bash", { command: commit, description: "x" }] as const, ...files, ...visible];
  await openWithEscapes(tried);
  const before = stateOfMain();
  const ran = await runWithout("bwrap", bench, words, environment);
  expect(ran.code, ran.stderr).toBe(0);
  const last = bench.model.requests.filter(isAgent).at(-1);
  const results = last === undefined ? [] : resultsIn(last).map(({ content }) => String(content).slice(0, 200));
  expect(results).toHaveLength(tried.length);
  // Its own work asks for nothing.
  expect(results[0]).toContain("committed");
  expect(stateOfMain(), JSON.stringify(results, undefined, 1)).toEqual(before);
});
