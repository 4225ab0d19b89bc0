/** Several directories in one process: which may be asked for, and when they and their sessions are given free. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProject } from "@kedge/host";
import { placeOf } from "@kedge/host/server";
import { afterEach, expect, test } from "vitest";
import { createInstances, instanceIdleMs, placesMax, sessionIdleMs } from "../../src/places/instances.ts";
import { openAssembled } from "../assembled-kedge.ts";
import { at, openSite, type ServerSite, type SiteOptions } from "./server-site.ts";

let site: ServerSite | undefined;

afterEach(async () => {
  const bugs = site?.bugs;
  await site?.close();
  site = undefined;
  expect(bugs ?? []).toEqual([]);
});

async function open(options: SiteOptions = {}): Promise<ServerSite> {
  site = await openSite(options);
  return site;
}

test("a directory is chosen by header or address, and opened once", async () => {
  const { call, place, project, opened } = await open({ roots: (directory) => [join(directory, "others")] });
  const other = join(place, "others", "ö 1");
  mkdirSync(other, { recursive: true });
  const header = { "x-kedge-directory": encodeURIComponent(other) };
  const answers = await Promise.all([
    call("GET", "/path"),
    call("GET", "/path", { headers: header }),
    call("GET", `/path?directory=${encodeURIComponent(other)}`),
    call("GET", "/path"),
  ]);
  expect(answers.map(({ json }) => at(json, "directory"))).toEqual([project, other, other, project]);
  expect([...opened].sort()).toEqual([other, project].sort());
  const listed = at((await call("GET", "/global")).json, "instances") as readonly unknown[];
  expect(listed.map((instance) => at(instance, "directory")).sort()).toEqual([other, project].sort());
});

test("a directory outside of the roots is refused, by whatever name", async () => {
  const { call, place, project } = await open();
  mkdirSync(join(place, "outside"));
  symlinkSync(join(place, "outside"), join(project, "link"));
  writeFileSync(join(project, "file"), "");
  const statusOf = async (directory: string) =>
    (await call("GET", `/path?directory=${encodeURIComponent(directory)}`)).status;
  expect({
    outside: await statusOf(join(place, "outside")),
    absent: await statusOf(join(place, "absent")),
    through: await statusOf(join(project, "..", "outside")),
    link: await statusOf(join(project, "link")),
    root: await statusOf("/"),
    zero: await statusOf(`${place}\0`),
    file: await statusOf(join(project, "file")),
    missing: await statusOf(join(project, "missing")),
    beside: await statusOf(`${project}-beside`),
    relative: await statusOf("."),
  }).toEqual({
    ...{ outside: 403, absent: 403, through: 403, link: 403, root: 403, zero: 403 },
    ...{ file: 404, missing: 404, beside: 403, relative: 200 },
  });
  expect((await call("GET", "/path", { headers: { "x-kedge-directory": "%zz" } })).status).toBe(400);
});

test("a session is not taken up in the directory of another project", async () => {
  const { call, place, newSession } = await open({ roots: (directory) => [join(directory, "others")] });
  const other = join(place, "others");
  mkdirSync(other);
  const sessionId = await newSession();
  const headers = { "x-kedge-directory": other };
  const answer = await call("POST", `/session/${sessionId}/prompt`, { headers, body: { text: "hello" } });
  expect([answer.status, at(answer.json, "error", "code")]).toEqual([409, "other_project"]);
});

test("each project has its own list of sessions, and there is one of all", async () => {
  const { call, place, newSession } = await open({ roots: (directory) => [join(directory, "others")] });
  const other = join(place, "others");
  mkdirSync(other);
  const headers = { "x-kedge-directory": other };
  const here = await newSession();
  const there = String(at((await call("POST", "/session", { headers, body: {} })).json, "sessionId"));
  const listed = async (query: string, directory = {}) => {
    const { json } = await call("GET", `/session${query}`, { headers: directory });
    return (at(json, "sessions") as readonly unknown[]).map((session) => at(session, "sessionId")).toSorted();
  };
  const projectId = at((await call("GET", "/project", { headers })).json, "projectId");
  expect(await listed("")).toEqual([here]);
  expect(await listed("", headers)).toEqual([there]);
  expect(await listed("?all=true")).toEqual([here, there].toSorted());
  expect(await listed(`?projectId=${projectId}`)).toEqual([there]);
  expect(await listed(`?all=true&projectId=${projectId}`)).toEqual([there]);
});

test("a place of work that is disposed of is opened anew", async () => {
  const { call, newSession, opened, project } = await open();
  const sessionId = await newSession();
  expect((await call("POST", "/instance/dispose")).status).toBe(200);
  expect((await call("POST", `/session/${sessionId}/prompt`, { body: { text: "hello" } })).status).toBe(200);
  expect(opened).toEqual([project, project]);
});

test("a session that nobody uses is given free for another process", async () => {
  const { newSession, server, advance, project, home, place } = await open();
  const sessionId = await newSession();
  const options = { project, userDirectory: join(place, "user"), homeDirectory: home, environment: {} };
  const other = await openAssembled({ ...options, interactive: false });
  const take = async () => (await other.door.send({ type: "session.resume", sessionId })).ok;
  try {
    await server.instances.sweep();
    expect(await take()).toBe(false);
    const [instance] = server.instances.list();
    const leave = instance?.use(sessionId);
    advance(sessionIdleMs);
    await server.instances.sweep();
    expect(await take()).toBe(false);
    leave?.();
    advance(sessionIdleMs);
    await server.instances.sweep();
    expect(await take()).toBe(true);
  } finally {
    await other.close();
  }
});

test("a session that works is kept, and so is its place of work", async () => {
  const held = Promise.withResolvers<void>();
  const { call, newSession, server, model, advance } = await open({
    script: [{ text: "Done.", holdUntil: held.promise }],
  });
  const sessionId = await newSession();
  expect((await call("POST", `/session/${sessionId}/prompt_async`, { body: { text: "one" } })).status).toBe(202);
  await model.waitForRequest(1);
  advance(instanceIdleMs);
  await server.instances.sweep();
  expect(server.instances.list().length).toBe(1);
  expect(at((await call("GET", "/session/status")).json, "sessions", sessionId)).toEqual({ state: "busy" });
  held.resolve();
});

test("a place of work without clients is released, and one with a client is not", async () => {
  const { call, server, advance } = await open();
  await call("GET", "/path");
  const [instance] = server.instances.list();
  const leave = instance?.enter();
  advance(instanceIdleMs);
  await server.instances.sweep();
  expect(server.instances.list().length).toBe(1);
  leave?.();
  await server.instances.sweep();
  expect(server.instances.list().length).toBe(1);
  advance(instanceIdleMs);
  await server.instances.sweep();
  expect(server.instances.list().length).toBe(0);
});

test("only so many places are open at once: the one unused for longest makes room, and none that is in use", async () => {
  const { project, place, home } = await open();
  const options = { project, userDirectory: join(place, "user"), homeDirectory: home, environment: {} };
  const kedge = await openAssembled({ ...options, interactive: false });
  let clock = 0;
  const instances = createInstances({
    ...{ directory: project, roots: [], now: () => clock, findProject },
    openPlace: async () => ({ ok: true, place: { ...placeOf(kedge), close: async () => undefined } }),
  });
  const find = async (name: string) => {
    mkdirSync(join(project, name), { recursive: true });
    const found = await instances.find(name);
    return found.ok ? found.instance : found.problem.status;
  };
  const names = Array.from({ length: placesMax }, (_, index) => `place-${index}`);
  const leaves = new Map<string, () => void>();
  try {
    for (const name of names) {
      clock += 10_000;
      const instance = await find(name);
      if (typeof instance === "object") leaves.set(name, instance.enter());
    }
    clock += 10_000;
    expect([await find("full"), instances.list().length]).toEqual([503, placesMax]);
    expect(typeof (await find("place-0"))).toBe("object");
    for (const name of ["place-7", "place-3"]) {
      leaves.get(name)?.();
      clock += 10_000;
    }
    expect(typeof (await find("more"))).toBe("object");
    const kept = ["more", ...names.filter((name) => name !== "place-7")];
    expect(
      instances
        .list()
        .map(({ directory }) => directory)
        .toSorted(),
    ).toEqual(kept.map((name) => join(project, name)).toSorted());
  } finally {
    await instances.close();
    await kedge.close();
  }
});

test("what cannot be opened says why, and is tried again", async () => {
  const { project } = await open();
  const failure = { code: "configuration", message: "The settings are wrong.", retryable: false } as const;
  let attempts = 0;
  const openPlace = async () => {
    attempts += 1;
    return { ok: false, failure } as const;
  };
  const instances = createInstances({ directory: project, roots: [], openPlace, now: () => 0, findProject });
  for (const _ of [1, 2]) {
    const found = await instances.find();
    expect(found.ok ? undefined : found.problem).toEqual({
      ...{ status: 422, code: "configuration", message: "The settings are wrong.", retryable: false },
    });
  }
  expect([attempts, instances.list()]).toEqual([2, []]);
});

test("a server that closes interrupts what runs and answers who waits for it", async () => {
  const { call, newSession, server, model } = await open({ script: [{ holdUntil: new Promise(() => {}) }] });
  const sessionId = await newSession();
  const waiting = call("POST", `/session/${sessionId}/prompt`, { body: { text: "one" } });
  await model.waitForRequest(1);
  await server.close();
  expect(at((await waiting).json, "result", "reason")).toBe("aborted");
});
