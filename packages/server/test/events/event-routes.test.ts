/** What a request of a stream may ask for, and the form in which a stream answers. */
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { JournalRow } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBusyProvider, type EventSite, newFolder, openEventSite, removeFolder } from "./event-site.ts";
import { recordsIn } from "./folding-clients.ts";

const provider = createBusyProvider(createSeededRandom(), () => sleep(1));
let folder: string;
let site: EventSite;

beforeEach(async () => {
  folder = newFolder();
  site = await openEventSite({ folder, boot: "boot", provider });
});
afterEach(async () => {
  await site.close();
  removeFolder(folder);
});

/** The first messages of a stream, as they came. */
async function read(path: string, count: number, headers: { readonly [name: string]: string } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = get(
    `${site.url}${path}`,
    { headers: { "accept-encoding": "gzip", ...headers }, agent: false },
    resolve,
  );
  request.on("error", reject);
  const response = await promise;
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) {
    text += chunk;
    if (text.split("\n\n").length > count) break;
  }
  request.destroy();
  const messages = text.split("\n\n").slice(0, count);
  return { response, messages: messages.map((message) => message.split("\n")) };
}

const dataOf = (lines: readonly string[]) => JSON.parse(String(lines[1]).slice("data: ".length));

test("a stream is plain text with an id and one line of data for each frame", async () => {
  const { response, messages } = await read("/event", 1);
  expect(response.statusCode).toBe(200);
  expect(response.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  expect(response.headers["content-encoding"]).toBeUndefined();
  expect(messages[0]?.[0]).toBe(`id: 0-${site.hub.life}-0`);
  expect(dataOf(messages[0] ?? [])).toEqual({
    id: `0-${site.hub.life}-0`,
    type: "server.connected",
    directory: "/project",
    properties: { boot: site.hub.life },
  });
});

test("facts of one session come from a number on, over the process as well", async () => {
  const other = await site.open();
  const sessionId = await site.open();
  await site.run(sessionId, "Hello");
  const stored = (await recordsIn(site.store, sessionId)).slice(1, 3).map(({ seq }) => [sessionId, seq]);
  for (const path of ["/event", "/global/event"]) {
    const { messages } = await read(`${path}?session=${sessionId}&since=1`, 3);
    expect(
      messages
        .slice(1)
        .map(dataOf)
        .map(({ sessionId, seq }) => [sessionId, seq]),
    ).toEqual(stored);
  }
  expect(other).not.toBe(sessionId);
});

test("replicas get the rows as they are chained, from a position, a header or known numbers", async () => {
  const sessionId = await site.open();
  await site.run(sessionId, "Hello");
  const rows: JournalRow[] = [];
  for await (const row of site.store.rows(sessionId)) rows.push(row);
  const all = await read("/global/sync-event", rows.length + 1);
  expect(all.messages.slice(1).map(dataOf)).toEqual(
    rows.map((row, index) => ({ position: index + 1, sessionId, ...row })),
  );
  const after = async (path: string, headers?: { readonly [name: string]: string }) => {
    const { messages } = await read(path, 2, headers);
    return messages
      .slice(1)
      .map(dataOf)
      .map(({ seq }) => seq);
  };
  expect(await after("/global/sync-event?since=2")).toEqual([3]);
  expect(await after("/global/sync-event", { "last-event-id": "2" })).toEqual([3]);
  expect(await after(`/global/sync-event?since=${sessionId}:2`)).toEqual([3]);
});

test.each(["/event?after=nonsense", "/event?since=-1", "/event?view=other", "/global/sync-event?since=x"])(
  "%s is refused",
  async (path) => {
    const response = await fetch(`${site.url}${path}`);
    expect(response.status).toBe(400);
    await response.text();
  },
);
