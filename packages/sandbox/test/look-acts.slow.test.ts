/** Proves on the real bubblewrap that a command which runs unasked can neither act nor see secrets, whatever it is. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, linkSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
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

const canary = "canary-7d1f";

describe.each(stageUsers())("as $name", (user) => {
  let stage: Stage;
  beforeEach(() => {
    stage = openStage(user, programs);
  });
  afterEach(() => stage.remove());

  test("it reads no secret: of the project, the home, kedge, rules, or by way of /proc and links", async () => {
    const { workspace, home } = stage;
    const secrets = [
      join(workspace, ".env"),
      join(workspace, "deep", "er", ".env"),
      join(workspace, "private.txt"),
      join(home, ".ssh", "id_rsa"),
      join(home, ".netrc"),
      join(home, ".aws", "credentials"),
      join(home, ".config", "gh", "hosts.yml"),
      join(home, ".kedge", "credentials.json"),
      join(home, ".kedge", "data", "kedge.db"),
      join(home, "rules", "closed.txt"),
    ];
    for (const path of secrets) stage.put(path, canary);
    symlinkSync(join(home, ".ssh", "id_rsa"), join(workspace, "notes"));
    symlinkSync(home, join(workspace, "house"));
    linkSync(join(workspace, "deep", "er", ".env"), join(workspace, "settings.txt"));
    const reading = secrets.flatMap((path) => [
      `cat ${path}`,
      `cat /proc/self/root${path} /proc/1/root${path} /proc/1/cwd/${path}`,
      `cp ${path} /dev/shm/x; cat /dev/shm/x`,
      `chmod 777 ${path}; chmod -R 777 ${join(path, "..")}; cat ${path}`,
      `mv ${path} /dev/shm/y; ln ${path} /dev/shm/z; cat /dev/shm/?`,
      `umount ${path} ${join(path, "..")}; cat ${path}`,
      `unshare -rm sh -c 'umount ${path}; cat ${path}'`,
    ]);
    const { results } = await stage.look(
      [
        ...reading,
        "cat notes house/.ssh/id_rsa house/.netrc",
        "grep -rs canary . house; find .. -name id_rsa -exec cat {} + 2>/dev/null",
        "cat /proc/*/environ /proc/$KEDGE_PID/environ /proc/$PPID/environ",
        "cat /proc/*/cmdline | tr '\\0' ' '; cat /proc/$KEDGE_PID/mem",
        "env; set; export -p",
      ],
      {
        hidden: [join(workspace, "private.txt")],
        places: [join(home, "rules")],
        environment: {
          PATH: "/usr/bin:/bin",
          HOME: home,
          ANTHROPIC_API_KEY: canary,
          GITHUB_TOKEN: canary,
          DATABASE_URL: `postgres://me:${canary}@host/db`,
          MY_PASSWORD: canary,
        },
      },
    );
    expect(JSON.stringify(results)).not.toContain(canary);
    expect(results.filter((result) => "problem" in result)).toEqual([]);
    // Closed is not the same as empty.
    expect(results[0]).toMatchObject({ code: 1, stderr: expect.stringContaining("Permission denied") });
  });

  test("it writes nothing anywhere, and reaches nobody", async () => {
    const { workspace, home } = stage;
    stage.put(join(workspace, "file"), "as it was");
    execFileSync("mkfifo", [join(workspace, "pipe")]);
    chmodSync(join(workspace, "pipe"), 0o666);
    const name = `kedge-look-${process.pid}-${user.uid}`;
    const places = [
      workspace,
      home,
      "/tmp",
      "/var/tmp",
      "/dev/shm",
      "/etc",
      "/usr",
      "/",
      "/run",
      "/opt",
      "/dev",
      "/proc",
      "/sys",
    ];
    const before = [listTree(workspace), listTree(home), readdirSync("/tmp").filter((one) => one.includes(name))];
    const connect = (target: string) =>
      `$NODE -e 'require("net").connect(${target}).on("error", (e) => console.error(e.code))'`;
    const { results, visits } = await stage.look([
      ...places.flatMap((place) => [
        `echo x > ${place}/${name}`,
        `mkdir ${place}/${name}-d`,
        `ln -s a ${place}/${name}-l`,
      ]),
      "echo x >> file; rm -f file; mv file other; chmod 777 file; touch -d 2001-01-01 file; : > file; ln file link",
      "truncate -s 0 file; dd if=/dev/zero of=file count=1; setfattr -n user.a -v b file; git init .",
      "timeout 1 bash -c 'echo x > pipe'; timeout 1 bash -c 'echo x <> pipe'",
      "exec 9<>/dev/tcp/127.0.0.1/$PORT; echo x > /dev/udp/127.0.0.1/$PORT",
      connect("{ port: process.env.PORT }"),
      connect("process.env.SOCKET"),
      connect('"\\0" + process.env.ABSTRACT'),
      "kill -9 $KEDGE_PID; kill -TERM $PPID; kill -9 -1; for p in $(seq 2 400); do kill -9 $p; done",
      "$NODE -e 'process.kill(+process.env.KEDGE_PID, 9)'; gdb -p $KEDGE_PID -batch; strace -p $KEDGE_PID",
      "mount -o remount,rw /; mount -t tmpfs none /mnt; unshare -rmn true; nsenter -t 1 -m true; chroot / true",
      "[ -w /proc/sys/kernel/core_pattern ] && cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern && echo acted",
      "echo 1 > /proc/sysrq-trigger; echo $$ > /sys/fs/cgroup/cgroup.procs; sysctl -w kernel.x=1; hostname x; date -s 2001-01-01",
      "grep -E 'Cap(Eff|Prm|Amb)|NoNewPrivs|Seccomp:' /proc/self/status",
    ]);
    expect(visits).toBe(0);
    expect(results.filter((result) => "problem" in result)).toEqual([]);
    expect([listTree(workspace), listTree(home), readdirSync("/tmp").filter((one) => one.includes(name))]).toEqual(
      before,
    );
    expect(readFileSync(join(workspace, "file"), "utf8")).toBe("as it was");
    const reached = places.filter((place) => [name, `${name}-d`].some((one) => existsSync(join(place, one))));
    expect(reached).toEqual([]);
    expect(JSON.stringify(results)).not.toContain("acted");
    // Nobody reads the pipe, so whoever could open it would wait until the time is up.
    const piped = results.find((result) => "stderr" in result && result.stderr.includes("pipe:"));
    expect(piped).toMatchObject({ code: 1, stderr: expect.stringMatching(/(?:.*pipe: .*\n){2}/) });
    const status = results.at(-1);
    expect(status).toMatchObject({
      stdout: [
        "CapPrm:\t0000000000000000",
        "CapEff:\t0000000000000000",
        "CapAmb:\t0000000000000000",
        "NoNewPrivs:\t1",
        "Seccomp:\t2",
        "",
      ].join("\n"),
    });
  });

  test("random ways to a secret in a random place find nothing", async () => {
    const random = createSeededRandom();
    for (let round = 0; round < rounds({ usual: 4, long: 60 }); round += 1) {
      const words = ["a", ".b", "c d", "é", "node", "x".repeat(40)];
      const pick = <Item>(items: readonly Item[]): Item => random.shuffle(items)[0] as Item;
      const directory = Array.from({ length: random.below(4) }, () => pick(words));
      const path = join(stage.workspace, ...directory, ".env");
      stage.put(path, canary);
      const quoted = `'${path}'`;
      const ways = [
        `cat ${quoted}`,
        `grep -r . ${stage.workspace}`,
        `find . -type f -print0 | xargs -0 cat`,
        `tar c .`,
        `od -c ${quoted}`,
        `cd ${quoted}/.. && cat .e*`,
        `git diff --no-index /dev/null ${quoted}`,
        `diff -r . /dev`,
        `awk 1 ${quoted}`,
        `wc -c < ${quoted}`,
      ];
      const { results } = await stage.look([pick(ways), pick(ways)]);
      expect([random.seed, path, JSON.stringify(results).includes(canary)]).toEqual([random.seed, path, false]);
    }
  });

  test("a file that was opened for the call can be read, and no other", async () => {
    stage.put(join(stage.workspace, ".env"), "opened");
    stage.put(join(stage.workspace, "b", ".env"), canary);
    stage.put(join(stage.home, ".netrc"), "opened too");
    const opened = [join(stage.workspace, ".env"), join(stage.home, ".netrc")];
    const { results } = await stage.look(["cat .env ~/.netrc; cat b/.env"], { opened });
    expect(results[0]).toMatchObject({ code: 1, stdout: "openedopened too" });
    // A link with a harmless name opens nothing, nor does a directory.
    symlinkSync(join(stage.workspace, "b", ".env"), join(stage.workspace, "notes"));
    stage.put(join(stage.home, ".ssh", "id_rsa"), canary);
    symlinkSync(join(stage.home, ".ssh", "id_rsa"), join(stage.workspace, "more"));
    const names = ["notes", "more", "b"].map((name) => join(stage.workspace, name));
    const tried = await stage.look(["cat notes more b/.env; grep -r . ~/.ssh"], {
      opened: [...names, join(stage.home, ".ssh"), stage.workspace],
    });
    expect(tried.results[0]).toMatchObject({ stdout: "" });
  });
});
