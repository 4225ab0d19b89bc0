/** Reads what a hook does from its entry: a command, a request, a tool of a server, or a question to a model. */
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import type { HookAction } from "./hook.ts";

type Fields = { readonly [name: string]: unknown };

/** The sentence, without a full stop, says why it cannot be used. */
export function readAction(fields: Fields): HookAction | string {
  const { type = "command" } = fields;
  switch (type) {
    case "command":
      return readCommand(fields);
    case "http":
      return readRequest(fields);
    case "prompt":
    case "agent": {
      const { prompt, model } = fields;
      if (typeof prompt !== "string" || prompt === "") return "prompt must be a string";
      if (model !== undefined && typeof model !== "string") return "model must be a string";
      return { type, prompt, ...(model !== undefined && { model }) };
    }
    case "mcp_tool":
      return readServerTool(fields);
    default:
      return `${JSON.stringify(type)} is not a known hook type`;
  }
}

/** Copilot names the shell, the system or the program in the place of `command`. */
function readCommand(fields: Fields): HookAction | string {
  if (fields["exec"] !== undefined) return readProgram(fields);
  const command = fields[system] ?? fields["bash"] ?? fields["command"];
  const { args, cwd, env = {} } = fields;
  if (typeof command !== "string" || command.trim() === "") {
    return fields["powershell"] === undefined
      ? "command must be a string"
      : "PowerShell is not supported on this system";
  }
  if (fields["shell"] !== undefined && fields["shell"] !== "bash") return "hooks only run in bash";
  if (args !== undefined && !isTexts(args)) return "args must be a list of strings";
  if (cwd !== undefined && typeof cwd !== "string") return "cwd must be a string";
  if (!isTextRecord(env)) return "env must be an object of strings";
  return {
    type: "command",
    command,
    ...(args !== undefined && { args }),
    ...(cwd !== undefined && { cwd }),
    environment: env,
  };
}

const system = process.platform === "darwin" ? "osx" : "linux";

/** Started as it is; without words of its own it has none. */
function readProgram({ exec, args = [], ...rest }: Fields): HookAction | string {
  if (["bash", "command", "powershell"].some((name) => rest[name] !== undefined))
    return "exec cannot be combined with a shell command";
  return readCommand({ ...rest, command: exec, args });
}

function readRequest({ url, headers = {}, allowedEnvVars = [] }: Fields): HookAction | string {
  if (typeof url !== "string" || !isWebAddress(url)) return "url must be an http or https URL";
  if (!isTextRecord(headers)) return "headers must be an object of strings";
  if (!isTexts(allowedEnvVars)) return "allowedEnvVars must be a list of names";
  return { type: "http", url, headers, allowedVariables: allowedEnvVars };
}

function readServerTool({ server, tool, input = {} }: Fields): HookAction | string {
  if (typeof server !== "string" || server === "") return "server must be the name of an MCP server";
  if (typeof tool !== "string" || tool === "") return "tool must be the name of a tool of its server";
  if (!isJsonObject(input)) return "input must be an object";
  // Read from JSON or YAML, which hold nothing else.
  return { type: "mcp_tool", server, tool, input: input as JsonObject };
}

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === "http:" || protocol === "https:";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isTextRecord(value: unknown): value is { readonly [name: string]: string } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && isTexts(Object.values(value));
}
