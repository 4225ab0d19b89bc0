/** Who waits for an approval, and for how long: nobody waits for somebody who does not exist. */
import type { Scope } from "@kedge/protocol";
import { afterEach, expect, test } from "vitest";
import { approverAbsentMsMax, createApprovers } from "../../src/places/approvers.ts";
import { scriptedAnswers } from "./scripted-answers.ts";
import { at, openSite, type ServerSite } from "./server-site.ts";

let site: ServerSite | undefined;

afterEach(async () => {
  const bugs = site?.bugs;
  await site?.close();
  site = undefined;
  expect(bugs ?? []).toEqual([]);
});

/** A run of a caller who may not approve, which waits for a permission. */
async function openWaiting() {
  const opened = await openSite({ script: scriptedAnswers });
  site = opened;
  const token = opened.tokenOf("prompt");
  const created = await opened.call("POST", "/session", { token, body: {} });
  const path = `/session/${at(created.json, "sessionId")}`;
  const run = opened.call("POST", `${path}/prompt`, { token, body: { text: "write it" } });
  const pending = async () => at((await opened.call("GET", "/permission", { token })).json, "requests", 0, "requestId");
  await expect.poll(pending, { interval: 5 }).toBeTypeOf("string");
  return { ...opened, token, path, run, pending };
}

test("a run of somebody who may not approve ends by itself, and the model learns who could", async () => {
  const { advance, server, run, path, call, pending, token } = await openWaiting();
  const requestId = await pending();
  await server.instances.refuseUnattended();
  expect(await pending()).toBe(requestId);
  advance(approverAbsentMsMax);
  const { status, json } = await run;
  expect([status, at(json, "result", "reason")]).toEqual([200, "completed"]);
  const { facts } = (await call("GET", `${path}/fact`, { token })).json as { readonly facts: readonly unknown[] };
  const ofType = (type: string) =>
    facts.map((record) => at(record, "fact")).filter((fact) => at(fact, "type") === type);
  expect(ofType("permission.answered")).toMatchObject([{ requestId, reply: "reject", source: "timeout", grants: [] }]);
  const [ended] = ofType("tool.ended");
  expect(at(ended, "output")).toMatch(/^No connected client may approve\..*scope approve or admin/);
  expect(at(ofType("run.ended")[0], "denials")).toHaveLength(1);
  const late = await call("POST", `/permission/${requestId}`, { body: { reply: "once" } });
  expect([late.status, at(late.json, "error", "code")]).toEqual([409, "already_answered"]);
});

test("somebody who may approve and calls now and then is waited for", async () => {
  const { advance, server, call, run, pending } = await openWaiting();
  const requestId = await pending();
  for (let minute = 0; minute < 10; minute++) {
    await call("GET", "/permission", { token: site?.tokenOf("approve") ?? "" });
    advance(approverAbsentMsMax - 1);
    await server.instances.refuseUnattended();
  }
  expect(await pending()).toBe(requestId);
  expect((await call("POST", `/permission/${requestId}`, { body: { reply: "once" } })).status).toBe(200);
  expect(at((await run).json, "result", "reason")).toBe("completed");
});

test("who waits for the end of a run that he may approve is there as long as he waits", async () => {
  const opened = await openSite({ script: scriptedAnswers });
  site = opened;
  const { call, newSession, waitFor, server, advance } = opened;
  const run = call("POST", `/session/${await newSession()}/prompt`, { body: { text: "write it" } });
  const requestId = await waitFor("/permission", "requests", 0, "requestId");
  advance(100 * approverAbsentMsMax);
  await server.instances.refuseUnattended();
  expect((await call("POST", `/permission/${requestId}`, { body: { reply: "once" } })).status).toBe(200);
  await run;
});

test("whoever listens to all places of work may answer in each", async () => {
  const { advance, server, run, pending } = await openWaiting();
  const leave = server.instances.approvers.enter({ scope: "approve" });
  advance(100 * approverAbsentMsMax);
  await server.instances.refuseUnattended();
  expect(await pending()).toBeTypeOf("string");
  leave();
  leave();
  await server.instances.refuseUnattended();
  expect(await pending()).toBeTypeOf("string");
  advance(approverAbsentMsMax);
  await run;
});

test.each<[Scope, number]>([
  ["read", 5],
  ["prompt", 5],
  ["approve", 0],
  ["admin", 0],
])("of callers of the scope %s it is known how long they are away", (scope, absentMs) => {
  let clock = 0;
  const approvers = createApprovers(() => clock);
  approvers.enter({ scope });
  clock = 5;
  expect(approvers.absentMs()).toBe(absentMs);
});
