/** Puts what editors and other agents call the fields of a server into kedge's own names, or says what cannot be kept. */
import { isJsonObject } from "@kedge/protocol";

type Fields = { readonly [name: string]: unknown };

export type OwnWords =
  | { readonly ok: true; readonly fields: Fields }
  /** A sentence part about the server, with what to do instead. */
  | { readonly ok: false; readonly reason: string };

/** Others' names of fields that mean the same here. */
const sameFields: { readonly [theirs: string]: string } = {
  cmd: "command",
  envs: "env",
  environment: "env",
  serverUrl: "url",
  uri: "url",
  http_headers: "headers",
  enabled_tools: "includeTools",
  tools: "includeTools",
  disabled_tools: "excludeTools",
  disabledTools: "excludeTools",
};

export function inOwnWords(given: Fields): OwnWords {
  const fields: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(given)) {
    const own = Object.hasOwn(sameFields, name) ? (sameFields[name] ?? name) : name;
    // What is spelled as kedge does counts more than what stands beside it.
    if (own === name || given[own] === undefined) fields[own] = value;
  }
  if (fields["envFile"] !== undefined && fields["envFile"] !== null)
    return { ok: false, reason: "its envFile is not read; name each variable in env, as {env:NAME} or {file:path}" };
  if (isJsonObject(fields["command"])) takeCommandObject(fields, fields["command"]);
  if (fields["source"] === "extension" && fields["command"] === undefined)
    return { ok: false, reason: "it belongs to an extension of an editor; give the command that starts it" };
  takeForwarded(fields);
  takeSignIn(fields);
  for (const name of ["env", "headers"]) fields[name] = withReferences(fields[name]);
  const { tool_timeout_sec: seconds, includeTools } = fields;
  if (typeof seconds === "number" && fields["timeout"] === undefined) fields["timeout"] = seconds * 1_000;
  if (Array.isArray(includeTools) && includeTools.includes("*")) delete fields["includeTools"];
  return { ok: true, fields };
}

/** Zed once had the program, its arguments and its variables in one object. */
function takeCommandObject(fields: { [name: string]: unknown }, { path, args, env }: Fields): void {
  fields["command"] = path;
  fields["args"] ??= args;
  fields["env"] ??= env;
}

/** Codex names variables whose values are passed on or become headers. */
function takeForwarded(fields: { [name: string]: unknown }): void {
  const { env_vars: names, env_http_headers: headers, bearer_token_env_var: token } = fields;
  if (Array.isArray(names)) {
    const passed = names.filter((name) => typeof name === "string").map((name) => [name, `\${${name}:-}`]);
    fields["env"] = { ...Object.fromEntries(passed), ...(isJsonObject(fields["env"]) && fields["env"]) };
  }
  const fromVariables = isJsonObject(headers)
    ? Object.fromEntries(Object.entries(headers).map(([header, name]) => [header, `{env:${String(name)}}`]))
    : {};
  const bearer = typeof token === "string" ? { Authorization: `Bearer {env:${token}}` } : {};
  if (Object.keys({ ...fromVariables, ...bearer }).length > 0)
    fields["headers"] = { ...(isJsonObject(fields["headers"]) && fields["headers"]), ...fromVariables, ...bearer };
}

/** Cursor has a registered client under `auth`. */
function takeSignIn(fields: { [name: string]: unknown }): void {
  const { auth } = fields;
  if (!isJsonObject(auth) || fields["oauth"] !== undefined) return;
  const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, scopes } = auth;
  if (clientId !== undefined) fields["oauth"] = { clientId, clientSecret, scopes };
}

/** A value that is nothing but `$NAME` is meant as that variable: nobody wants the dollar sign. */
function withReferences(values: unknown): unknown {
  if (!isJsonObject(values)) return values;
  const filled = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? value.replace(/^\$([A-Z_][A-Z0-9_]*)$/, "{env:$1}") : value,
  ]);
  return Object.fromEntries(filled);
}
