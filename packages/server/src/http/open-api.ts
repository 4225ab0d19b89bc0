/** The OpenAPI document of the server, made of the same schemas that check its requests. */
import { headerNames, type JsonSchema, protocolVersion, type Route, type Scope } from "@kedge/protocol";
import { isEmpty, type RouteInput } from "./route-input.ts";

export type DescribedRoute = {
  readonly route: Route;
  readonly operationId: string;
  readonly summary: string;
  readonly input: RouteInput;
  /** None for an answer without a body. */
  readonly answer?: JsonSchema;
  /** The one command that a state-changing route carries out, and the least scope that it needs. */
  readonly command?: { readonly type: string; readonly scope: Scope };
  /** About the server process, and no place of work. */
  readonly isOfProcess?: true;
  /** Open to those without a credential too. */
  readonly isOpenToAll?: true;
  readonly status?: 200 | 202 | 204;
  /** Media types that the answer can have instead of JSON. */
  readonly otherTypes?: readonly string[];
};

type Written = { readonly [key: string]: unknown };

const credentialScheme = "credential";

const problem: JsonSchema = {
  title: "Problem",
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { type: "string" },
        message: { type: "string" },
        recovery: { type: "string" },
        retryable: { type: "boolean" },
      },
      required: ["code", "message"],
    },
  },
  required: ["error"],
};

export function openApiDocument(routes: readonly DescribedRoute[]): Written {
  const schemas: { [name: string]: Written } = {};
  const paths: { [path: string]: { [method: string]: Written } } = {};
  for (const described of routes) {
    const { method, path } = described.route;
    const place = path.replaceAll(/:(\w+)/g, "{$1}");
    const operation = operationOf(described, (schema) => written(schema, schemas));
    paths[place] = { ...paths[place], [method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.0",
    info: { title: "kedge", version: protocolVersion },
    components: { schemas, securitySchemes: { [credentialScheme]: { type: "http", scheme: "bearer" } } },
    paths,
  };
}

/** Schemas with a name stand once in the document, and everywhere else as a reference. */
function written(schema: JsonSchema, schemas: { [name: string]: Written }): Written {
  const { title, default: fallback, ...rest } = schema;
  if (title === undefined) return { ...inner(rest, schemas), ...(fallback !== undefined && { default: fallback }) };
  schemas[title] ??= inner(rest, schemas);
  const reference = { $ref: `#/components/schemas/${title}` };
  return fallback === undefined ? reference : { ...reference, default: fallback };
}

function inner(schema: JsonSchema, schemas: { [name: string]: Written }): Written {
  const { properties, items, anyOf, additionalProperties: rest } = schema;
  const write = (each: JsonSchema) => written(each, schemas);
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, write(each)])),
    }),
    ...(items !== undefined && { items: write(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(write) }),
    ...(typeof rest === "object" && { additionalProperties: write(rest) }),
  };
}

function operationOf(described: DescribedRoute, write: (schema: JsonSchema) => Written): Written {
  const { operationId, summary, input, answer, command, status = 200, otherTypes = [] } = described;
  const jsonOf = (schema: JsonSchema) => ({ "application/json": { schema: write(schema) } });
  const headers = [
    ...(described.isOfProcess === true ? [] : [headerNames.directory]),
    ...(command === undefined ? [] : [headerNames.idempotencyKey]),
  ];
  const parameters = [
    ...parametersOf(input.path, "path", write),
    ...parametersOf(input.query, "query", write),
    ...headers.map((name) => ({ name, in: "header", required: false, schema: { type: "string" } })),
  ];
  const { body } = input;
  return {
    operationId,
    summary,
    security: described.isOpenToAll === true ? [] : [{ [credentialScheme]: [] }],
    // The least that is needed; a free mode needs more.
    ...(command !== undefined && { "x-kedge-command": command.type, "x-kedge-scope": command.scope }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined &&
      !isEmpty(body) && { requestBody: { content: jsonOf(body), required: body.required !== undefined } }),
    responses: {
      [status]: {
        description: "The answer.",
        ...(answer !== undefined && {
          content: {
            ...jsonOf(answer),
            ...Object.fromEntries(otherTypes.map((type) => [type, { schema: { type: "string" } }])),
          },
        }),
      },
      "4XX": { description: "Refused, or not possible in the current state.", content: jsonOf(problem) },
      "5XX": { description: "Failed here, at the provider or on disk.", content: jsonOf(problem) },
    },
  };
}

function parametersOf(
  { properties = {}, required = [] }: JsonSchema,
  place: "path" | "query",
  write: (schema: JsonSchema) => Written,
): readonly Written[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: write(schema),
  }));
}
