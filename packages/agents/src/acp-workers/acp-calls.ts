/** What an ACP agent asks for, as calls of kedge: judged, asked about, snapshotted and recorded like any other. */
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import {
  checkSchema,
  describeProblems,
  fixedToolSource,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type Need,
  type Tool,
  type ToolOutput,
  type ToolSource,
} from "@kedge/protocol";
import type { AcpRequest } from "./acp-news.ts";

/** Requests that are calls by now, by the id of the call. */
export type PendingRequests = Map<string, AcpRequest>;

export const acpToolNames = { read: "acp_read", write: "acp_write", permission: "acp_action" } as const;

const resultCharactersMax = 20_000;
const readBytesMax = 10 * 1024 * 1024;
const ownProcess = "The agent acts in its own process, not where commands that only look run.";
const unknownCall = "No agent waits for this call.";

/** The input of the call that stands for a request; what is not in it is not judged and not granted. */
export function callInputOf(request: AcpRequest): JsonObject {
  switch (request.kind) {
    case "read":
      return { path: request.path };
    case "write":
      return { path: request.path, content: request.content };
    case "permission":
      return actionOf(request.call);
  }
}

function actionOf({ kind, title, rawInput, locations, content }: Extract<AcpRequest, { kind: "permission" }>["call"]) {
  const raw = isJsonObject(rawInput) ? rawInput : {};
  const command = raw["command"] ?? raw["cmd"];
  const words = Array.isArray(command) ? command.map(String).join(" ") : command;
  const named = [raw["path"], raw["file_path"], raw["filePath"], raw["abs_path"]].filter(
    (each) => typeof each === "string",
  );
  const diffs = (content ?? []).flatMap((each) => (each.type === "diff" ? [each.path] : []));
  const paths = [...new Set([...(locations ?? []).map(({ path }) => path), ...diffs, ...named])];
  return {
    kind: kind ?? "other",
    title: title ?? "",
    ...(typeof words === "string" && words !== "" && { command: words }),
    ...(typeof raw["url"] === "string" && { url: raw["url"] }),
    ...(paths.length > 0 && { paths }),
  } satisfies JsonObject;
}

type PathInput = { readonly path: string };
type WriteInput = PathInput & { readonly content: string };
type ActionInput = {
  readonly kind: string;
  readonly title: string;
  readonly command?: string;
  readonly url?: string;
  readonly paths?: readonly string[];
};

const text: JsonSchema = { type: "string" };
const readSchema: JsonSchema = { type: "object", properties: { path: text }, required: ["path"] };
const writeSchema: JsonSchema = {
  type: "object",
  properties: { path: text, content: text },
  required: ["path", "content"],
};
const actionSchema: JsonSchema = {
  type: "object",
  properties: { kind: text, title: text, command: text, url: text, paths: { type: "array", items: text } },
  required: ["kind", "title"],
};

/** Only for sessions of ACP agents. */
export function acpToolSource(pending: PendingRequests, readCommands: () => Promise<void>): ToolSource {
  return fixedToolSource({ name: "ACP agent", kind: "agents" }, () => [
    readTool(pending),
    writeTool(pending),
    actionTool(pending, readCommands),
  ]);
}

function readTool(pending: PendingRequests): Tool<PathInput> {
  return {
    ...partsOf<PathInput>(acpToolNames.read, "Reads a file for the agent.", readSchema),
    needs: ({ path }, cwd) => [needOf("read", "read", path, cwd)],
    readOnly: () => true,
    concurrencySafe: () => true,
    async run({ path }, { callId, cwd }) {
      const request = pending.get(callId);
      if (request?.kind !== "read") return failed(unknownCall, path);
      try {
        const whole = await readFile(resolve(cwd, path));
        if (whole.length > readBytesMax) throw new Error("it is larger than 10 MB");
        request.grant(linesOf(whole.toString("utf8"), request));
        return { output: `${whole.length} bytes read`, title: path };
      } catch (error) {
        const why = `${path} cannot be read: ${reasonOf(error)}`;
        request.refuse(why);
        return failed(why, path);
      }
    },
  };
}

