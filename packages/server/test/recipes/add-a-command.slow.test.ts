/** Proves that a row and a handler are all that a new command needs: over HTTP, through the client and in process. */
import { createClient } from "@kedge/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { at, openSite, type ServerSite } from "../http/server-site.ts";
import { type PinCommand, pinHandlers, pinRows } from "./session-pin.ts";

let site: ServerSite;
let sessionId = "";

beforeAll(async () => {
  site = await openSite({ handlers: pinHandlers, serve: { commands: pinRows } });
  sessionId = await site.newSession();
  await site.call("PATCH", `/session/${sessionId}`, { body: { title: "Cart" } });
});

afterAll(() => site.close());

test("it has a route that checks its fields", async () => {
  const path = `/session/${sessionId}/pin`;
  expect((await site.call("PUT", path, { body: { isPinned: true } })).json).toEqual({ title: "* Cart" });
  const wrong = await site.call("PUT", path, { body: { isPinned: "yes", colour: "red" } });
  expect([wrong.status, at(wrong.json, "error", "message")]).toEqual([
    400,
    "Invalid request body: expected boolean at isPinned; unknown field colour.",
  ]);
});

test("its scope is checked", async () => {
  const denied = await site.call("PUT", `/session/${sessionId}/pin`, {
    token: site.tokenOf("read"),
    body: { isPinned: true },
  });
  expect(denied.status).toBe(403);
});

test("a session that is closed is resumed for it", async () => {
  await site.call("POST", `/session/${sessionId}/close`);
  const answer = await site.call("PUT", `/session/${sessionId}/pin`, { body: { isPinned: false } });
  expect(answer.json).toEqual({ title: "Cart" });
});

test("it stands in the document", async () => {
  const document = (await site.call("GET", "/doc")).json;
  expect(at(document, "paths", "/session/{sessionId}/pin", "put")).toMatchObject({
    operationId: "session.pin",
    "x-kedge-command": "session.pin",
    "x-kedge-scope": "prompt",
  });
});

test("both clients send it", async () => {
  const [inProcess] = site.clients;
  const overHttp = createClient({ ...site.server, commands: pinRows });
  const command: PinCommand = { type: "session.pin", sessionId, isPinned: true };
  for (const client of [overHttp, inProcess]) {
    // The types of the client know the commands of the protocol alone.
    const answer: unknown = await client?.send(command as never);
    expect(answer).toEqual({ ok: true, value: { title: "* Cart" } });
  }
});
