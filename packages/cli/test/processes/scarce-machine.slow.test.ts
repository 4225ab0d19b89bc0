/** The real server on a machine without descriptors, processes, disk or home: a sentence for who asked, and the server lives. */
import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, readdirSync, renameSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { request } from "../serve-bench.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { newSession, outputs, prompt, serve } from "./scarce-server.ts";

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** One command, then the end. */
function oneCommand({ body }: MockRequest): MockTurn {
  const isDone = body.messages?.some(({ role }) => role === "tool") === true;
  return isDone
    ? { text: "Done." }
    : { toolCalls: [{ name: "bash", input: { command: "echo hi", description: "say hi" } }] };
}

async function open(script: (request: MockRequest) => MockTurn = oneCommand): Promise<Workbench> {
  const bench = await openWorkbench(script, { permission: { bash: { "echo hi": "allow" } } });
  opened.push(bench);
  return bench;
}

test("out of descriptors a call fails in a sentence, and the server and its other sessions live", async () => {
  const limit = 220;
  const server = await serve(await open(), `ulimit -n ${limit}; exec "$@"`);
  const sessionId = await newSession(server);
  const taken: Socket[] = [];
  const giveBack = () => {
    for (const socket of taken.splice(0)) socket.destroy();
  };
  opened.push({ close: giveBack });
  const free = () => limit - readdirSync(`/proc/${server.child.pid}/fd`).length;
  // Two are left for the model and for whoever asks.
  while (free() > 3) {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1").on("error", () => undefined);
    taken.push(socket);
    await new Promise((resolve) => socket.once("connect", resolve));
    // Answered after the connection was taken in.
    await request(server, "/session");
  }
  expect(await prompt(server, sessionId)).toMatchObject({ ok: true });
  const [output] = await outputs(server, sessionId);
  expect(output).toMatch(/too many files are open/);
  giveBack();
  await expect.poll(free).toBeGreaterThan(20);
  const other = await newSession(server);
  expect(await prompt(server, other)).toMatchObject({ ok: true });
  expect(await outputs(server, other)).toEqual(["hi\n"]);
});

test("a home that vanishes is told at once, and nothing counts as stored", async () => {
  const bench = await open();
  const server = await serve(bench, 'exec "$@"');
  const [first, second] = [await newSession(server), await newSession(server)];
  renameSync(bench.home, `${bench.home}-moved`);
  const told = await prompt(server, first);
  expect(told).toMatchObject({ ok: false, failure: { code: "storage" } });
  const body = { text: "go", delivery: "follow-up", options: {} };
  const answer = await request(server, `/session/${second}/prompt_async`, { method: "POST", body });
  expect(answer.status).toBe(507);
  expect(server.child.exitCode).toBeNull();
  expect(bench.model.requests).toEqual([]);
  rmSync(`${bench.home}-moved`, { recursive: true });
});

test("a full disk is status 507, and the server lives until there is room again", async () => {
  const bench = await open(() => ({ text: "word ".repeat(20_000) }));
  const small = `mount -t tmpfs -o size=700k tmpfs "$KEDGE_HOME/data" && exec "$@"`;
  const namespaces = process.getuid?.() === 0 ? "--mount" : "--user --map-root-user --mount";
  const server = await serve(bench, `mkdir -p "$KEDGE_HOME/data"; exec unshare ${namespaces} sh -c '${small}' sh "$@"`);
  const statuses = new Set<number>();
  for (let index = 0; index < 30 && !statuses.has(507); index += 1) {
    const created = await request(server, "/session", { method: "POST", body: {} });
    statuses.add(created.status);
    if (created.status >= 300) break;
    const { sessionId } = created.body as { readonly sessionId: string };
    const sent = await request(server, `/session/${sessionId}/prompt_async`, {
      method: "POST",
      body: { text: "much ".repeat(10_000), delivery: "follow-up", options: {} },
    });
    statuses.add(sent.status);
  }
  expect([...statuses].at(-1)).toBe(507);
  expect((await request(server, "/session")).status).toBe(200);
  expect(server.child.exitCode).toBeNull();
});

/** Root has no limit of processes, and tests of a database use the uid of nobody. */
const ordinaryUser = 54_321;

test("out of processes a call fails in a sentence, and the server lives", async (context) => {
  if (process.getuid?.() !== 0) context.skip("only root can run it as another user");
  const user = `setpriv --reuid=${ordinaryUser} --regid=${ordinaryUser} --clear-groups`;
  const isReadable = spawnSync("sh", ["-c", `${user} test -r "$0"`, import.meta.filename]).status === 0;
  if (!isReadable) context.skip("other users may not read this checkout");
  const bench = await open();
  for (const path of [bench.directory, bench.home, bench.project, join(bench.home, "config.json")]) {
    chownSync(path, ordinaryUser, ordinaryUser);
  }
  const server = await serve(bench, `exec ${user} "$@"`);
  const sessionId = await newSession(server);
  const threads = readdirSync(`/proc/${server.child.pid}/task`).length;
  // The soft one, which can be raised again.
  const limitProcesses = (count: string) =>
    execFileSync("sh", ["-c", `${user} prlimit --pid ${server.child.pid} --nproc=${count}:`]);
  limitProcesses(String(threads));
  expect(await prompt(server, sessionId)).toMatchObject({ ok: true });
  const [output] = await outputs(server, sessionId);
  expect(output).toMatch(/no more processes can be started/);
  limitProcesses("500");
  const other = await newSession(server);
  expect(await prompt(server, other)).toMatchObject({ ok: true });
  expect(await outputs(server, other)).toEqual(["hi\n"]);
});
