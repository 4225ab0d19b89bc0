/** Turns the OpenAPI document of the server into TypeScript: one type that has every route under its name. */

type Schema = { readonly [key: string]: unknown };

type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: { readonly [status: string]: { readonly content?: Content } };
};

type Content = { readonly [mediaType: string]: { readonly schema: Schema } };

export type OpenApiDocument = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components?: { readonly schemas?: { readonly [name: string]: Schema } };
};

const json = "application/json";

export function routeTypes({ paths, components }: OpenApiDocument): string {
  const schemas = Object.entries(components?.schemas ?? {}).map(
    ([name, schema]) => `type ${typeName(name)} = ${typeOf(schema)};`,
  );
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) =>
        `  readonly ${JSON.stringify(operation.operationId)}: ${routeOf(path, method, operation)};`,
    ),
  );
  return [
    "/** Every route of the server by the name of its operation, made from docs/openapi.json. */",
    `export type ApiTypes = {\n${routes.sort().join("\n")}\n};`,
    ...schemas.sort(),
    "",
  ].join("\n");
}

function routeOf(path: string, method: string, { parameters = [], requestBody, responses }: Operation): string {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  const members = [
    `readonly method: ${JSON.stringify(method.toUpperCase())}`,
    `readonly path: ${JSON.stringify(path)}`,
    `readonly parameters: ${fieldsOf(parameters.filter((each) => each.in === "path"))}`,
    `readonly query: ${fieldsOf(parameters.filter((each) => each.in === "query"))}`,
    `readonly body: ${bodyOf(requestBody)}`,
    `readonly answer: ${typeOf(answer?.content?.[json]?.schema)}`,
  ];
  return `{ ${members.join("; ")} }`;
}

function bodyOf(body: Operation["requestBody"]): string {
  if (body === undefined) return "undefined";
  const type = typeOf(body.content[json]?.schema);
  return body.required === true ? type : `(${type}) | undefined`;
}

function fieldsOf(parameters: NonNullable<Operation["parameters"]>): string {
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const required = parameters.filter((each) => each.required === true).map(({ name }) => name);
  return objectOf({ properties, required, additionalProperties: false });
}

/** What is not understood is `unknown`, which promises nothing. */
export function typeOf(schema: unknown): string {
  if (!isSchema(schema)) return schema === false ? "never" : "unknown";
  const { $ref: reference, enum: values, allOf, type } = schema;
  if (typeof reference === "string") return typeName(reference.slice(reference.lastIndexOf("/") + 1));
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return joined(choices.map(typeOf), " | ");
  if (Array.isArray(allOf)) return joined(allOf.map(typeOf), " & ");
  if (Array.isArray(type))
    return joined(
      type.map((each) => typeOf({ ...schema, type: each })),
      " | ",
    );
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return arrayOf(schema);
    case "object":
      return objectOf(schema);
    default:
      return "unknown";
  }
}

function arrayOf({ items, prefixItems }: Schema): string {
  return Array.isArray(prefixItems)
    ? `readonly [${prefixItems.map(typeOf).join(", ")}]`
    : `readonly (${typeOf(items)})[]`;
}

function objectOf({ properties, required, additionalProperties: rest }: Schema): string {
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(isSchema(properties) ? properties : {}).map(
    ([name, schema]) => `readonly ${JSON.stringify(name)}${needed.has(name) ? "" : "?"}: ${typeOf(schema)}`,
  );
  // Without a word about it, JSON Schema lets an object have any other member.
  const others = rest === false ? [] : [`readonly [name: string]: ${members.length > 0 ? "unknown" : typeOf(rest)}`];
  const all = [...members, ...(members.length > 0 && rest === undefined ? [] : others)];
  return all.length > 0 ? `{ ${all.join("; ")} }` : "Record<never, never>";
}

function joined(types: readonly string[], sign: " | " | " & "): string {
  const unique = [...new Set(types)];
  return unique.length === 1 ? (unique[0] ?? "never") : unique.map((type) => `(${type})`).join(sign);
}

function typeName(name: string): string {
  return `Api${name.replaceAll(/[^A-Za-z0-9_]/g, "_")}`;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
