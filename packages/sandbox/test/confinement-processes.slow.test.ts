/** Proves on the real bubblewrap that processes cannot leave the sandbox, reach the network or outlive their command. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { join } from "node:path";
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

describe.each(stageUsers())("as $name", (user) => {
  let stage: Stage;
  let server: Server;
  let port: number;
  beforeEach(async () => {
    stage = openStage(user, programs);
    server = createServer((asked, answer) => answer.end(`${asked.method} ${asked.headers.host} ${asked.url}`));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterEach(() => {
    server.close();
    stage.remove();
  });

  const withHosts = (...allowedHosts: readonly string[]) => ({
    profile: { roots: [stage.workspace], writable: [], readable: [], home: stage.home, secrets: [], allowedHosts },
  });
  const ask = (lines: readonly string[]) =>
    `exec 9<>/dev/tcp/127.0.0.1/3128 && printf '%s\\r\\n' ${lines.map((line) => `'${line}'`).join(" ")} '' >&9 && cat <&9`;

  test("without allowed hosts nothing is reachable, not even the loopback of the host", async () => {
    const [loopback, outside, cards, byProxy] = await stage.run([
      `echo > /dev/tcp/127.0.0.1/${port}`,
      "echo > /dev/tcp/192.0.2.1/80",
      "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '",
      // It is there to ask about hosts, and nobody can be asked here.
      ask([`CONNECT 127.0.0.1:${port} HTTP/1.1`]),
    ]);
    expect(loopback).toMatchObject({ code: 1, stderr: expect.stringContaining("Connection refused") });
    expect(outside).toMatchObject({ code: 1, stderr: expect.stringContaining("unreachable") });
    expect(cards).toMatchObject({ stdout: "lo\n" });
    expect(byProxy).toMatchObject({ code: 0, stdout: expect.stringMatching(/^HTTP\/1\.1 403 /) });
  });

  test("an allowed host is reached through the proxy, and no other one", async () => {
    const plan = { ...withHosts(`service.example:${port}`), names: { "service.example": ["127.0.0.1"] } };
    const [plain, tunnel, other, variables] = await stage.run(
      [
        ask([`GET http://service.example:${port}/path?x=1 HTTP/1.1`, "Host: other.example", "Connection: close"]),
        ask([
          `CONNECT service.example:${port} HTTP/1.1`,
          "",
          "GET /inside HTTP/1.1",
          "Host: service.example",
          "Connection: close",
        ]),
        ask([`CONNECT 127.0.0.1:${port} HTTP/1.1`]),
        "echo $HTTPS_PROXY $http_proxy",
      ],
      plan,
    );
    expect(plain).toMatchObject({ code: 0, stdout: expect.stringMatching(/GET service\.example:\d+ \/path\?x=1/) });
    expect(tunnel).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^HTTP\/1\.1 200 [\s\S]*GET service\.example \/inside/),
    });
    expect(other).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^HTTP\/1\.1 403 .*refuses 127\.0\.0\.1:\d+: .*sandbox\.allowedHosts/),
    });
    expect(variables).toMatchObject({
      stdout: expect.stringMatching(/^(http:\/\/command:[0-9a-f]{32}@127\.0\.0\.1:3128) \1\n$/),
    });
  });

  test("sockets in the file system are out of reach, pairs of sockets are not", async () => {
    const path = join(stage.workspace, "agent.sock");
    const agent = createSocketServer((socket) => socket.end("secret"));
    await new Promise<void>((resolve) => agent.listen(path, resolve));
    const { node } = programs;
    const results = await stage.run([
      `${node} -e 'require("net").connect("${path}").on("error", (error) => console.log(error.code))'`,
      `${node} -e 'console.log(require("child_process").execFileSync("echo", ["child"], { encoding: "utf8" }))'`,
    ]);
    agent.close();
    expect(results).toEqual([
      { code: 0, stdout: "EPERM\n", stderr: "", report: "" },
      { code: 0, stdout: "child\n\n", stderr: "", report: "" },
    ]);
  });

  test("no way leads through the first process, through new namespaces or through mounts", async () => {
    const results = await stage.run([
      "touch /proc/1/root/etc/kedge-test",
      "ls /proc | grep -c '^[0-9]*$'",
      `ls -d /proc/${process.pid}`,
      "unshare --user --map-root-user true",
      "mount -t tmpfs none /mnt",
      "grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr -d '\\t\\n'",
    ]);
    expect(results.map((result) => ("code" in result ? result.code : result.problem))).toEqual([
      1,
      0,
      2,
      1,
      expect.any(Number),
      0,
    ]);
    expect(results[4]).not.toMatchObject({ code: 0 });
    expect(Number((results[1] as { stdout: string }).stdout)).toBeLessThan(8);
    expect(results[5]).toMatchObject({ stdout: "CapEff:0000000000000000CapBnd:0000000000000000NoNewPrivs:1Seccomp:2" });
    expect(existsSync("/etc/kedge-test")).toBe(false);
  });

  test("a process that left its session and its group ends with the command", async () => {
    const token = `98765${process.pid}${user.uid}`;
    const [result] = await stage.run([
      `setsid -f sh -c 'sleep ${token}' >/dev/null 2>&1 3>&-; (sleep ${token} >/dev/null 2>&1 3>&- & disown); env -i setsid -f sleep ${token} >/dev/null 2>&1 3>&-; echo started`,
    ]);
    expect(result).toMatchObject({ code: 0, stdout: "started\n" });
    expect(commandLinesWith(token)).toEqual([]);
  });

  test("nothing runs on when the session is killed, and the next one clears away what it left", async () => {
    const token = `87654${process.pid}${user.uid}`;
    const session = stage.open([`setsid -f sleep ${token}; sleep ${token}`]);
    const outcome = session.outcome.catch((error: unknown) => error);
    await expect.poll(() => commandLinesWith(token).length, { interval: 10 }).toBeGreaterThan(1);
    expect(listTree(stage.workspace)).toContain(".envrc");
    session.kill();
    await outcome;
    await expect.poll(() => commandLinesWith(token), { interval: 10 }).toEqual([]);
    await stage.run(["true"]);
    expect(listTree(stage.workspace)).toEqual([]);
  });

  test("what one session still needs is not taken away by the one that made it", async () => {
    const at = (name: string) => join(stage.workspace, name);
    const isThere = (name: string) => expect.poll(() => existsSync(at(name)), { interval: 10 }).toBe(true);
    const waitingFor = (name: string) => `until [ -e ${name} ]; do sleep 0.01; done`;
    const first = stage.open([`touch first; ${waitingFor("gate-1")}`]);
    await isThere("first");
    const second = stage.open([`touch second; ${waitingFor("gate-2")}; mkdir .envrc .git; echo x > .envrc/x`]);
    await isThere("second");
    stage.put(at("gate-1"), "");
    expect((await first.outcome).results).toMatchObject([{ code: 0 }]);
    expect(listTree(stage.workspace)).toEqual(expect.arrayContaining([".envrc", ".git", ".github/workflows"]));
    stage.put(at("gate-2"), "");
    expect((await second.outcome).results).toMatchObject([{ code: 1 }]);
    expect(listTree(stage.workspace)).toEqual(["first", "gate-1", "gate-2", "second"]);
  });

  test("a command on a terminal is confined as well", async () => {
    const results = await stage.run(["echo > .envrc; echo $?; ls -A /tmp | wc -l", "exit 3"], {
      opensDescriptors: true,
    });
    expect(results).toMatchObject([{ code: 0, stdout: expect.stringMatching(/^1\n/) }, { code: 3 }]);
    expect(listTree(stage.workspace)).toEqual([]);
  });
});

/** Of all processes on the machine. */
function commandLinesWith(token: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "latin1");
      } catch {
        // It has gone since it was listed.
        return "";
      }
    })
    .filter((line) => line.startsWith("sleep") && line.includes(token));
}
