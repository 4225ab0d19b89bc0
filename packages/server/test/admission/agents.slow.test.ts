/** Proves that processes started for the agent are turned away, however they hide, and that others are not. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { withOwner } from "@kedge/tools";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AdmissionSite, adminToken, openAdmissionSite } from "./admission-site.ts";

let site: AdmissionSite;
let directory = "";
const children: ChildProcess[] = [];
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "kedge-agents-"));
  site = await openAdmissionSite();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await site.close();
  rmSync(directory, { recursive: true, force: true });
});

const path = process.env["PATH"] ?? "";
const marked = withOwner({ PATH: path }, { boot: "boot-of-a-test", pid: 1, startedAt: "1" });
const unmarked = { PATH: path };

/** The status that curl got. `@` stands for the call of curl. */
async function runShell(
  script: string,
  env: { readonly [name: string]: string },
  url = site.server.url,
): Promise<string> {
  const out = join(directory, "status");
  rmSync(out, { force: true });
  const curl = `curl -s -o '${out}.body' -w '%{http_code}' -H 'Authorization: Bearer ${adminToken}' -H 'Host: 127.0.0.1:${site.server.port}' '${url}/config' > '${out}.part'; mv '${out}.part' '${out}'`;
  const child = spawn("/bin/sh", ["-c", script.replace("@", curl)], { env, stdio: "ignore" });
  children.push(child);
  await once(child, "exit");
  await expect.poll(() => existsSync(out), { interval: 10 }).toBe(true);
  return readFileSync(out, "utf8");
}

test("a command of the agent is refused with a valid token, and the attempt is told", async () => {
  expect(await runShell("@", marked)).toBe("403");
  expect(JSON.parse(readFileSync(join(directory, "status.body"), "utf8"))).toEqual({
    error: { code: "agent_process", message: "Commands run by the agent cannot call kedge as the user." },
  });
  expect(site.attempts).toEqual([
    { pid: expect.any(Number), program: "curl", method: "GET", path: "/config", unreported: 0 },
  ]);
  expect(site.reached).toEqual([]);
  await site.expectHealthy();
});

test("a process that nobody started for the agent comes in, also while commands of the agent run", async () => {
  expect(await runShell("@", unmarked)).toBe("200");
  children.push(spawn("sleep", ["60"], { env: marked, stdio: "ignore" }));
  expect(await runShell("@", unmarked)).toBe("200");
  await site.expectHealthy();
  expect(site.attempts).toEqual([]);
});

test("a daemon of the agent is refused after it was left to the system", async () => {
  expect(await runShell(`setsid -f /bin/sh -c "$(cat <<'END'\n@\nEND\n)"`, marked)).toBe("403");
});

test("a command that cleans its environment is known by who started it", async () => {
  expect(await runShell(`env -i PATH="$PATH" /bin/sh -c "$(cat <<'END'\n@\nEND\n)"`, marked)).toBe("403");
});

test("calling the machine by another of its addresses does not help", async () => {
  const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const own = others.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.2";
  await site.close();
  site = await openAdmissionSite({
    listen: { hostname: "0.0.0.0", isInsecure: true },
    admissions: { boundTo: "0.0.0.0" },
  });
  const url = `http://${own}:${site.server.port}`;
  expect(await runShell("@", unmarked, url)).toBe("200");
  expect(await runShell("@", marked, url)).toBe("403");
});

test("a request whose sender has left is not carried out", async () => {
  const request = `POST /config HTTP/1.1\r\nHost: 127.0.0.1:${site.server.port}\r\nAuthorization: Bearer ${adminToken}\r\n\r\n`;
  const script = `
    const socket = require("node:net").connect(${site.server.port}, "127.0.0.1", () => {
      socket.write(${JSON.stringify(request)}, () => process.exit());
    });`;
  // The server stands still meanwhile, so it sees the request only when nobody is behind it any more.
  expect(spawnSync(process.execPath, ["-e", script], { env: marked }).status).toBe(0);
  for (let count = 0; count < 5; count++) {
    await once(spawn(process.execPath, ["-e", script], { env: marked, stdio: "ignore" }), "exit");
  }
  await site.expectHealthy();
  expect(site.reached).toEqual(["GET /global/health", "GET /config"]);
});

test("marks that the server carries itself say nothing about its callers", async () => {
  await site.close();
  site = await openAdmissionSite({ admissions: { environment: marked } });
  expect(await runShell("@", marked)).toBe("200");
  const inner = withOwner(marked, { boot: "inner", pid: 2, startedAt: "2" });
  expect(await runShell("@", inner)).toBe("403");
});

test("attempts without end are told of ten times a minute", async () => {
  const loop = `i=0; while [ $i -lt 12 ]; do curl -s -o /dev/null '${site.server.url}/config'; i=$((i+1)); done; @`;
  expect(await runShell(loop, marked)).toBe("403");
  expect(site.attempts).toHaveLength(10);
  site.clock.now += 60_000;
  await runShell("@", marked);
  expect(site.attempts.at(-1)).toMatchObject({ unreported: 3 });
});

test("where processes cannot be looked at everybody with a credential comes in", async () => {
  await site.close();
  site = await openAdmissionSite({ admissions: { procDirectory: directory } });
  expect(await runShell("@", marked)).toBe("200");
});

test("an open door is not open to the agent", async () => {
  await site.close();
  site = await openAdmissionSite({ admissions: { isDoorOpen: true } });
  expect(await runShell("@", marked)).toBe("403");
  expect(await runShell("@", unmarked)).toBe("200");
});
