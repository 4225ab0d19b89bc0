/** Tries every way a model has to get a byte of a file that a rule closes to reading. */
import type { MockToolCall } from "@kedge/testing";
import { expect, test } from "vitest";
import { canary, closedRules, makeClosedProject, pixelText } from "./closed-files-project.ts";
import { runCalls } from "./run-calls.ts";

const call = (name: string, input: object): MockToolCall => ({ name, input });
const read = (filePath: string, more: object = {}) => call("read", { filePath, ...more });
const bash = (command: string) => call("bash", { command, description: "look" });

const reads = [
  ...[
    "secret/plan.txt",
    "secret/plan.txt:2-3",
    "secret/plan.txt:raw",
    "./secret/../secret/plan.txt",
    "secret//plan.txt",
    "open.txt/../secret/plan.txt",
    "pub/plan.txt",
    "pub/../secret/plan.txt",
    "link.txt",
    "link2.txt",
    "hard.txt",
    "hardkey.txt",
    "app.key",
    "app.key:1-",
    "app.key:raw:1-1",
    "sub/deep/inner.key",
    "drafts/post.md",
    ".env",
    "../.ssh/id_rsa",
    "~/.ssh/id_rsa",
    "../outside-link",
    "book.ipynb",
    "pixel.png",
    "users.db",
    "users.db:users",
    "users.db:users:1",
    "users.db?q=SELECT * FROM users",
    "users.db?q=SELECT hex(name) FROM users",
    "secret",
    "pub",
    "drafts",
    "bundle.tar",
    "bundle.tar:secret/plan.txt",
    "bundle.tar:.env",
    "bundle.tar:app.key",
    "bundle.tgz:./secret/plan.txt",
    "bundle.tgz:secret/plan.txt",
    "bundle.tgz:app.key",
    "bundle.zip:secret/plan.txt",
    "bundle.zip:app.key:1-1",
    "bundle.zip:.env",
    "bundle.zip:x/../secret/plan.txt",
    "bundle.zip:nested/app.key",
    "outer.zip:bundle.zip",
    "outer.zip:bundle.zip:app.key",
    "/proc/self/cwd/secret/plan.txt",
    "/proc/self/cwd/app.key",
    "file:secret/plan.txt",
    "@secret/plan.txt",
    "secret/plan.txt:conflicts",
    "src/closed.ts",
    "'secret/plan.txt'",
    "secret/plan.txt ",
    " app.key",
    "app.key\u0000",
    "secret/plan.txt/",
    "\u202fapp.key",
  ].map((path) => read(path)),
  read("secret/plan.txt", { offset: 2, limit: 1 }),
  read("app.key", { offset: 2 }),
];

const batched = [
  call("batch", {
    calls: [
      { tool: "read", input: { filePath: "app.key" } },
      { tool: "edit_lines", input: { input: "[app.key#0000]\nSWAP 1.=2:\nnew" } },
      { tool: "grep", input: { pattern: "canary", path: "secret" } },
    ],
  }),
];

const searches = [
  ...[
    "secret",
    "secret/plan.txt",
    "app.key",
    ".",
    "pub",
    "hard.txt",
    "link.txt",
    ".env",
    "drafts",
    "bundle.tar",
    "users.db",
    "book.ipynb",
    "../.ssh",
    "/proc/self/cwd/secret",
  ].flatMap((path) =>
    ["content", "files", "count"].map((mode) =>
      call("grep", { pattern: "gamma|canary|key", path, mode, gitignore: false }),
    ),
  ),
  call("grep", { pattern: "canary", paths: ["secret", "app.key", "open.txt"], context: 3 }),
  call("grep", { pattern: "first[\\s\\S]*third", path: "secret" }),
  call("grep", { pattern: "(?s)first.*third", path: "." }),
  call("grep", { pattern: ".*", include: "*.key" }),
  call("grep", { pattern: "canary", include: "secret/**" }),
  call("grep", { pattern: "canary", include: "**/.env" }),
  call("grep", { pattern: "with two", path: ".", context: 50 }),
  call("glob", { pattern: "secret/**" }),
  call("glob", { pattern: "**/*.key", hidden: true, gitignore: false }),
  call("list", { path: "secret" }),
  call("list", { path: "." }),
  call("codesearch", { query: "closedFunction return" }),
  call("codesearch", { query: canary }),
  call("ast_grep", { pat: "return $A", paths: ["src"] }),
  call("ast_grep", { pat: "return $A", paths: ["src/closed.ts"] }),
  call("ast_edit", { ops: [{ pat: "return $A", out: "return 2" }], paths: ["src"] }),
  call("ast_edit", { ops: [{ pat: "return $A", out: "return 2" }], paths: ["src/closed.ts"] }),
  call("memory_search", { query: canary }),
];

