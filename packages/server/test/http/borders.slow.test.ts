/** What callers reach of other projects than that of their place of work, and of modes that they may not choose. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { at, openSite, type ServerSite } from "./server-site.ts";

let site: ServerSite;
/** Of the server's own project. */
let here = "";
/** Of another project. */
let there = "";
let elsewhere: { readonly "x-kedge-directory": string };

beforeAll(async () => {
  site = await openSite({
    script: [{ text: "Seagull." }],
    roots: (directory) => [join(directory, "others")],
  });
  const other = join(site.place, "others");
  mkdirSync(other);
  elsewhere = { "x-kedge-directory": other };
  here = await site.newSession();
  const made = await site.call("POST", "/session", { headers: elsewhere, body: {} });
  there = String(at(made.json, "sessionId"));
  const said = await site.call("POST", `/session/${there}/prompt`, { headers: elsewhere, body: { text: "albatross" } });
  expect(said.status).toBe(200);
});

afterAll(async () => {
  await site.close();
  expect(site.bugs).toEqual([]);
});

const codeOf = ({ status, json }: { readonly status: number; readonly json: unknown }) => [
  status,
  at(json, "error", "code"),
];

test("no command reaches a session of another project", async () => {
  for (const [method, path, body] of [
    ["PATCH", "", { title: "mine" }],
    ["DELETE", "", undefined],
    ["POST", "/fork", {}],
    ["POST", "/close", {}],
    ["POST", "/resume", {}],
    ["POST", "/prompt", { text: "hello" }],
  ] as const) {
    const answer = await site.call(method, `/session/${there}${path}`, { ...(body !== undefined && { body }) });
    expect([method, path, ...codeOf(answer)]).toEqual([method, path, 409, "other_project"]);
  }
  const update = { headers: elsewhere, body: { title: "mine" } };
  expect((await site.call("PATCH", `/session/${there}`, update)).status).toBe(200);
});

test("sessions of another project are read by those alone who may approve", async () => {
  const tokens = { read: site.tokenOf("read"), prompt: site.tokenOf("prompt"), approve: site.tokenOf("approve") };
  const reads = ["", "/message", "/fact", "/todo", "/verify", "/children", "/export?format=json", "/diff", "/cost"];
  for (const path of reads.map((read) => `/session/${there}${read}`)) {
    for (const token of [tokens.read, tokens.prompt]) {
      expect([path, ...codeOf(await site.call("GET", path, { token }))]).toEqual([path, 409, "other_project"]);
      expect([path, (await site.call("GET", path, { token, headers: elsewhere })).status]).toEqual([path, 200]);
    }
    expect([path, (await site.call("GET", path, { token: tokens.approve })).status]).toEqual([path, 200]);
  }
  const stream = await site.call("GET", `/event?session=${there}`, { token: tokens.prompt });
  expect(codeOf(stream)).toEqual([409, "other_project"]);
});

test("lists and searches of other projects are for those who may approve", async () => {
  const projectId = at((await site.call("GET", "/project", { headers: elsewhere })).json, "projectId");
  const listed = async (query: string, token: string) => {
    const { json } = await site.call("GET", `/session${query}`, { token });
    return (at(json, "sessions") as readonly unknown[]).map((session) => at(session, "sessionId")).toSorted();
  };
  const [prompt, approve] = [site.tokenOf("prompt"), site.tokenOf("approve")];
  for (const query of ["", "?all=true", `?projectId=${projectId}`, `?all=true&projectId=${projectId}`]) {
    expect([query, await listed(query, prompt)]).toEqual([query, [here]]);
  }
  expect(await listed("?all=true", approve)).toEqual([here, there].toSorted());
  expect(await listed(`?projectId=${projectId}`, approve)).toEqual([there]);
  const hits = async (token: string, query = "") =>
    (at((await site.call("GET", `/search?text=albatross${query}`, { token })).json, "hits") as readonly unknown[])
      .length;
  expect([await hits(prompt), await hits(prompt, `&projectId=${projectId}`), await hits(approve)]).toEqual([0, 0, 1]);
});

test("the streams of the whole process are for those who may approve", async () => {
  for (const path of ["/global/event", "/global/sync-event"]) {
    for (const scope of ["read", "prompt"] as const) {
      const answer = await site.call("GET", path, { token: site.tokenOf(scope) });
      expect([path, scope, ...codeOf(answer)]).toEqual([path, scope, 403, "scope"]);
    }
  }
});

test("a free mode is not had back by who may not choose it", async () => {
  const modeOf = async (id: string) => at((await site.call("GET", `/session/${id}`)).json, "session", "mode");
  const closed = async (mode: string) => {
    const id = await site.newSession({ mode });
    expect((await site.call("POST", `/session/${id}/close`)).status).toBe(200);
    return id;
  };
  const takeUp = {
    resume: (id: string, token: string) => site.call("POST", `/session/${id}/resume`, { token, body: {} }),
    // Needs an open session, and changes no mode by itself.
    inspect: (id: string, token: string) => site.call("GET", `/session/${id}/context`, { token }),
  };
  for (const take of [takeUp.resume, takeUp.inspect]) {
    for (const [scope, mode, got] of [
      ["prompt", "accept-edits", "default"],
      ["prompt", "bypass", "default"],
      ["prompt", "plan", "plan"],
      ["approve", "accept-edits", "accept-edits"],
    ] as const) {
      const id = await closed(mode);
      expect((await take(id, site.tokenOf(scope))).status).toBe(200);
      expect([scope, mode, await modeOf(id)]).toEqual([scope, mode, got]);
    }
  }
  const open = await site.newSession({ mode: "accept-edits" });
  expect((await takeUp.resume(open, site.tokenOf("prompt"))).status).toBe(200);
  expect(await modeOf(open)).toBe("accept-edits");
});