function writeTool(pending: PendingRequests): Tool<WriteInput> {
  return {
    ...partsOf<WriteInput>(acpToolNames.write, "Writes a file for the agent.", writeSchema),
    needs: ({ path }, cwd) => [needOf("edit", "write", path, cwd)],
    preview: async ({ content }) => content,
    readOnly: () => false,
    concurrencySafe: () => false,
    async run({ path, content }, { callId, cwd }) {
      const request = pending.get(callId);
      if (request?.kind !== "write") return failed(unknownCall, path);
      const target = resolve(cwd, path);
      const temporary = `${target}.${callId.replaceAll(/\W/g, "").slice(-12)}.new`;
      try {
        await mkdir(dirname(target), { recursive: true });
        await writeFile(temporary, content, { flag: "wx" });
        await rename(temporary, target);
        request.grant();
        return { output: `${Buffer.byteLength(content)} bytes written`, title: path };
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        const why = `${path} cannot be written: ${reasonOf(error)}`;
        request.refuse(why);
        return failed(why, path);
      }
    },
  };
}

/** What the agent does by itself, in its own process: kedge lets it, and waits until it is done. */
function actionTool(pending: PendingRequests, readCommands: () => Promise<void>): Tool<ActionInput> {
  return {
    ...partsOf<ActionInput>(acpToolNames.permission, "Let the agent act in its own process.", actionSchema),
    async validate({ command }) {
      if (command !== undefined) await readCommands();
      return undefined;
    },
    needs: (input, cwd) => actionNeeds(input, cwd),
    preview: async ({ title, command, paths = [] }) => [title, command, ...paths].filter(Boolean).join("\n"),
    readOnly: ({ kind }) => looks.has(kind),
    concurrencySafe: () => false,
    async run({ title }, { callId, signal, look }) {
      if (look !== undefined) return { output: ownProcess, title, isError: true, blocked: ownProcess };
      const request = pending.get(callId);
      if (request?.kind !== "permission") return failed(unknownCall, title);
      request.grant();
      const stopped = new Promise<{ text: string; isError: boolean }>((settle) => {
        signal.addEventListener("abort", () => settle({ text: "It was interrupted.", isError: true }), { once: true });
      });
      const { text: output, isError } = await Promise.race([request.done, stopped]);
      return { output: output === "" ? "(no output)" : output, title, ...(isError && { isError }) };
    },
  };
}

const looks: ReadonlySet<string> = new Set(["read", "search", "think"]);

/** What nobody can name is a question about the title itself. */
function actionNeeds({ kind, title, command, url, paths = [] }: ActionInput, cwd: string): readonly Need[] {
  if (command !== undefined) {
    return [{ permission: "bash", patterns: [command], always: [], access: "execute", paths: [cwd] }];
  }
  if (kind === "fetch" && url !== undefined) {
    return [{ permission: "webfetch", patterns: [url], always: [], access: "network" }];
  }
  if (paths.length > 0 && (kind === "read" || kind === "search"))
    return paths.map((path) => needOf("read", "read", path, cwd));
  if (paths.length > 0 && kind !== "execute") return paths.map((path) => needOf("edit", "write", path, cwd));
  return [{ permission: "acp_action", patterns: [title], always: [], access: "execute" }];
}

function needOf(permission: string, access: "read" | "write", path: string, cwd: string): Need {
  const absolute = resolve(cwd, path);
  const pattern = absolute.startsWith(cwd + sep) ? absolute.slice(cwd.length + 1) : absolute;
  return { permission, patterns: [pattern], always: [pattern], access, paths: [absolute] };
}

function partsOf<Input>(name: string, description: string, inputSchema: JsonSchema) {
  return {
    ...{ name, description, inputSchema, resultCharactersMax },
    parse(input: unknown) {
      const problems = checkSchema(inputSchema, input);
      // The value has just passed the schema of its type.
      return problems.length > 0
        ? ({ ok: false, report: describeProblems(problems) } as const)
        : ({ ok: true, input: input as Input } as const);
    },
  };
}

function linesOf(whole: string, { line, limit }: { readonly line?: number; readonly limit?: number }): string {
  if (line === undefined && limit === undefined) return whole;
  const from = Math.max(0, (line ?? 1) - 1);
  return whole
    .split("\n")
    .slice(from, limit === undefined ? undefined : from + limit)
    .join("\n");
}

function failed(output: string, title: string): ToolOutput {
  return { output, title, isError: true };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