const edits = [
  call("edit", { filePath: "secret/plan.txt", oldString: "alpha beta delta gamma", newString: "x" }),
  call("edit", { filePath: "app.key", oldString: "second", newString: "x" }),
  call("edit", { filePath: "hard.txt", oldString: "alpha beta delta gamma", newString: "x" }),
  call("edit", { filePath: "link.txt", oldString: "alpha beta delta gamma", newString: "x" }),
  call("multi_edit", {
    filePath: "secret/plan.txt",
    edits: [
      { oldString: "first", newString: "x" },
      { oldString: "nowhere", newString: "y" },
    ],
  }),
  call("edit_lines", { input: "[secret/plan.txt#0000]\nSWAP 2.=2:\nnew" }),
  call("edit_lines", { input: "[app.key#0000]\nSWAP 1.=1:\nnew" }),
  call("notebook_edit", { path: "book.ipynb", cellId: "two", mode: "replace", source: "x" }),
  call("notebook_edit", { path: "book.ipynb", cellId: "one", mode: "replace", source: "x" }),
  call("apply_patch", {
    patch: "*** Begin Patch\n*** Update File: secret/plan.txt\n@@\n-alpha beta\n+x\n*** End Patch",
  }),
  call("apply_patch", {
    patch: "*** Begin Patch\n*** Update File: secret/deep/er.md\n*** Move to: moved.md\n@@\n*** End Patch",
  }),
  call("apply_patch", { patch: `*** Begin Patch\n*** Delete File: sub/deep/inner.key\n*** End Patch` }),
  call("write", { filePath: "app.key", content: "new\n" }),
  call("write", { filePath: "users.db:users:1", content: "{name: 'x'}" }),
  call("write", { filePath: "bundle.zip:app.key", content: "x" }),
  call("write", { filePath: "bundle.zip:new.txt", content: "x" }),
  read("moved.md"),
];

const commands = [
  ...[
    "cat secret/plan.txt",
    "cat app.key",
    "cat hard.txt",
    "cat link2.txt",
    "cat pub/plan.txt",
    "cat secret/*",
    "cat *.key",
    "cat ./*key",
    "cat /proc/self/cwd/secret/plan.txt",
    "cd secret && cat plan.txt",
    "cat < app.key",
    "head -c 5000 hardkey.txt",
    "tail -n 5 drafts/post.md",
    "cat .env",
    "cat ~/.ssh/id_rsa",
    "cat ../.ssh/id_rsa",
    "grep -r canary .",
    "grep -rn . secret",
    "rg canary",
    "rg -uu canary",
    "find . -name '*.key' -exec cat {} +",
    "find secret -type f | xargs cat",
    "xxd app.key",
    "base64 app.key",
    "od -c app.key",
    "strings users.db",
    "sort app.key",
    "awk 1 app.key",
    "sed -n p secret/plan.txt",
    "diff open.txt app.key",
    "cmp -l open.txt app.key",
    "tar xOf bundle.tar secret/plan.txt",
    "tar xzOf bundle.tgz ./app.key",
    "unzip -p bundle.zip app.key",
    "zcat bundle.tgz | strings",
    "strings bundle.tar",
    "cat bundle.tar",
    "git diff --no-index open.txt app.key",
    "git diff --no-index /dev/null secret/plan.txt",
    "git grep --untracked canary",
    "git grep --no-index canary",
    "git hash-object app.key",
    "nl secret/plan.txt",
    "tac secret/plan.txt",
    "paste secret/plan.txt",
    "cut -c1-90 secret/plan.txt",
    "fold app.key",
    "wc -l secret/plan.txt; rev app.key",
    'for f in secret/*.txt; do cat "$f"; done',
    "cat $(ls secret/*.txt)",
    "while read l; do echo $l; done < app.key",
    'mapfile -t a < app.key; echo "$a"',
    'echo "$(<app.key)"',
    "jq -R . app.key",
    "column app.key",
    "file -b app.key; tr a-z A-Z < app.key",
    "comm open.txt app.key",
    "join open.txt app.key",
    "dd if=app.key",
    "less app.key",
    "more app.key",
    "pr app.key",
    "cat -- app.key",
    "c\\at app.key",
    "cat a''pp.key",
    "cat app.{key,txt}",
    "cat app.k?y",
    "cat [a]pp.key",
    "du -a secret; uniq app.key",
  ].map(bash),
];

