/** Proves on the real bubblewrap that a command which only looks answers in the read-only view as it would outside. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeStagePrograms, openStage, type Stage, type StagePrograms, stageUsers } from "./confinement-stage.ts";
import type { LookedAt } from "./look-session.ts";

let programs: StagePrograms;
beforeAll(() => {
  programs = makeStagePrograms();
});
afterAll(() => rmSync(programs.directory, { recursive: true, force: true }));

const same: readonly string[] = [
  "ls -la --time-style=full-iso",
  "ls -ln src; ls -R",
  "stat -c '%U %G %a %s %i %Y %n' src/a.ts package.json",
  "cat src/a.ts package.json",
  "head -2 src/a.ts; tail -1 src/a.ts; wc -l src/*.ts",
  "grep -rn export src; echo $?",
  "grep -n nothing src/a.ts",
  "find . -name '*.ts' -newer package.json -o -type d | sort",
  "du -sk src; file package.json; tree -a src",
  "git status",
  "git status --porcelain=v2 --branch",
  "git log --oneline --stat -3",
  "git diff; git diff --stat; git diff --cached",
  "git show HEAD:src/a.ts; git show --stat",
  "git branch -a; git rev-parse HEAD --show-toplevel; git describe --always",
  "git blame -s src/a.ts; git ls-files -s; git stash list",
  "git config --list --show-origin; git remote -v",
  "cd src && pwd && pwd -P && echo $HOME $PWD $OLDPWD",
  "cd link && pwd; ls link/",
  "whoami; id -u; id -un; umask; ulimit -a",
  "uname -a; nproc; date +%Z; locale; getconf PAGE_SIZE",
  "sort src/a.ts | uniq -c | sort -rn | head -3",
  "seq 1 200000 | sort -R --random-source=/dev/zero | md5sum",
  "cat <<'END' | tr a-z A-Z\nsome text\nEND",
  "diff src/a.ts src/b.ts; cmp src/a.ts src/b.ts",
  "sed -n '1,2p' src/a.ts; awk '{ print NR, $0 }' src/a.ts",
  "jq .name package.json; node --version; python3 --version; which git bash",
  "cat missing; ls missing; cd missing",
  "exit 7",
  "sh -c 'exit 3'; echo $?; sh -c 'kill -TERM $$'; echo $?",
  "test -f package.json && echo yes; [ -w package.json ]; [ -r src ] && echo readable",
  'echo out; echo err >&2; tput cols; echo "$COLUMNS"',
  "sha256sum src/a.ts; od -c src/a.ts | head -2; base64 src/a.ts",
  "cat /etc/hostname /etc/os-release | head -3; getent passwd $(id -u)",
];

/** Not nobody, whose number is also that of every unknown owner. */
const users = stageUsers().map((user) => (user.uid === 65_534 ? { ...user, uid: 4_711, gid: 4_711 } : user));

describe.each(users)("as $name", (user) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = openStage(user, programs);
    stage.put(join(stage.workspace, "src", "a.ts"), "export const a = 1;\nexport const b = 2;\n");
    stage.put(join(stage.workspace, "src", "b.ts"), "export const a = 1;\nexport const c = 3;\n");
    stage.put(join(stage.workspace, "package.json"), '{ "name": "example" }\n');
    stage.put(join(stage.workspace, ".npmrc"), "registry=https://registry.example.org\n");
    stage.put(join(stage.workspace, ".env"), "SECRET=canary\n");
    stage.put(join(stage.workspace, ".gitignore"), ".env\n");
    await stage.runFree(
      "ln -s src link && git init -q . && git config user.name A && git config user.email a@example.org && git add -A && git commit -qm first && echo more >> src/b.ts && git add src/b.ts && echo more >> src/a.ts && touch package.json",
    );
  });
  afterAll(() => stage.remove());

  // By name they are hidden, but git keeps the one, and would see a hidden one as changed.
  const hides = () => ({ hidden: [join(stage.workspace, ".npmrc")] });

  test("common commands print and end as outside", async () => {
    const { results } = await stage.look(
      // Its mode and size are not told; a note says so.
      same.map((command) => command.replace("ls -la", "ls -l")),
      { ...hides(), compares: true },
    );
    for (const [index, result] of results.entries()) {
      const { outside, outcome, ...inside } = result as LookedAt;
      expect([same[index], inside]).toEqual([same[index], outside]);
      expect([same[index], outcome.blocked]).toEqual([same[index], undefined]);
    }
    expect(results).toHaveLength(same.length);
  });

  test("what is hidden is told, and closed instead of empty", async () => {
    const { results } = await stage.look(["ls -la", "cat .env", "grep -rn SECRET . ; true", "grep -rn export ."], {
      ...hides(),
      compares: true,
    });
    const [listed, read, searched, partly] = results as readonly LookedAt[];
    const note =
      "(hidden from commands that run without permission: .env; size, mode and content are not the real ones)";
    expect(listed?.outcome).toEqual({ note });
    expect(read).toMatchObject({
      stdout: "",
      outcome: { blocked: ".env may contain secrets and is hidden there" },
      // Who runs it outside does read it.
      outside: { stdout: "SECRET=canary\n" },
    });
    expect(searched).toMatchObject({ stdout: "", stderr: "grep: ./.env: Permission denied\n", outcome: { note } });
    expect(partly).toMatchObject({ code: 2, outcome: { note } });
    expect(partly?.stdout).toContain("src/a.ts:1:export");
  });

  test("what a rule closes is hidden although it is committed, and git tells the truth or asks", async () => {
    const { results } = await stage.look(["cat .npmrc", "git status --short", "git log -p"], {
      closed: [join(stage.workspace, ".npmrc")],
      compares: true,
    });
    const [read, status, history] = results;
    expect(read).toMatchObject({ stdout: "" });
    expect((status as LookedAt).stdout).toBe((status as LookedAt).outside?.stdout);
    expect(history).toEqual({ problem: "a rule closes .npmrc, which git may show" });
  });

  test("a link to the environment of a process does not break the view, which has processes of its own", async () => {
    await stage.runFree("ln -s /proc/self/environ told");
    const { results } = await stage.look(["ls src"], { hidden: [join(stage.workspace, "told")] });
    expect(results).toMatchObject([{ code: 0, stdout: "a.ts\nb.ts\n", outcome: {} }]);
    await stage.runFree("rm told");
  });

  test("what is held back says why", async () => {
    const { results } = await stage.look([
      "touch new",
      "git fetch https://localhost:1/x",
      '$NODE -e \'require("fs").writeFileSync("x", "")\'',
      "cat missing",
      "false",
    ]);
    expect(results.map((result) => (result as LookedAt).outcome)).toEqual([
      { blocked: "it tried to write" },
      { blocked: "it tried to write" },
      { blocked: "it tried to write" },
      { note: "(ran in a read-only view without network)" },
      {},
    ]);
  });

  test("too many secrets, or a directory that is hidden, are a problem and not a view with holes", async () => {
    const many = Array.from({ length: 65 }, (_, index) => join(stage.workspace, "keys", `${index}.pem`));
    for (const path of many) stage.put(path, "key");
    const { results } = await stage.look(["true"], { hidden: many });
    expect(results).toEqual([{ problem: "the project has 66 files that may contain secrets, too many to hide" }]);
    rmSync(join(stage.workspace, "keys"), { recursive: true });
    stage.put(join(stage.home, ".ssh", "config"), "");
    const inside = await stage.look(["pwd"], { cwd: join(stage.home, ".ssh") });
    expect(inside.results).toEqual([{ problem: `${join(stage.home, ".ssh")} is hidden there` }]);
  });
});
