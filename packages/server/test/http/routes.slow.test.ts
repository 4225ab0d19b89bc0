/** Calls every route of the document on a real server, and holds each answer to the document. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandType, type RouteText, routeOf } from "@kedge/protocol";
import { commandRows, cookieRow, pairRow, promptRunRow, queryRows, readRows } from "@kedge/protocol/rows";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scriptedAnswers } from "./scripted-answers.ts";
import { at, openSite, type ServerSite } from "./server-site.ts";

/** Streams have no JSON to check, and tests of their own. */
type Row = { readonly route: RouteText };

const streams: readonly Row[] = [readRows.events, readRows.processEvents, readRows.replication];

let site: ServerSite;
let document: unknown;
let ajv: Ajv2020;
const called = new Set<string>();

beforeAll(async () => {
  const mcp = { off: { command: "false", enabled: false } };
  site = await openSite({ script: scriptedAnswers, settings: { mcp } });
  writeFileSync(join(site.project, "notes.txt"), "a needle in it\n");
  document = (await site.call("GET", "/doc")).json;
  ajv = new Ajv2020({ strict: false });
  ajv.addSchema(document as object, "document");
});

afterAll(() => site.close());

function nameOf(row: Row): string {
  const { method, path } = routeOf(row);
  return `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`;
}

function operations(): readonly { readonly name: string; readonly path: string; readonly operation: unknown }[] {
  const paths = Object.entries(at(document, "paths") as object);
  return paths.flatMap(([path, methods]: [string, object]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      operation,
    })),
  );
}

type Wanted = { readonly body?: unknown; readonly query?: string; readonly status?: number };

/** Carries the call out and checks its answer against the schema of its status. */
async function check(row: Row, fields: { readonly [name: string]: string }, wanted: Wanted = {}): Promise<unknown> {
  const { body, query = "", status = 200 } = wanted;
  const route = routeOf(row);
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(fields[name] ?? ""));
  const before = site.sent.length;
  const answer = await site.call(route.method, `${path}${query}`, { ...(body !== undefined && { body }) });
  expect({
    route: nameOf(row),
    status: answer.status,
    ...(answer.status !== status && { text: answer.text }),
  }).toEqual({ route: nameOf(row), status });
  called.add(nameOf(row));
  expect([nameOf(row), ...site.sent.slice(before).filter(isNoPreparation)]).toEqual([nameOf(row), ...commandsOf(row)]);
  const steps = ["paths", route.path.replaceAll(/:(\w+)/g, "{$1}"), route.method.toLowerCase(), "responses"];
  const described = at(document, ...steps, status) === undefined ? `${Math.floor(status / 100)}XX` : String(status);
  const pointer = [...steps, described, "content", "application/json", "schema"]
    .map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
  const isValid = ajv.compile({ $ref: `document#/${pointer}` });
  expect({ route: nameOf(row), valid: isValid(answer.json), errors: isValid.errors }).toEqual({
    route: nameOf(row),
    valid: true,
    errors: null,
  });
  return answer.json;
}

/** Taken up before, or closed before it is deleted; as commands of their own they are looked at by their routes. */
function isNoPreparation(type: CommandType): boolean {
  return type !== "session.resume" && type !== "session.close";
}

/** What must have reached the place of work: the one command of the route, but for those that the server answers. */
function commandsOf(row: Row): readonly unknown[] {
  const { method, path } = routeOf(row);
  const place = ["paths", path.replaceAll(/:(\w+)/g, "{$1}"), method.toLowerCase(), "x-kedge-command"];
  const command = at(document, ...place);
  const ofDevices = ["pairing.issue", "device.rename", "device.revoke", "push.subscribe", "push.unsubscribe"];
  const ofServer = ["ticket.issue", "code.issue", "instance.dispose", ...ofDevices];
  const isElsewhere = [...ofServer, "session.resume", "session.close"].includes(String(command));
  return command === undefined || isElsewhere ? [] : [command];
}

