/** Turns what a request carries into the fields of a command or query: from the path, and from the body or the query. */
import { z } from "@hono/zod-openapi";
import { isJsonObject, type Route } from "@kedge/protocol";
import { ProblemError } from "./failure-status.ts";
import type { ServerContext } from "./server-environment.ts";

export type RouteInput = {
  readonly params: z.ZodObject;
  /** Fields that the path does not name: in the query for `GET` and `DELETE`, otherwise in the body. */
  readonly rest: z.ZodObject;
  readonly isInQuery: boolean;
};

/** Chooses the place of work and is no field of any command or query. */
const directoryParameter = "directory";

export function inputOfRoute(route: Route, fields: z.ZodObject): RouteInput {
  const inPath = new Set(pathFields(route.path));
  const members = Object.entries(fields.shape);
  return {
    params: z.strictObject(Object.fromEntries(members.filter(([name]) => inPath.has(name)))),
    rest: z.strictObject(Object.fromEntries(members.filter(([name]) => !inPath.has(name)))),
    isInQuery: route.method === "GET" || route.method === "DELETE",
  };
}

export function pathFields(path: string): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
}

/** All fields together, checked. */
export function readInput(context: ServerContext, input: RouteInput): { readonly [name: string]: unknown } {
  return {
    ...checked(input.params, context.req.param(), "path"),
    ...(input.isInQuery ? readQuery(context, input.rest) : checked(input.rest, context.get("body"), "body")),
  };
}

export function readQuery<Schema extends z.ZodObject>(context: ServerContext, schema: Schema): z.output<Schema> {
  const given = Object.entries(context.req.query()).filter(
    ([name]) => name !== directoryParameter || Object.hasOwn(schema.shape, name),
  );
  return checked(
    schema,
    Object.fromEntries(given.map(([name, text]) => [name, fromText(schema, name, text)])),
    "query",
  );
}

/** Numbers and truth values come as text; what is neither stays text, and is refused by the schema. */
function fromText(schema: z.ZodObject, name: string, text: string): unknown {
  const wanted = withoutOptional(schema.shape[name]);
  if (wanted instanceof z.ZodNumber) return text.trim() === "" ? text : Number(text);
  if (wanted instanceof z.ZodBoolean) return truthValues.get(text) ?? text;
  return text;
}

const truthValues: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

function withoutOptional(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? withoutOptional(schema.unwrap()) : schema;
}

const problemsShownMax = 5;
const problemCharactersMax = 300;
const messageCharactersMax = 2000;

export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, place: string): z.output<Schema> {
  if (place === "body" && !isJsonObject(value)) throw badInput("The body must be a JSON object.");
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, problemsShownMax).map(({ path, message }) => {
    const problem = cut(message, problemCharactersMax);
    return path.length === 0 ? problem : `${path.join(".")}: ${problem}`;
  });
  const message = `The ${place} of the request is not as it must be. ${problems.join("; ")}.`;
  throw badInput(cut(message, messageCharactersMax));
}

/** Names of fields come from the request and may be of any length. */
function cut(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1)}…`;
}

function badInput(message: string): ProblemError {
  const recovery = "GET /doc describes every request.";
  return new ProblemError({ status: 400, code: "invalid_command", message, recovery });
}
