/** Every row of commands and queries over HTTP with fields that are missing, foreign or of another kind, and in each scope. */
import { type JsonSchema, routeOf, type Scope } from "@kedge/protocol";
import { commandRows, queryRows } from "@kedge/protocol/rows";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, at, openSite, type ServerSite } from "./server-site.ts";

type Row = (typeof commandRows)[keyof typeof commandRows] | (typeof queryRows)[keyof typeof queryRows];

const rows: readonly (readonly [type: string, row: Row])[] = [
  ...Object.entries(commandRows),
  ...Object.entries(queryRows),
];

let site: ServerSite;
let sessionId = "";

beforeAll(async () => {
  site = await openSite();
  sessionId = await site.newSession();
});

afterAll(async () => {
  await site.close();
  expect(site.bugs).toEqual([]);
});

type Field = { readonly name: string; readonly schema: JsonSchema; readonly isRequired: boolean };

function fieldsOf(row: Row): readonly Field[] {
  return Object.entries(row.fields).map(([name, member]: [string, JsonSchema | { optional: JsonSchema }]) => {
    const isOptional = "optional" in member;
    // A row has schemas, and schemas in the place of members that may be absent.
    const schema = (isOptional ? member.optional : member) as JsonSchema;
    return { name, schema, isRequired: !isOptional && schema.default === undefined };
  });
}

/** Something that fits, as far as a schema tells. */
function fitting(name: string, schema: JsonSchema): unknown {
  if (name === "sessionId") return sessionId;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return fitting("", schema.anyOf[0] ?? {});
  switch (schema.type) {
    case "string":
      return schema.pattern?.startsWith("^prm") ? "prm_1" : schema.pattern?.startsWith("^[a-z]") ? "stp_1" : "x";
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, fitting(key, schema.properties?.[key] ?? {})]),
      );
    default:
      return "x";
  }
}

const inAddress = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

type Values = { readonly [name: string]: unknown };

const fittingAll = (row: Row): Values =>
  Object.fromEntries(
    fieldsOf(row).flatMap(({ name, schema, isRequired }) => (isRequired ? [[name, fitting(name, schema)]] : [])),
  );

function send(
  row: Row,
  values: Values,
  given: { readonly token?: string; readonly text?: string } = {},
): Promise<Answer> {
  const { method, path } = routeOf(row);
  const rest = { ...values };
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(inAddress(value ?? "x"));
  });
  if (method === "GET" || method === "DELETE") {
    const query = new URLSearchParams(
      Object.entries(rest).map(([name, value]): [string, string] => [name, inAddress(value)]),
    ).toString();
    return site.call(method, query === "" ? filled : `${filled}?${query}`, given);
  }
  return site.call(method, filled, given.text === undefined ? { ...given, body: rest } : given);
}

/** Refused with one sentence for a person, and the server is as well as before. */
async function expectRefused(what: string, answer: Answer, ...statuses: readonly number[]): Promise<void> {
  const message = String(at(answer.json, "error", "message"));
  expect([what, answer.status, message]).toEqual([
    what,
    expect.toBeOneOf([...statuses]),
    expect.stringMatching(/^[^\n]{1,400}\.$/),
  ]);
}

/** Values of every other kind than the one that is wanted. */
function wrongFor({ type, anyOf }: JsonSchema): readonly unknown[] {
  if (type === undefined && anyOf === undefined) return [];
  const kinds: readonly (readonly [string, unknown])[] = [
    ["null", null],
    ["number", 7.5],
    ["boolean", true],
    ["string", "no such word"],
    ["array", [[]]],
    ["object", { nothing: {} }],
  ];
  return kinds.flatMap(([kind, value]) => (kind === type ? [] : [value]));
}

test.each(rows)("%s refuses what does not fit", async (type, row) => {
  const good = fittingAll(row);
  const { method, path } = routeOf(row);
  const isInPath = (name: string) => path.includes(`:${name}`);
  const isText = method === "GET" || method === "DELETE";
  for (const { name, schema, isRequired } of fieldsOf(row)) {
    if (isRequired && !isInPath(name)) {
      const { [name]: _, ...rest } = good;
      // The session of a question is found by the question where nobody names it.
      await expectRefused(
        `${type} without ${name}`,
        await send(row, rest),
        400,
        ...(name === "sessionId" ? [404] : []),
      );
    }
    for (const value of wrongFor(schema)) {
      const isWords = schema.enum !== undefined || schema.const !== undefined || schema.pattern !== undefined;
      // In an address everything is a text, and some texts are numbers and flags.
      if (isText || isInPath(name)) {
        if (schema.type === "string" && !isWords) continue;
        if (typeof value === schema.type || (schema.type === "integer" && value === 7)) continue;
      }
      if (isInPath(name) && isWords && /^\^\[A-Za-z0-9/.test(schema.pattern ?? "")) continue;
      await expectRefused(
        `${type} ${name}=${JSON.stringify(value)}`,
        await send(row, { ...good, [name]: value }),
        400,
        404,
      );
    }
  }
  await expectRefused(`${type} with more`, await send(row, { ...good, evenMore: 1 }), 400);
  if (!isText) {
    for (const trap of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"]) {
      const text = `${JSON.stringify(good).slice(0, -1)}${Object.keys(good).length === 0 ? "" : ","}${JSON.stringify(trap)}:{"isAdmin":true}}`;
      await expectRefused(`${type} ${trap}`, await send(row, good, { text }), 400);
    }
    for (const text of ["", "null", "[]", "7", '"x"', "{", `{"a":`]) {
      const answer = await send(row, good, { text });
      expect([type, text, answer.status < 500]).toEqual([type, text, true]);
    }
  }
  expect(({} as { isAdmin?: true }).isAdmin).toBeUndefined();
  expect((await site.call("GET", "/global/health")).status).toBe(200);
});

const spellings = (id: string) => [
  ...[id.toUpperCase(), ` ${id}`, `${id} `, `${id}/`, `${id}/../${id}`, `${id}\u0000`, `./${id}`, `${id}\u0301`],
  ...[id.replace("ses_", "ses-"), `ses_${id}`, `${id}%20`, id.replace("s", "\uff53"), "__proto__", "ses_"],
];

const ends: ReadonlySet<string> = new Set(["session.close", "shell.abort", "task.list"]);

test("a session is found under its own id alone, whatever the command", async () => {
  for (const [type, row] of rows) {
    if (!("sessionId" in row.fields)) continue;
    for (const spelled of spellings(sessionId)) {
      const answer = await send(row, { ...fittingAll(row), sessionId: spelled });
      // To end what does not exist is done at once.
      if (spelled === `ses_${sessionId}` && ends.has(type)) expect(answer.status).toBe(200);
      else await expectRefused(`${type} of ${JSON.stringify(spelled)}`, answer, 400, 404);
    }
  }
  expect((await site.call("GET", `/session/${sessionId}`)).status).toBe(200);
});

const order: readonly Scope[] = ["read", "prompt", "approve", "admin"];

test("a credential of less than the scope of a row is refused before anything is sent", async () => {
  const tokens = new Map(order.map((scope) => [scope, site.tokenOf(scope)]));
  for (const [type, row] of rows) {
    for (const scope of order.slice(0, order.indexOf(row.scope))) {
      const before = site.sent.length;
      const answer = await send(row, fittingAll(row), { token: tokens.get(scope) ?? "" });
      expect([type, scope, answer.status, at(answer.json, "error", "code")]).toEqual([type, scope, 403, "scope"]);
      expect(site.sent.length).toBe(before);
    }
  }
});
