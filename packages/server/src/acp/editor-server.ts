/** An MCP server as editors name it, in the form in which kedge configures one. */
import { isJsonObject, type JsonObject } from "@kedge/protocol";

export type NamedServer = { readonly name: string; readonly server: JsonObject };

/** Variables and headers come as lists of names and values. What is wrong with the rest is told where it is used. */
export function editorServer(given: unknown): NamedServer {
  // Parsed from JSON, so it holds nothing else.
  const { name, env, headers, _meta, ...fields } = (isJsonObject(given) ? given : {}) as JsonObject;
  return {
    name: typeof name === "string" ? name : "",
    server: {
      ...fields,
      ...(env !== undefined && { env: pairs(env) }),
      ...(headers !== undefined && { headers: pairs(headers) }),
    },
  };
}

function pairs(list: unknown): JsonObject {
  if (!Array.isArray(list)) return {};
  const entries = list.flatMap((each): readonly [string, string][] =>
    isJsonObject(each) && typeof each["name"] === "string" && typeof each["value"] === "string"
      ? [[each["name"], each["value"]]]
      : [],
  );
  return Object.fromEntries(entries);
}
