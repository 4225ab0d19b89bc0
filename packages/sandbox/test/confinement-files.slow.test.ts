/** Proves on the real bubblewrap what files a confined command can reach and which it cannot. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { protectedNamesIn } from "../src/confinement/protected-names.ts";
import {
  listTree,
  makeStagePrograms,
  openStage,
  type Stage,
  type StagePrograms,
  stageUsers,
} from "./confinement-stage.ts";

let programs: StagePrograms;
beforeAll(() => {
  programs = makeStagePrograms();
});
afterAll(() => rmSync(programs.directory, { recursive: true, force: true }));

describe.each(stageUsers())("files, as $name", (user) => {
  let stage: Stage;
  beforeEach(() => {
    stage = openStage(user, programs);
  });
  afterEach(() => stage.remove());

  test("a command writes in the workspace and nowhere else", async () => {
    stage.put(join(stage.home, "notes"), "mine");
    const [inside, outside, system, ending] = await stage.run([
      "mkdir -p src && echo one > src/one && cat src/one",
      `echo x > ${stage.home}/notes`,
      "touch /etc/kedge-test /usr/kedge-test /kedge-test 2>&1 | grep -c Read-only; [ ! -w /proc/sys/kernel/core_pattern ] && cat /proc/sys/kernel/core_pattern >> /proc/sys/kernel/core_pattern",
      "cd src; pwd >&3; (echo out > /dev/stdout) | cat; exit 7",
    ]);
    expect(inside).toEqual({ code: 0, stdout: "one\n", stderr: "", report: "" });
    // Its home lies among temporary files here, of which it sees its own.
    expect(outside).toMatchObject({ code: 1 });
    expect(readFileSync(join(stage.home, "notes"), "utf8")).toBe("mine");
    expect(system).toMatchObject({
      code: 1,
      stdout: "3\n",
      stderr: expect.stringMatching(/core_pattern: (Read-only file system|Permission denied)/),
    });
    expect(ending).toEqual({
      code: 7,
      stdout: "out\n",
      stderr: "",
      report: `${join(stage.workspace, "src")}\n`,
    });
    expect(listTree(stage.workspace)).toEqual(["src", "src/one"]);
  });

  test("temporary files are private to the session and stay from one command to the next", async () => {
    const name = `kedge-${process.pid}-${user.uid}`;
    const results = await stage.run([
      `echo kept > $TMPDIR/${name}; echo also > /var/tmp/${name}-2`,
      `cat /tmp/${name} /tmp/${name}-2`,
    ]);
    expect(results[1]).toEqual({ code: 0, stdout: "kept\nalso\n", stderr: "", report: "" });
    expect([existsSync(`/tmp/${name}`), existsSync(`/var/tmp/${name}-2`)]).toEqual([false, false]);
    const [later] = await stage.run([`ls /tmp/${name}`]);
    expect(later).toMatchObject({ code: 2 });
  });

  test("secrets look empty, also by way of the first process", async () => {
    const key = join(stage.workspace, "secrets", "key");
    stage.put(key, "very secret");
    stage.put(join(stage.home, ".ssh", "id"), "private key");
    const profile = {
      roots: [stage.workspace],
      writable: [],
      readable: [stage.home],
      home: stage.home,
      secrets: [key],
      allowedHosts: [],
    };
    const results = await stage.run(
      [
        `cat ${key} /proc/1/root${key} /proc/self/root${key}; echo x > ${key}`,
        `ls -A ${stage.home}/.ssh; ls ${stage.home} -A`,
      ],
      { profile },
    );
    expect(results[0]).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("Read-only") });
    expect(results[1]).toEqual({ code: 0, stdout: ".ssh\n", stderr: "", report: "" });
    expect(readFileSync(key, "utf8")).toBe("very secret");
  });

  test("protected paths that are absent cannot be made, and nothing is left of their stand-ins", async () => {
    const names = protectedNamesIn("", { isHome: false }).map(({ path }) => path);
    const attempts = [...names, ".git", ".git/hooks", "HEAD"].flatMap((name) => [
      `{ mkdir -p ${name}; echo x > ${name}/evil; }`,
      `echo x > ${name}`,
      `ln -sf /etc/passwd ${name}`,
      `mv -T source ${name}`,
      `{ rmdir ${name} && echo x > ${name}; }`,
    ]);
    const result = await stage.run([
      `mkdir source; echo > source/evil; (${attempts.map((attempt) => `${attempt} && echo "done: ${attempt}"`).join("; ")}) 2>/dev/null; true`,
      "echo fine > .github/FUNDING.yml; ls -A .vscode",
    ]);
    expect(result).toEqual([
      { code: 0, stdout: "", stderr: "", report: "" },
      { code: 0, stdout: "", stderr: "", report: "" },
    ]);
    expect(listTree(stage.workspace)).toEqual([".github", ".github/FUNDING.yml", "source", "source/evil"]);
  });

  test("protected paths that exist stay as they are", async () => {
    stage.put(join(stage.workspace, ".envrc"), "export A=1");
    stage.put(join(stage.workspace, ".vscode", "settings.json"), "{}");
    stage.put(join(stage.workspace, ".github", "workflows", "ci.yml"), "on: push");
    const before = listTree(stage.workspace);
    const [result] = await stage.run([
      `cat .envrc .vscode/settings.json; for attempt in 'echo x > .envrc' 'rm -f .envrc' 'mv .envrc other' 'ln .envrc other' 'chmod 777 .envrc' \
       'touch .vscode/tasks.json' 'rm -r .vscode' 'mv .vscode v' 'mv .github g' 'mv .github/workflows .github/w' 'echo x > .github/workflows/ci.yml' 'rm -rf .github'; do
         eval "$attempt" 2>/dev/null && echo "done: $attempt"; done; true`,
    ]);
    expect(result).toEqual({ code: 0, stdout: "export A=1{}", stderr: "", report: "" });
    expect(listTree(stage.workspace)).toEqual(before);
  });

  test("a directory swapped for a link leads to nothing writable", async () => {
    stage.put(join(stage.home, "victim"), "untouched");
    mkdirSync(join(stage.workspace, "sub"), { recursive: true });
    const results = await stage.run([
      `rm -rf sub; ln -s /etc sub; ln -s ../home up; echo x > sub/kedge-test; echo x > up/victim; ln -s .vscode v; echo x > v/tasks.json; echo "end $?"`,
      "readlink sub",
    ]);
    expect(results[0]).toMatchObject({ stdout: "end 1\n" });
    expect(results[1]).toMatchObject({ stdout: "/etc\n" });
    expect(existsSync("/etc/kedge-test")).toBe(false);
    expect(readFileSync(join(stage.home, "victim"), "utf8")).toBe("untouched");
  });

  test("a protected path that is a link is refused, since nothing could guard it", async () => {
    mkdirSync(join(stage.workspace, "real"));
    symlinkSync("real", join(stage.workspace, ".vscode"));
    const path = join(stage.workspace, ".vscode");
    expect(await stage.run(["true"])).toEqual([
      {
        problem: `The sandbox cannot protect ${path}, because it is a symbolic link in a writable directory. Replace it by what it points to, or turn the sandbox off.`,
      },
    ]);
  });
});

describe.each(stageUsers())("repositories, as $name", (user) => {
  let stage: Stage;
  beforeEach(() => {
    stage = openStage(user, programs);
  });
  afterEach(() => stage.remove());

  test("git works while its hooks and settings are out of reach", async () => {
    await stage.runFree(
      "git init -q . && git config user.name A && git config user.email a@example.org && rm -rf .git/hooks",
    );
    const configuration = readFileSync(join(stage.workspace, ".git", "config"), "utf8");
    const results = await stage.run([
      "echo 1 > file && git add -A && git commit -qm first && git status --porcelain && git log --format=%s --stat | head -3",
      `for attempt in 'mkdir -p .git/hooks && echo x > .git/hooks/pre-commit' 'git config core.fsmonitor evil' 'echo x > .git/config' \
       'echo ../evil > .git/commondir' 'rm -f .git/commondir' 'mv .git .git2' 'rm -rf .git/hooks' 'mkdir .git/modules/x' 'echo x > .git/config.worktree'; do
         eval "$attempt" 2>/dev/null && echo "done: $attempt"; done; true`,
    ]);
    expect(results).toEqual([
      { code: 0, stdout: "first\n\n file | 1 +\n", stderr: "", report: "" },
      { code: 0, stdout: "", stderr: "", report: "" },
    ]);
    expect(readFileSync(join(stage.workspace, ".git", "config"), "utf8")).toBe(configuration);
    for (const name of ["hooks", "modules", "commondir", "config.worktree", "config.lock"])
      expect([name, existsSync(join(stage.workspace, ".git", name))]).toEqual([name, false]);
    expect(await stage.runFree("git status --porcelain && git fsck 2>&1 | grep -v notice; ls -A")).toBe(".git\nfile\n");
  });

  test("a linked working tree commits into its repository without touching its settings", async () => {
    const tree = join(stage.workspace, "..", "tree");
    await stage.runFree(
      "git init -q . && git config user.name A && git config user.email a@example.org && git commit -q --allow-empty -m root && git worktree add -q ../tree",
    );
    const profile = { roots: [tree], writable: [], readable: [], home: stage.home, secrets: [], allowedHosts: [] };
    const [result] = await stage.run(
      [
        `echo 1 > file && git add -A && git commit -qm inside && git log --format=%s; echo x > ${stage.workspace}/.git/hooks/pre-commit; echo x > ${stage.workspace}/.git/worktrees/tree/commondir`,
      ],
      { profile, cwd: await stage.runFree("cd ../tree; printf %s $PWD") },
    );
    expect(result).toMatchObject({ code: 1, stdout: "inside\nroot\n" });
    expect(await stage.runFree("git log --format=%s tree; cat .git/worktrees/tree/commondir; ls")).toBe(
      "inside\nroot\n../..\n",
    );
  });

  test("repositories inside of the workspace keep their hooks and settings, and git works in them", async () => {
    const identity = "git config user.name A && git config user.email a@example.org";
    await stage.runFree(
      `git init -q . && ${identity} && mkdir -p lib/inner && (cd lib/inner && git init -q . && ${identity} && rm -rf .git/hooks && git commit -q --allow-empty -m root) &&
       git init -q --bare bare.git && git init -q ../other && (cd ../other && ${identity} && git commit -q --allow-empty -m other) &&
       git -c protocol.file.allow=always submodule --quiet add ../other sub && git commit -qm sub && git worktree add -q tree`,
    );
    const read = (...path: string[]) => readFileSync(join(stage.workspace, ...path), "utf8");
    const kept = () => [
      read("lib/inner/.git/config"),
      read("bare.git/config"),
      read("sub/.git"),
      read("tree/.git"),
      read(".git/modules/sub/config"),
      read(".git/worktrees/tree/commondir"),
    ];
    const before = kept();
    const results = await stage.run([
      "cd lib/inner && echo 1 > file && git add -A && git commit -qm inside && git log --format=%s",
      `for attempt in 'mkdir -p lib/inner/.git/hooks && echo x > lib/inner/.git/hooks/pre-commit' 'git -C lib/inner config core.fsmonitor evil' 'echo x > lib/inner/.git/config' \
       'echo ../evil > lib/inner/.git/commondir' 'mv lib/inner/.git lib/inner/g' 'mv lib/inner lib/i' 'mv lib l' 'rm -rf lib/inner/.git/hooks' 'echo x > bare.git/hooks/post-update' 'echo x > bare.git/config' \
       'mv bare.git b' 'echo gitdir: evil > sub/.git' 'rm -f sub/.git' 'mv sub s' 'echo x > .git/modules/sub/config' 'echo x > .git/modules/sub/hooks/pre-commit' 'echo gitdir: evil > tree/.git' 'echo x > .git/worktrees/tree/commondir'; do
         eval "$attempt" 2>/dev/null && echo "done: $attempt"; done; true`,
      "mkdir new && cd new && git init -q . && echo x > .git/hooks/own && rm .git/hooks/own",
      "echo x > new/.git/hooks/pre-commit; git -C new config core.fsmonitor evil",
      "rm -rf lib/inner/file; mv new/.git/description other 2>/dev/null; ls -A lib/inner",
    ]);
    expect(results.map((result) => ("stdout" in result ? [result.code, result.stdout] : result))).toEqual([
      [0, "inside\nroot\n"],
      [0, ""],
      [0, ""],
      [4, ""],
      [0, ".git\n"],
    ]);
    expect(kept()).toEqual(before);
    for (const name of ["lib/inner/.git/hooks", "lib/inner/.git/commondir", "bare.git/commondir", "new/.git/commondir"])
      expect([name, existsSync(join(stage.workspace, name))]).toEqual([name, false]);
    await stage.runFree("rm -rf new lib");
    expect(await stage.run(["ls -A"])).toMatchObject([{ code: 0 }]);
    expect(existsSync(join(stage.workspace, "lib"))).toBe(false);
  });
});
