/** Turns the OpenAPI document of the server into the shapes that a client holds answers against. */
import type { OpenApiDocument } from "./route-types.ts";

type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
};

/** The source of `packages/sdk/src/http/answer-shapes.generated.ts`. */
export function answerShapes({ paths, components }: OpenApiDocument): string {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) => {
      const schema = responses["200"]?.content?.["application/json"]?.schema;
      const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
      return schema === undefined ? [] : [memberOf(route, schema)];
    }),
  );
  const named = Object.entries(components?.schemas ?? {}).map(([name, schema]) => memberOf(name, schema));
  return [
    "/** What every route answers with, made from docs/openapi.json; `check-shape.ts` says how a shape is read. */",
    `export const answerShapes: { readonly [route: string]: string } = {\n${routes.sort().join("\n")}\n};`,
    `export const namedShapes: { readonly [name: string]: string } = {\n${named.sort().join("\n")}\n};`,
  ].join("\n\n");
}

function memberOf(name: string, schema: Schema): string {
  // No text in a shape has a quote or a backslash of its own.
  return `  ${JSON.stringify(name)}: '${JSON.stringify(shapeOf(schema))}',`;
}

function shapeOf(schema: Schema): unknown {
  if (schema.$ref !== undefined) return `#${schema.$ref.split("/").at(-1)}`;
  if (schema.oneOf !== undefined) return { "|": schema.oneOf.map(variantOf) };
  switch (schema.type) {
    case "string":
    case "boolean":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return [shapeOf(schema.items ?? {})];
    case "object":
      return membersOf(schema, shapeOf);
    default:
      return "any";
  }
}

/** A variant is known by the words that only it may have. */
function variantOf(schema: Schema): unknown {
  if (schema.type !== "object") return shapeOf(schema);
  const { required = [] } = schema;
  const isMark = (name: string, { type, enum: words }: Schema) =>
    required.includes(name) && type === "string" && words?.length === 1;
  return membersOf(schema, (member, name) => (isMark(name, member) ? `=${member.enum?.[0]}` : shapeOf(member)));
}

function membersOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  shape: (member: Schema, name: string) => unknown,
): unknown {
  const members = Object.entries(properties).map(([name, member]) => [
    required.includes(name) ? name : `${name}?`,
    shape(member, name),
  ]);
  const rest = typeof additionalProperties === "object" ? [["*", shapeOf(additionalProperties)]] : [];
  return Object.fromEntries([...members, ...rest]);
}
