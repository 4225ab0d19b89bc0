import { expect, test } from "vitest";
import { routeTypes, typeOf } from "./route-types.ts";

test.each([
  [{ type: "string", pattern: "x" }, "string"],
  [{ type: "integer", minimum: 0 }, "number"],
  [{ type: ["string", "null"] }, "(string) | (null)"],
  [{ const: "a" }, '"a"'],
  [{ type: "string", enum: ["a", "b"] }, '"a" | "b"'],
  [{ type: "array", items: { $ref: "#/components/schemas/File.Change" } }, "readonly (ApiFile_Change)[]"],
  [{ type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }, "readonly [string, number]"],
  [{ oneOf: [{ type: "string" }, { type: "string", format: "uri" }] }, "string"],
  [{ allOf: [{ $ref: "#/x/A" }, { $ref: "#/x/B" }] }, "(ApiA) & (ApiB)"],
  [{ type: "object" }, "{ readonly [name: string]: unknown }"],
  [{ type: "object", additionalProperties: { type: "number" } }, "{ readonly [name: string]: number }"],
  [{ type: "object", properties: {}, additionalProperties: false }, "Record<never, never>"],
  [
    { type: "object", properties: { a: { type: "string" }, b: {} }, required: ["a"] },
    '{ readonly "a": string; readonly "b"?: unknown }',
  ],
  [
    { type: "object", properties: { a: { type: "null" } }, additionalProperties: {} },
    '{ readonly "a"?: null; readonly [name: string]: unknown }',
  ],
  [{ description: "anything" }, "unknown"],
])("%j is a type", (schema, type) => {
  expect(typeOf(schema)).toBe(type);
});

test("a route has its parameters, its query, its body and its answer", () => {
  const answer = { content: { "application/json": { schema: { $ref: "#/components/schemas/Note" } } } };
  const text = routeTypes({
    components: { schemas: { Note: { type: "string" } } },
    paths: {
      "/note/{noteId}": {
        put: {
          operationId: "note.write",
          parameters: [
            { name: "noteId", in: "path", required: true, schema: { type: "string" } },
            { name: "limit", in: "query", schema: { type: "number" } },
          ],
          requestBody: { content: { "application/json": { schema: { type: "object", additionalProperties: false } } } },
          responses: { "4XX": {}, "202": answer },
        },
      },
    },
  });
  const members = [
    'readonly method: "PUT"',
    'readonly path: "/note/{noteId}"',
    'readonly parameters: { readonly "noteId": string }',
    'readonly query: { readonly "limit"?: number }',
    "readonly body: (Record<never, never>) | undefined",
    "readonly answer: ApiNote",
  ];
  expect(text.split("\n").slice(1)).toEqual([
    "export type ApiTypes = {",
    `  readonly "note.write": { ${members.join("; ")} };`,
    "};",
    "type ApiNote = string;",
    "",
  ]);
});
