/** Event streams of a whole server: who hears what, that listening counts as being there, and how they end. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { MockScript } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { approverAbsentMsMax } from "../../src/places/approvers.ts";
import { scriptedAnswers } from "./scripted-answers.ts";
import { at, openSite, type ServerSite, type SiteOptions } from "./server-site.ts";

let site: ServerSite | undefined;
const leaving: AbortController[] = [];
const soon = { interval: 5 };

afterEach(async () => {
  for (const gone of leaving.splice(0)) gone.abort();
  const bugs = site?.bugs;
  await site?.close();
  site = undefined;
  expect(bugs ?? []).toEqual([]);
});

async function open(script: MockScript = scriptedAnswers, options: SiteOptions = {}): Promise<ServerSite> {
  site = await openSite({ script, ...options });
  return site;
}

type Stream = {
  /** The types of all frames so far. */
  readonly types: string[];
  /** With what it ended; undefined while it goes on. */
  ended?: "closed" | "broken";
  leave(): void;
};

async function listen({ server }: ServerSite, path: string, token = server.token): Promise<Stream> {
  const gone = new AbortController();
  leaving.push(gone);
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${server.url}${path}`, { headers, signal: gone.signal });
  expect([response.status, response.headers.get("content-type")?.split(";")[0]]).toEqual([200, "text/event-stream"]);
  const stream: Stream = { types: [], leave: () => gone.abort() };
  const read = async () => {
    let text = "";
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = `${text}${piece}`.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const line = block.split("\n").find((each) => each.startsWith("data: "));
        if (line !== undefined) stream.types.push(String(at(JSON.parse(line.slice("data: ".length)), "type")));
      }
    }
  };
  read().then(
    () => Object.assign(stream, { ended: "closed" }),
    () => Object.assign(stream, { ended: "broken" }),
  );
  await expect.poll(() => stream.types, soon).toContain("server.connected");
  return stream;
}

test("a place of work tells of its sessions, and the process of those of all places", async () => {
  const opened = await open(scriptedAnswers, { roots: (directory) => [join(directory, "others")] });
  const other = join(opened.place, "others");
  mkdirSync(other);
  const own = await listen(opened, "/event");
  const all = await listen(opened, "/global/event");
  const headers = { "x-kedge-directory": other };
  expect((await opened.call("POST", "/session", { body: {}, headers })).status).toBe(200);
  await expect.poll(() => all.types, soon).toContain("session.created");
  expect(own.types).not.toContain("session.created");
  await opened.newSession();
  await expect.poll(() => own.types, soon).toContain("session.created");
});

test("closing in the middle of a run ends it, its request and its streams", async () => {
  const opened = await open([{ text: "word ".repeat(500), stallAfterBytes: 1_500 }]);
  const { call, newSession, model, server } = opened;
  const streams = await Promise.all(
    ["/event", "/global/event", "/global/sync-event"].map((path) => listen(opened, path)),
  );
  const run = call("POST", `/session/${await newSession()}/prompt`, { body: { text: "go" } });
  await model.waitForRequest(1);
  await server.close();
  expect(at((await run).json, "result", "reason")).toBe("aborted");
  await expect.poll(() => streams.map(({ ended }) => ended), soon).toEqual(["closed", "closed", "closed"]);
  expect(streams.map(({ types }) => types.at(-1))).toEqual(Array(3).fill("server.instance.disposed"));
  await expect(call("GET", "/global/health")).rejects.toThrow();
});

test("a place of work that is disposed of says so to who listens", async () => {
  const opened = await open();
  const stream = await listen(opened, "/event");
  await opened.call("POST", "/instance/dispose");
  await expect.poll(() => stream.ended, soon).toBe("closed");
  expect(stream.types.at(-1)).toBe("server.instance.disposed");
  await listen(opened, "/global/event");
});

test.each(["/event", "/global/event"])("who may approve and listens to %s is waited for", async (path) => {
  const opened = await open();
  const { call, server, advance, tokenOf } = opened;
  const token = tokenOf("prompt");
  const stream = await listen(opened, path);
  await listen(opened, "/event", token);
  const created = await call("POST", "/session", { token, body: {} });
  const run = call("POST", `/session/${at(created.json, "sessionId")}/prompt`, { token, body: { text: "write it" } });
  const pending = async () => at((await call("GET", "/permission", { token })).json, "requests", 0, "requestId");
  await expect.poll(pending, soon).toBeTypeOf("string");
  advance(10 * approverAbsentMsMax);
  await server.instances.refuseUnattended();
  expect(await pending()).toBeTypeOf("string");
  stream.leave();
  // Being seen to leave takes a moment.
  const leave = async () => {
    advance(approverAbsentMsMax);
    await server.instances.refuseUnattended();
    return pending();
  };
  await expect.poll(leave, soon).toBeUndefined();
  expect(at((await run).json, "result", "reason")).toBe("completed");
});