test("every command, every query and every reading has a route in the document", () => {
  const wanted = [...Object.values(commandRows), ...Object.values(queryRows), ...Object.values(readRows), promptRunRow];
  const described = new Set(operations().map(({ name }) => name));
  const missing = wanted
    .filter((route) => !streams.includes(route))
    .map(nameOf)
    .filter((name) => !described.has(name));
  expect(missing).toEqual([]);
});

test("every route that changes something is one command, and of the commands only looking at the context reads", () => {
  const commands = new Set<string>(Object.keys(commandRows));
  // A browser or device that hands in its code is nobody yet for whom a command could be carried out.
  const all = operations().filter(({ name }) => name !== nameOf(cookieRow) && name !== nameOf(pairRow));
  const wrong = all.filter(({ name, operation }) => {
    const command = at(operation, "x-kedge-command");
    return name.startsWith("GET ")
      ? command !== undefined && command !== "context.inspect"
      : typeof command !== "string" || !commands.has(command);
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test("reading and searching", async () => {
  const sessionId = await site.newSession();
  const ended = await check(promptRunRow, { sessionId }, { body: { text: "find the needle" } });
  expect(at(ended, "result", "reason")).toBe("completed");
  const messageId = String(at(ended, "message", "id"));
  const of = { sessionId, messageId };
  for (const route of [readRows.children, readRows.messages, readRows.todos, readRows.facts, readRows.verify]) {
    await check(route, of);
  }
  for (const type of ["session.read", "session.diff", "session.cost", "message.read"] as const) {
    await check(queryRows[type], of);
  }
  for (const type of [
    ...(["session.status", "permission.list", "question.list", "rule.list", "project.read", "path.read"] as const),
    ...(["vcs.read", "vcs.diff", "provider.list", "command.list", "tool.list", "file.status"] as const),
    ...(["lsp.list", "formatter.list", "mcp.list", "memory.inbox"] as const),
    ...(["agent.list", "agent.definitions"] as const),
    ...(["task.list", "log.read", "config.read", "pty.list", "server.find", "usage.read", "doctor.run"] as const),
  ]) {
    await check(queryRows[type], {});
  }
  await check(queryRows["session.export"], of, { query: "?format=md&withoutReasoning=1" });
  await check(queryRows["file.read"], {}, { query: "?path=notes.txt" });
  await check(queryRows["file.list"], {}, { query: "?path=." });
  await check(queryRows["text.find"], {}, { query: "?pattern=needle&limit=5" });
  await check(queryRows["file.find"], {}, { query: "?text=notes" });
  await check(queryRows["symbol.find"], {}, { query: "?text=total" });
  await check(queryRows["resource.find"], {}, { query: "?text=guide" });
  expect(at(await check(queryRows["mcp.read"], { name: "off" }), "log")).toBe("");
  await check(queryRows["usage.read"], {}, { query: "?days=7" });
  await check(queryRows["usage.read"], {}, { query: "?days=0", status: 400 });
  await check(queryRows["task.read"], { taskId: "job_1" }, { query: `?sessionId=${sessionId}`, status: 404 });
  await check(readRows.sessions, {}, { query: "?limit=1&isArchived=false" });
  await check(readRows.search, {}, { query: "?text=needle" });
  for (const row of [readRows.process, readRows.health, readRows.document]) await check(row, {});
});

test("commands of a session", async () => {
  const created = await check(commandRows["session.create"], {}, { body: { mode: "default" } });
  const sessionId = String(at(created, "sessionId"));
  const of = { sessionId };
  const chosen = { sessionId: "ses_chosenbyaclient" };
  expect(await check(commandRows["session.create"], {}, { body: chosen })).toEqual(chosen);
  await check(commandRows["session.create"], {}, { body: chosen, status: 400 });
  await check(commandRows["session.resume"], of, { body: {} });
  const first = await check(promptRunRow, of, { body: { text: "hello", delivery: "follow-up" } });
  const promptId = String(at(first, "promptId"));
  await check(commandRows["session.update"], of, { body: { title: "A title", isArchived: false } });
  await check(commandRows["message.add"], of, { body: { text: "by the way" } });
  const { messages } = (await site.call("GET", `/session/${sessionId}/message`)).json as {
    readonly messages: readonly { readonly id: string }[];
  };
  await check(commandRows["message.remove"], { sessionId, messageId: messages.at(-1)?.id ?? "" });
  await check(commandRows["context.inspect"], of);
  await check(commandRows["context.shake"], of, { body: {} });
  await check(commandRows["context.compact"], of, { body: { instructions: "short" }, status: 400 });
  await check(commandRows["mode.change"], of, { body: { mode: "plan" } });
  await check(commandRows["model.change"], of, { body: { model: "mock/mock-model" } });
  await check(commandRows["grants.replace"], of, { body: { grants: [] } });
  await check(commandRows["checkpoint.discard"], of, { status: 404 });
  await check(commandRows["entry.label"], { sessionId, entryId: promptId }, { body: { label: "here" } });
  await check(commandRows["leaf.move"], of, { body: { summary: "none" } });
  await check(commandRows["session.fork"], of, { body: { entryId: promptId } });
  await check(commandRows["turn.interrupt"], of);
  await check(commandRows["retry.hasten"], of, { status: 404 });
  await check(commandRows["run.continue"], of, { status: 404 });
  await check(commandRows["command.run"], of, { body: { name: "help" } });
  await check(commandRows["shell.run"], of, { body: { command: "echo words" } });
  await check(commandRows["shell.abort"], of);
  await check(commandRows["prompt.revise"], { sessionId, promptId }, { body: { text: "other" }, status: 404 });
  await check(commandRows["prompt.withdraw"], { sessionId, promptId }, { status: 404 });
  await check(promptRunRow, of, { body: { text: "hello again" } });
  await check(commandRows["session.handoff"], of, { body: { focus: "the rest" } });
  await check(commandRows["session.summarise"], of);
  await check(commandRows["session.close"], of);
  await check(commandRows["session.delete"], of);
  await check(queryRows["session.read"], of, { status: 404 });
});

test("undoing and redoing", async () => {
  const sessionId = await site.newSession({ mode: "bypass" });
  const of = { sessionId };
  const ended = await check(promptRunRow, of, { body: { text: "write it" } });
  const { messages } = (await site.call("GET", `/session/${sessionId}/message`)).json as {
    readonly messages: readonly { readonly id: string; readonly role: string }[];
  };
  expect(at(ended, "result", "reason")).toBe("completed");
  await check(commandRows["session.undo"], of, { body: { evenIfChanged: true } });
  await check(commandRows["session.redo"], of, { body: {} });
  const messageId = messages.find(({ role }) => role === "user")?.id;
  await check(commandRows["session.revert"], of, { body: { messageId } });
  await check(commandRows["session.unrevert"], of);
});

test("answers to what a session asks", async () => {
  const sessionId = await site.newSession();
  await check(commandRows["prompt.submit"], { sessionId }, { body: { text: "write another" }, status: 202 });
  const requestId = await site.waitFor("/permission", "requests", 0, "requestId");
  await check(queryRows["permission.list"], {});
  await check(commandRows["permission.answer"], { requestId }, { body: { reply: "once" } });
  await site.waitFor(`/session/${sessionId}`, "session", "leafId");
  const other = await site.newSession();
  await check(commandRows["prompt.submit"], { sessionId: other }, { body: { text: "ask me" }, status: 202 });
  const asked = await site.waitFor("/question", "requests", 0, "requestId");
  await check(queryRows["question.list"], {});
  await check(commandRows["question.answer"], { requestId: asked }, { body: { answers: ["left"] } });
});

test("commands of the place of work", async () => {
  const sessionId = await site.newSession();
  const rule = { permission: "bash", pattern: "echo *", action: "allow" };
  const added = await check(commandRows["rule.add"], {}, { body: { rule, sessionId } });
  await check(queryRows["rule.list"], {});
  await check(commandRows["rule.remove"], { ruleId: String(at(added, "ruleId")) });
  await check(commandRows["credential.set"], { providerId: "anthropic" }, { body: { key: "secret-key-of-a-test" } });
  await check(commandRows["credential.remove"], { providerId: "anthropic" });
  await check(commandRows["credential.check"], { providerId: "mock" }, { body: {} });
  await check(commandRows["login.begin"], { providerId: "gitlab" }, { body: { method: "device" }, status: 400 });
  await check(commandRows["login.finish"], { loginId: "login_none" }, { status: 404 });
  await check(commandRows["login.cancel"], { loginId: "login_none" }, { status: 404 });
  await check(commandRows["credential.check"], { providerId: "nobody" }, { body: { key: "a-key" }, status: 404 });
  const name = "clock";
  await check(commandRows["mcp.add"], {}, { body: { name, server: { command: "false" } } });
  expect(at(await check(commandRows["mcp.connect"], { name }), "state")).toBe("failed");
  await check(commandRows["mcp.accept"], { name });
  expect(at(await check(commandRows["mcp.authorise"], { name }), "text")).toContain("clock");
  await check(commandRows["mcp.disconnect"], { name });
  await check(commandRows["mcp.remove"], { name });
  await check(commandRows["mcp.approve"], { name }, { status: 404 });
  await check(commandRows["ticket.issue"], {});
  await check(commandRows["code.issue"], {});
  const deviceId = "dev_0000000000000000";
  const subscription = { endpoint: "https://push.example/x", p256dh: "A".repeat(87), auth: "A".repeat(22) };
  await check(queryRows["device.list"], {});
  await check(commandRows["pairing.issue"], {}, { body: {}, status: 400 });
  await check(commandRows["device.rename"], { deviceId }, { body: { name: "x" }, status: 404 });
  await check(commandRows["device.revoke"], { deviceId }, { status: 404 });
  await check(commandRows["push.subscribe"], {}, { body: subscription, status: 400 });
  await check(commandRows["push.unsubscribe"], {}, { status: 400 });
  await check(commandRows["log.write"], {}, { body: { level: "info", text: "a line" } });
  await check(commandRows["task.stop"], { taskId: "job_1" }, { body: { sessionId }, status: 404 });
  const agentId = "ses_0000000000nobody";
  const order = { agent: "nobody", prompt: "Look.", description: "Look" };
  await check(commandRows["agent.start"], { sessionId }, { body: order, status: 400 });
  await check(commandRows["agent.message"], { agentId }, { body: { text: "Hello." }, status: 404 });
  await check(commandRows["agent.revive"], { agentId }, { body: {}, status: 404 });
  await check(commandRows["agent.interrupt"], { agentId }, { status: 404 });
  await check(commandRows["agent.kill"], { agentId }, { status: 404 });
  await check(queryRows["agent.read"], { agentId }, { status: 404 });
  await check(queryRows["collab.status"], { sessionId });
  await check(commandRows["collab.start"], { sessionId }, { body: {}, status: 400 });
  await check(commandRows["collab.rotate"], { sessionId }, { status: 400 });
  await check(commandRows["collab.kick"], { sessionId, guest: "1" }, { status: 400 });
  await check(commandRows["collab.rights"], { sessionId, guest: "1" }, { body: { rights: "full" }, status: 404 });
  await check(commandRows["collab.stop"], { sessionId });
  await check(queryRows["share.list"], {});
  await check(commandRows["share.create"], { sessionId }, { body: {}, status: 400 });
  await check(commandRows["share.revoke"], { shareId: "none" }, { status: 400 });
  const setting = { layer: "user", key: "titles.enabled", value: false };
  await check(commandRows["config.set"], {}, { body: setting });
  await check({ route: "PUT /config" }, {}, { body: setting });
  await check(commandRows["config.reload"], {});
  const terminal = await check(commandRows["pty.open"], {}, { body: { command: "cat", columns: 40 } });
  const ptyId = String(at(terminal, "ptyId"));
  await check(queryRows["pty.list"], {});
  await check(queryRows["pty.read"], { ptyId });
  await check(commandRows["pty.close"], { ptyId });
  await check(commandRows["instance.dispose"], {});
});

test("no documented route was left out, and nothing went wrong inside the server", () => {
  const all = operations()
    .map(({ name }) => name)
    // Cookie and pairing have tests of their own too.
    .filter((name) => ![...streams, cookieRow, pairRow].map(nameOf).includes(name));
  expect(all.filter((name) => !called.has(name))).toEqual([]);
  expect(site.bugs).toEqual([]);
});