const laterCommands = [
  bash("cp app.key copy.txt"),
  read("copy.txt"),
  bash("ln -s app.key fresh.txt"),
  read("fresh.txt"),
  bash("ln secret/plan.txt fresh2.txt"),
  read("fresh2.txt"),
  bash("mv sub/deep/inner.key inner.txt"),
  read("inner.txt"),
  bash("cat app.key > dump.txt"),
  read("dump.txt"),
  bash("tar cf again.tar secret"),
  read("again.tar:secret/plan.txt"),
  bash("zip -q again.zip app.key"),
  read("again.zip:app.key"),
  bash("mkdir -p other && cp -r secret other/open"),
  read("other/open/plan.txt"),
  bash("git stash -u"),
  bash("git stash show -p --include-untracked"),
  bash("install app.key inst.txt"),
  read("inst.txt"),
  bash("tee teed.txt < app.key"),
  read("teed.txt"),
  bash("rsync app.key r.txt"),
  read("r.txt"),
  bash("git add -A -f"),
  bash("git diff --cached"),
  bash("git show :app.key"),
  bash("git cat-file -p :secret/plan.txt"),
];

function leaksOf(
  calls: readonly MockToolCall[],
  results: readonly { readonly output: string; readonly outcome: string }[],
) {
  return calls.flatMap((made, at) => {
    const parts = calls.length === 1 ? results : results.slice(at, at + 1);
    const outcome = parts[0]?.outcome ?? "missing";
    const output = parts.map((part) => part.output).join("\n");
    // The name of a canary that the call itself brought along is no leak.
    const own = JSON.stringify(made.input).includes(canary);
    const leaked =
      (!own && /canary7q/i.test(output)) ||
      (own && output.split(canary).length > 3) ||
      output.includes(pixelText) ||
      /q7yranac|Y2FuYXJ5N|63616e61727937/i.test(output);
    return leaked ? [`${made.name} ${JSON.stringify(made.input)} (${outcome}): ${output.slice(0, 160)}`] : [];
  });
}

const groups = { reads, batched, searches, edits, commands, laterCommands };
const settings = {
  unasked: { permission: closedRules },
  "edits allowed": { permission: { ...closedRules, edit: "allow" } },
  "commands allowed": { permission: { ...closedRules, edit: "allow", bash: "allow" } },
} as const;

for (const [rules, given] of Object.entries(settings))
  for (const [name, calls] of Object.entries(groups)) {
    if (rules === "edits allowed" && name !== "edits" && name !== "laterCommands") continue;
    if (
      rules === "commands allowed" &&
      (name === "reads" || name === "batched" || name === "searches" || name === "edits")
    )
      continue;
    test(`${name} get nothing of a closed file, ${rules}`, async () => {
      const run = await runCalls(calls, { settings: given, prepare: (bench) => makeClosedProject(bench) });
      if (process.env["OUTSIDE_SHOW"])
        console.log(
          calls
            .map(
              (made, at) =>
                `${made.name} ${JSON.stringify(made.input)} -> ${run.results[at]?.outcome} ${JSON.stringify(run.results[at]?.output.slice(0, 200))}`,
            )
            .join("\n"),
        );
      expect(run.results.length, run.stderr).toBeGreaterThanOrEqual(calls.length);
      expect(leaksOf(calls, run.results)).toEqual([]);
    });
  }

test("git shows nothing of a closed file that was committed", async () => {
  const calls = [
    "git show HEAD:secret/plan.txt",
    "git log -p",
    "git diff",
    "git blame secret/plan.txt",
    "git grep canary HEAD",
    "git stash show -p",
    "git cat-file -p HEAD:app.key",
    "git show HEAD",
    "git diff HEAD~1 --stat -p",
    "git show HEAD:.env",
    "git archive HEAD app.key",
    "git log --patch --all",
    "cat secret/plan.txt",
    "cat app.key",
    // No rule closes it: what is committed under a name of secrets is no secret to whoever has the repository.
    "grep -r --exclude=.env canary .",
    "cat .env",
  ].map(bash);
  const run = await runCalls(calls, {
    settings: settings.unasked,
    prepare: (bench) => makeClosedProject(bench, { committed: true }),
  });
  expect(leaksOf(calls, run.results)).toEqual([]);
});

test("a mention brings nothing of a closed file", async () => {
  const brought: string[] = [];
  for (const path of [
    "secret/plan.txt",
    "app.key",
    "link2.txt",
    "hard.txt",
    "pub/plan.txt",
    "drafts/post.md",
    ".env",
    "users.db",
    "book.ipynb",
    "pixel.png",
    "src/closed.ts",
    "secret",
    "bundle.tar:secret/plan.txt",
    "secret/plan.txt:1-2",
    "/proc/self/cwd/app.key",
    "~/.ssh/id_rsa",
  ]) {
    const run = await runCalls([], {
      settings: settings.unasked,
      prompt: `look at @${path} and @"${path}"`,
      prepare: (bench) => makeClosedProject(bench),
    });
    if (run.sent.includes(canary) || run.sent.includes(pixelText)) brought.push(path);
  }
  expect(brought).toEqual([]);
});
