/** Reads one server in any of the accepted spellings into the one form that kedge uses. */
import { createHash } from "node:crypto";
import { isJsonObject } from "@kedge/protocol";
import type { McpOAuth, McpScope, McpServer, McpTransport } from "../server.ts";
import { fillVariables, type VariableParts } from "./fill-variables.ts";
import { inOwnWords } from "./known-spellings.ts";

export type ServerOrigin = VariableParts & { readonly scope: McpScope; readonly file: string };

export type ReadServer =
  | { readonly ok: true; readonly server: McpServer }
  | { readonly ok: false; readonly reason: string };

type Fields = { readonly [name: string]: unknown };

const namePattern = /^[^\s/\\][^/\\]{0,99}$/;

/** Other agents' words for the same things. */
const typeWords: { readonly [word: string]: "stdio" | "http" | "sse" | "ws" } = {
  stdio: "stdio",
  local: "stdio",
  http: "http",
  remote: "http",
  "streamable-http": "http",
  streamableHttp: "http",
  streamable_http: "http",
  sse: "sse",
  "sse-ide": "sse",
  ws: "ws",
  websocket: "ws",
  "ws-ide": "ws",
};

/** An editor that offers itself to agents, not a server that somebody chose for its tools. */
const ideWords: ReadonlySet<unknown> = new Set(["sse-ide", "ws-ide"]);

/** The one reason that is no fault: such a server may be added all the same. */
export const disabledReason = "it is disabled";

const timeoutMsMax = 2_147_483_647;

/** Below this a timeout was meant in seconds, as other programs count it: no call could keep it. */
const timeoutMsMin = 1_000;

