/** `kedge acp` as a process, and the SDK's own client as the editor at its other end. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  type ClientCapabilities,
  type ClientConnection,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type InitializeResponse,
  type McpServer,
  ndJsonStream,
  type RequestPermissionOutcome,
  type RequestPermissionRequest,
  type SessionNotification,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { MockScript } from "@kedge/testing";
import { expect } from "vitest";
import { type Ended, ended, openWorkbench, type Workbench } from "./workbench.ts";

const entry = join(import.meta.dirname, "../../../dist/kedge.js");

export type EditorOptions = {
  readonly capabilities?: ClientCapabilities;
  readonly protocolVersion?: number;
  readonly argv?: readonly string[];
  readonly cwd?: string;
  readonly onPermission?: (request: RequestPermissionRequest) => Promise<RequestPermissionOutcome>;
  /** The text of a file as the editor shows it. */
  readonly onReadFile?: (path: string) => string;
  readonly onElicitation?: (request: CreateElicitationRequest) => Promise<CreateElicitationResponse>;
};

export type Editor = {
  readonly initialized: InitializeResponse;
  readonly agent: ClientConnection["agent"];
  readonly child: ChildProcessWithoutNullStreams;
  readonly permissions: readonly RequestPermissionRequest[];
  /** Those of one session so far, in the order in which they came. */
  updates(sessionId: string): readonly SessionUpdate[];
  /** Resolves once an update of the session fits, those that came before included. */
  seen(sessionId: string, fits: (update: SessionUpdate) => boolean): Promise<SessionUpdate>;
  /** Lines on standard output that are no message, which there must never be. */
  readonly strayLines: readonly string[];
  /** Its end, by itself or by a signal. */
  readonly over: Promise<Ended>;
  /** Closes its input and waits for its end. */
  end(): Promise<Ended>;
};

export const selected = (optionId: string) => async (): Promise<RequestPermissionOutcome> => ({
  outcome: "selected",
  optionId,
});

export async function openEditor(bench: Workbench, options: EditorOptions = {}): Promise<Editor> {
  const { capabilities = {}, protocolVersion = 1, argv = [], onPermission = selected("once") } = options;
  const child = spawn(process.execPath, [entry, "acp", ...argv], {
    cwd: options.cwd ?? bench.project,
    env: { PATH: process.env["PATH"], HOME: bench.directory, KEDGE_HOME: bench.home, TERM: "dumb" },
  });
  const over = ended(child);
  const notifications: SessionNotification[] = [];
  const permissions: RequestPermissionRequest[] = [];
  const strayLines = watchLines(child);
  let notify = () => {};
  const app = client({ name: "editor" })
    .onNotification("session/update", ({ params }) => {
      notifications.push(params);
      notify();
    })
    .onRequest("session/request_permission", async ({ params }) => {
      permissions.push(params);
      return { outcome: await onPermission(params) };
    })
    .onRequest("fs/read_text_file", ({ params }) => {
      if (options.onReadFile === undefined) throw new Error("This editor gives no files.");
      return { content: options.onReadFile(params.path) };
    })
    .onRequest("elicitation/create", async ({ params }) => {
      if (options.onElicitation === undefined) throw new Error("This editor has no forms.");
      return options.onElicitation(params);
    });
  // Node's web streams and the global ones are the same at run time and differ in their types only.
  const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
  const output = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>;
  const connection = app.connect(ndJsonStream(output, input));
  const { agent } = connection;
  const clientInfo = { name: "test", version: "1" };
  const initialized = await agent.request<InitializeResponse>("initialize", {
    protocolVersion,
    clientCapabilities: capabilities,
    clientInfo,
  });
  const updates = (sessionId: string) =>
    notifications.filter((each) => each.sessionId === sessionId).map(({ update }) => update);
  return {
    initialized,
    agent,
    child,
    permissions,
    updates,
    strayLines,
    over,
    async seen(sessionId, fits) {
      for (;;) {
        const found = updates(sessionId).find(fits);
        if (found !== undefined) return found;
        await new Promise<void>((resolve, reject) => {
          notify = resolve;
          child.once("close", () => reject(new Error("kedge ended before the update came")));
        });
      }
    },
    async end() {
      child.stdin.end();
      return over;
    },
  };
}

function watchLines(child: ChildProcessWithoutNullStreams): readonly string[] {
  const stray: string[] = [];
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    stray.push(...lines.filter((line) => !isMessage(line)));
  });
  return stray;
}

function isMessage(line: string): boolean {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === "object" && parsed !== null && "jsonrpc" in parsed;
  } catch {
    // What is no JSON is no message either.
    return false;
  }
}

/** Chunks of one message become one, so that lists can be compared whatever the pieces were. */
export function joined(updates: readonly SessionUpdate[]): readonly SessionUpdate[] {
  const list: SessionUpdate[] = [];
  for (const update of updates) {
    const last = list.at(-1);
    const isSame = last !== undefined && "messageId" in last && "messageId" in update;
    if (
      isSame &&
      last.sessionUpdate === update.sessionUpdate &&
      last.messageId === update.messageId &&
      last.content.type === "text" &&
      update.content.type === "text"
    ) {
      const text = last.content.text + update.content.text;
      list[list.length - 1] = { ...last, content: { type: "text", text } };
    } else list.push(update);
  }
  return list;
}

export type AcpBench = {
  /** The first call makes the workbench; a second editor finds what the first one left. */
  open(script: MockScript, options?: EditorOptions): Promise<{ bench: Workbench; editor: Editor }>;
  close(): Promise<void>;
};

export function createAcpBench(): AcpBench {
  let bench: Workbench | undefined;
  const editors: Editor[] = [];
  return {
    async open(script, options = {}) {
      bench ??= await openWorkbench(script);
      const editor = await openEditor(bench, options);
      editors.push(editor);
      return { bench, editor };
    },
    async close() {
      const ends = await Promise.all(editors.map((editor) => editor.end()));
      const stray = editors.flatMap((editor) => editor.strayLines);
      editors.length = 0;
      await bench?.close();
      bench = undefined;
      expect({ codes: ends.map(({ code }) => code), stray }).toEqual({ codes: ends.map(() => 0), stray: [] });
    },
  };
}

export const newSession = (editor: Editor, cwd: string, mcpServers: McpServer[] = []) =>
  editor.agent.request("session/new", { cwd, mcpServers });

export const say = (editor: Editor, sessionId: string, text: string) =>
  editor.agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });

/** The updates of a session but for the list of commands and what was used, which come with every turn. */
export function courseOf(editor: Editor, sessionId: string): readonly SessionUpdate[] {
  const general = ["available_commands_update", "usage_update"];
  return joined(editor.updates(sessionId).filter(({ sessionUpdate }) => !general.includes(sessionUpdate)));
}

export const text = (words: string) => ({ type: "text", text: words }) as const;

export const outputOf = (words: string) => ({ type: "content", content: text(`\`\`\`\n${words}\n\`\`\``) }) as const;
