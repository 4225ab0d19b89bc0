/** Turns what a request carries into the fields of its row: from the path, and from the body or the query string. */
import {
  checkSchema,
  type Fields,
  isJsonObject,
  type Json,
  type JsonSchema,
  type Route,
  type SchemaProblem,
} from "@kedge/protocol";
import { schema } from "@kedge/protocol/rows";
import { ProblemError } from "./failure-status.ts";
import type { ServerContext } from "./server-environment.ts";

export type RouteInput = {
  readonly path: JsonSchema;
  /** Fields that neither the path names nor the body holds. */
  readonly query: JsonSchema;
  /** None for `GET` and `DELETE`. */
  readonly body?: JsonSchema;
};

/** Chooses the place of work and is no field of any row. */
const directoryParameter = "directory";

/** `queryNames`: fields that stand in the query string although the request has a body. */
export function inputOfRoute(route: Route, fields: Fields, queryNames: readonly string[] = []): RouteInput {
  const pathNames = pathFields(route.path);
  const hasBody = route.method !== "GET" && route.method !== "DELETE";
  const isInQuery = (name: string) => !hasBody || queryNames.includes(name);
  const those = (isWanted: (name: string) => boolean) =>
    schema.closed(Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name))));
  const isRest = (name: string) => !pathNames.includes(name);
  return {
    path: those((name) => pathNames.includes(name)),
    query: those((name) => isRest(name) && isInQuery(name)),
    ...(hasBody && { body: those((name) => isRest(name) && !isInQuery(name)) }),
  };
}

function pathFields(path: string): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
}

export function isEmpty({ properties = {} }: JsonSchema): boolean {
  return Object.keys(properties).length === 0;
}

/** All fields together, checked. */
export function readInput(
  context: ServerContext,
  { path, query, body }: RouteInput,
): { readonly [name: string]: unknown } {
  const isQueryRead = body === undefined || !isEmpty(query);
  return {
    ...checkedMembers(path, context.req.param(), "path"),
    ...(isQueryRead && checkedMembers(query, queryOf(context, query), "query")),
    ...(body !== undefined && checkedMembers(body, context.get("body"), "body")),
  };
}

function queryOf(context: ServerContext, { properties = {} }: JsonSchema): { readonly [name: string]: unknown } {
  const given = Object.entries(context.req.query()).filter(
    ([name]) => name !== directoryParameter || Object.hasOwn(properties, name),
  );
  return Object.fromEntries(given.map(([name, text]) => [name, fromText(properties[name], text)]));
}

/** Numbers and truth values come as text; what is neither stays text, and is refused by the schema. */
function fromText(wanted: JsonSchema | undefined, text: string): unknown {
  if (wanted?.type === "number" || wanted?.type === "integer") {
    const number = text.trim() === "" ? Number.NaN : Number(text);
    return Number.isFinite(number) ? number : text;
  }
  return wanted?.type === "boolean" ? (truthValues.get(text) ?? text) : text;
}

const truthValues: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** The members as they came, and the defaults of those that were left out. */
function checkedMembers(wanted: JsonSchema, value: unknown, place: string): { readonly [name: string]: unknown } {
  if (!isJsonObject(value)) throw badInput(`The ${place} must be a JSON object.`);
  check(wanted, value, place);
  return { ...defaultsOf(wanted), ...value };
}

function defaultsOf({ properties = {} }: JsonSchema): { readonly [name: string]: Json } {
  const given = Object.entries(properties).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(given);
}

const problemsShownMax = 5;
const problemCharactersMax = 300;

/** Throws a problem that says in one sentence what is wrong. */
export function check(wanted: JsonSchema, value: unknown, place: string): void {
  const problems = checkSchema(wanted, value, { hasOwnPatterns: true });
  if (problems.length === 0) return;
  throw badInput(`Invalid request ${place}: ${problems.slice(0, problemsShownMax).map(problemText).join("; ")}.`);
}

/** Names of fields come from the request and may be of any length. What was received is not repeated: it may be secret. */
function problemText({ path, expected }: SchemaProblem): string {
  const text =
    expected === "no such property"
      ? `unknown field ${path}`
      : `expected ${expected}${path === "" ? "" : ` at ${path}`}`;
  return text.length <= problemCharactersMax ? text : `${text.slice(0, problemCharactersMax - 1)}…`;
}

function badInput(message: string): ProblemError {
  const recovery = "See GET /doc.";
  return new ProblemError({ status: 400, code: "invalid_command", message, recovery });
}