export function readServer(name: string, given: unknown, origin: ServerOrigin): ReadServer {
  if (!namePattern.test(name)) return refuse("its name is empty, too long or has a slash in it");
  if (!isJsonObject(given)) return refuse("it must be an object");
  if (given["enabled"] === false || given["disabled"] === true) return refuse(disabledReason);
  const own = inOwnWords(given);
  if (!own.ok) return own;
  const { fields } = own;
  const type = typeOf(fields);
  if (!type.ok) return type;
  const made = type.type === "stdio" ? readStdio(fields, origin) : readRemote(type.type, fields, origin);
  if (!made.ok) return made;
  const timeoutMs = timeoutOf(fields);
  if (timeoutMs === "wrong") return refuse("its timeout must be a number of milliseconds, at least 1000");
  const read = readOAuth(fields["oauth"], origin);
  if (!read.ok) return read;
  const { oauth } = read;
  const { alwaysLoad } = fields;
  const includeTools = namesOf(fields["includeTools"]);
  const excludeTools = namesOf(fields["excludeTools"]);
  if (includeTools === "wrong" || excludeTools === "wrong")
    return refuse("its includeTools and excludeTools must be lists of tool names");
  const server: McpServer = {
    ...{ name, scope: origin.scope, file: origin.file, transport: made.transport },
    ...(oauth !== undefined && { oauth }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(alwaysLoad === true && { alwaysLoad }),
    ...(includeTools !== undefined && { includeTools }),
    ...(excludeTools !== undefined && { excludeTools }),
    ...(ideWords.has(fields["type"]) && { isIde: true }),
    signature: made.signature,
  };
  return { ok: true, server };
}

function refuse(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

type TypeRead = { readonly ok: true; readonly type: "stdio" | "http" | "sse" | "ws" } | { ok: false; reason: string };

/** Often left out: a command is started, an address is asked. */
function typeOf(fields: Fields): TypeRead {
  const { type: word, transport, command, url, httpUrl } = fields;
  const given = word ?? transport;
  if (given === undefined || given === null) {
    if (command !== undefined) return { ok: true, type: "stdio" };
    const address = httpUrl ?? url;
    if (typeof address !== "string") return refuse("it has neither a command nor a URL");
    return { ok: true, type: /^wss?:/i.test(address) ? "ws" : "http" };
  }
  const type = typeof given === "string" && Object.hasOwn(typeWords, given) ? typeWords[given] : undefined;
  if (type === undefined) return refuse(`its type ${JSON.stringify(given)} is unknown; use stdio, http, sse or ws`);
  return { ok: true, type };
}

type Made =
  | { readonly ok: true; readonly transport: McpTransport; readonly signature: string }
  | { readonly ok: false; readonly reason: string };

function readStdio(fields: Fields, origin: ServerOrigin): Made {
  const { command, args = [], cwd } = fields;
  const words = [command, args].flat();
  if (!words.every((word) => typeof word === "string")) return refuse("its command and args must be strings");
  const [program] = words;
  if (program === undefined || program === "") return refuse("it has no command");
  if (cwd !== undefined && typeof cwd !== "string") return refuse("its cwd must be a string");
  const variables = textsOf(fields["env"]);
  if (variables === undefined) return refuse("its env must be an object of strings, each of them set");
  const filledWords = fillAll(words, origin);
  if (!filledWords.ok) return filledWords;
  const env = fillValues(variables, origin);
  if (!env.ok) return env;
  const directory = fillAll(cwd === undefined ? [] : [cwd], origin);
  if (!directory.ok) return directory;
  const [folder] = directory.texts;
  const [file = "", ...rest] = filledWords.texts;
  return {
    ok: true,
    transport: {
      type: "stdio",
      command: file,
      args: rest,
      env: env.texts,
      ...(folder !== undefined && { cwd: folder }),
    },
    signature: digestOf(["stdio", words, variables, cwd ?? null]),
  };
}

function readRemote(type: "http" | "sse" | "ws", fields: Fields, origin: ServerOrigin): Made {
  const address = fields["httpUrl"] ?? fields["url"];
  if (typeof address !== "string") return refuse("it has no URL");
  const headers = textsOf(fields["headers"]);
  if (headers === undefined) return refuse("its headers must be an object of strings, each of them set");
  const { headersHelper: helper } = fields;
  if (helper !== undefined && (typeof helper !== "string" || helper.trim() === ""))
    return refuse("its headersHelper must be a command");
  const url = fillVariables(address, origin);
  if (!url.ok) return url;
  const filled = fillValues(headers, origin);
  if (!filled.ok) return filled;
  const parsed = URL.parse(url.text);
  const schemes = type === "ws" ? ["ws:", "wss:"] : ["http:", "https:"];
  if (parsed === null || !schemes.includes(parsed.protocol))
    return refuse(`its URL must begin with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}`);
  if (parsed.username !== "" || parsed.password !== "") return refuse("its URL contains a user name or password");
  return {
    ok: true,
    transport: { type, url: url.text, headers: filled.texts, ...(helper !== undefined && { headersHelper: helper }) },
    signature: digestOf([type, address, headers, ...(helper === undefined ? [] : [helper])]),
  };
}

/** Of what stands in the file: a secret that changes is the same server, another variable is not. */
function digestOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

type Texts = { readonly [name: string]: string };

/** Numbers and flags are as good as texts here: environments have nothing else. */
function textsOf(value: unknown): Texts | undefined {
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value)) return undefined;
  const entries: [string, string][] = [];
  for (const [name, each] of Object.entries(value)) {
    if (typeof each === "string") entries.push([name, each]);
    else if (typeof each === "number" || typeof each === "boolean") entries.push([name, String(each)]);
    else return undefined;
  }
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

type FilledTexts<Shape> =
  | { readonly ok: true; readonly texts: Shape }
  | { readonly ok: false; readonly reason: string };

function fillAll(texts: readonly string[], origin: ServerOrigin): FilledTexts<readonly string[]> {
  const filled: string[] = [];
  for (const text of texts) {
    const one = fillVariables(text, origin);
    if (!one.ok) return one;
    filled.push(one.text);
  }
  return { ok: true, texts: filled };
}

function fillValues(texts: Texts, origin: ServerOrigin): FilledTexts<Texts> {
  const names = Object.keys(texts);
  const filled = fillAll(Object.values(texts), origin);
  if (!filled.ok) return filled;
  // Nothing in a value can begin another header.
  return { ok: true, texts: Object.fromEntries(names.map((name, at) => [name, clean(filled.texts[at] ?? "")])) };
}

function clean(value: string): string {
  return value.replaceAll(/[\r\n\0]/g, "");
}

/** In milliseconds. */
function timeoutOf(fields: Fields): number | "wrong" | undefined {
  const { timeout } = fields;
  if (timeout === undefined || timeout === null) return undefined;
  return typeof timeout === "number" && timeout >= timeoutMsMin ? Math.min(timeout, timeoutMsMax) : "wrong";
}

function namesOf(value: unknown): readonly string[] | "wrong" | undefined {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : "wrong";
}

type OAuthRead =
  | { readonly ok: true; readonly oauth: McpOAuth | false | undefined }
  | { readonly ok: false; readonly reason: string };

function readOAuth(value: unknown, origin: ServerOrigin): OAuthRead {
  if (value === undefined || value === null) return { ok: true, oauth: undefined };
  if (value === false) return { ok: true, oauth: false };
  if (value === true) return { ok: true, oauth: {} };
  if (!isJsonObject(value)) return refuse("its oauth must be an object, or false");
  const { scope, scopes, callbackPort } = value;
  const wanted = Array.isArray(scopes) ? scopes.join(" ") : (scope ?? scopes);
  const texts: Record<string, string> = {};
  for (const [name, text] of Object.entries({ ...value, scope: wanted })) {
    if (typeof text !== "string" || !oauthTexts.has(name)) continue;
    const filled = fillVariables(text, origin);
    if (!filled.ok) return filled;
    texts[name] = filled.text;
  }
  return { ok: true, oauth: { ...texts, ...(typeof callbackPort === "number" && { callbackPort }) } };
}

const oauthTexts: ReadonlySet<string> = new Set(["clientId", "clientSecret", "scope", "clientMetadataUrl"]);
