/** kedge as an MCP server: its tools and a tool that gives it a task, under the permission rules of the user. */
import type { Client, JsonSchema, PermissionMode, RunOptions } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import type { CallModel } from "./call-model.ts";
import { callResult, errorResult, promptResult } from "./call-result.ts";
import { createConversations } from "./conversations.ts";
import { createHeldQuestions, type HeldQuestionsParts } from "./held-questions.ts";
import { permissionForm, permissionReply } from "./permission-form.ts";
import {
  type HeldRun,
  openServedSession,
  type RefuseUnanswered,
  type RunTurn,
  type ServedSession,
} from "./served-session.ts";
import { capabilitiesOf, createTasks, supportsTasks, type TaskControl, tasksExtension } from "./tasks.ts";

export type KedgeServerParts = {
  readonly client: Client;
  readonly refuseUnanswered: RefuseUnanswered;
  readonly callModel: CallModel;
  readonly version: string;
  readonly mode: PermissionMode;
  /** Limits of the runs of the prompt tool. */
  readonly runOptions: RunOptions;
  readonly now: () => number;
} & HeldQuestionsParts;

/** Those that work without a conversation around them. */
const servedNames: ReadonlySet<string> = new Set([
  ...["read", "list", "glob", "grep", "ast_grep", "codesearch"],
  ...["write", "edit", "multi_edit", "apply_patch", "notebook_edit"],
  ...["bash", "bash_output", "bash_kill", "webfetch", "websearch"],
]);

const promptName = "prompt";
const permissionKey = "permission";

const promptTool: Tool = {
  name: promptName,
  description: textBeside(import.meta.url, "./prompt-tool.md").trim(),
  inputSchema: {
    type: "object",
    properties: {
      prompt: { type: "string", description: "What to do" },
      sessionId: { type: "string", description: "The conversation to continue" },
    },
    required: ["prompt"],
  },
};

/** A run of this server, and how its end is told. */
type Begun = { readonly run: HeldRun; readonly tell: (turn: Exclude<RunTurn, { kind: "asks" }>) => CallToolResult };
/** A mistake of the client, told as the result. */
type Refused = { readonly refusal: CallToolResult };
type Question = Extract<RunTurn, { kind: "asks" }>["request"];
type Held = Begun & { readonly question: Question };

const unasked =
  "This call needs approval, and this MCP client cannot ask for it. Add an allow rule to the settings, or start kedge mcp serve with --allow.";

const unanswered = "Nobody answered within ten minutes.";

export type KedgeServer = { readonly factory: McpServerFactory; close(): Promise<void> };

export function createKedgeServer(parts: KedgeServerParts): KedgeServer {
  const { client, refuseUnanswered, callModel, mode, randomWord } = parts;
  const tasks = createTasks({ now: parts.now, newTaskId: randomWord });
  const held = createHeldQuestions<Held>(parts);
  const conversations = createConversations(() => open());
  let calls: Promise<ServedSession> | undefined;

  const open = async (model?: string): Promise<ServedSession> => {
    const opened = await openServedSession({ client, refuseUnanswered, mode, ...(model !== undefined && { model }) });
    if (!opened.ok) throw new ProtocolError(ProtocolErrorCode.InternalError, opened.failure.message);
    return opened.session;
  };

  async function listTools(): Promise<Tool[]> {
    const listed = await client.ask<"tool.list">({ type: "tool.list" });
    if (!listed.ok) throw new ProtocolError(ProtocolErrorCode.InternalError, listed.failure.message);
    const served = listed.value.tools.filter(({ name }) => servedNames.has(name));
    return [...served.map(({ name, description, inputSchema }) => toolOf(name, description, inputSchema)), promptTool];
  }

  async function beginCall(tool: string, input: object): Promise<Begun> {
    if (!servedNames.has(tool)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool ${tool}.`);
    calls ??= open(callModel.ref);
    const session = await calls;
    const callId = `call_${randomWord()}`;
    const told = { callId, tool, inputText: JSON.stringify(input) };
    const run = session.run(`${tool} ${told.inputText}`, { before: () => callModel.tell(session.sessionId, told) });
    return { run, tell: (turn) => callResult(turn, callId) };
  }

  async function beginPrompt(input: { readonly [name: string]: unknown }): Promise<Begun | Refused> {
    const { prompt, sessionId } = input;
    if (typeof prompt !== "string" || prompt.trim() === "") return { refusal: errorResult("prompt must be a string.") };
    const known = typeof sessionId === "string" ? conversations.find(sessionId) : undefined;
    if (sessionId !== undefined && known === undefined)
      return { refusal: errorResult("Conversation not found. Omit sessionId to start a new one.") };
    const session = known ?? (await conversations.begin());
    const run = session.run(prompt, { runOptions: parts.runOptions });
    return { run, tell: (turn) => promptResult(turn, session.sessionId) };
  }

  /** Until the end, or until a question that goes to the client; without a way to ask, the answer is no. */
  async function advance(begun: Begun, canAsk: boolean): Promise<CallToolResult | InputRequiredResult> {
    while (true) {
      const turn = await begun.run.next();
      if (turn.kind !== "asks") return begun.tell(turn);
      const { request } = turn;
      if (!canAsk) await begun.run.refuse(request.requestId, unasked);
      else {
        const requestState = held.hold({ ...begun, question: request }, () => {
          void begun.run.refuse(request.requestId, unanswered);
        });
        return inputRequired({ requestState, inputRequests: { [permissionKey]: permissionForm(request) } });
      }
    }
  }

  async function continueHeld(state: string, context: ServerContext): Promise<CallToolResult | InputRequiredResult> {
    const known = held.take(state);
    if (known === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "This call is not waiting for an answer.");
    const { question, run } = known;
    const reply = permissionReply(context.mcpReq.inputResponses, permissionKey, question);
    await run.answer(question.requestId, reply);
    return advance(known, true);
  }

  /** The same run as a task: the client asks about it, and is asked. */
  async function runAsTask(begun: Begun, { signal, ask }: TaskControl, canAsk: boolean): Promise<CallToolResult> {
    signal.addEventListener("abort", () => void begun.run.interrupt(), { once: true });
    while (true) {
      const turn = await begun.run.next();
      if (turn.kind !== "asks") return begun.tell(turn);
      const { request } = turn;
      const key = `${permissionKey}_${request.requestId}`;
      if (!canAsk) await begun.run.refuse(request.requestId, unasked);
      else {
        const answers = await ask({ [key]: permissionForm(request) });
        await begun.run.answer(request.requestId, permissionReply(answers, key, request));
      }
    }
  }

  const factory: McpServerFactory = () => {
    const info = { name: "kedge", title: "kedge", version: parts.version };
    const server = new Server(info, { capabilities: { tools: {}, extensions: { [tasksExtension]: {} } } });
    server.setRequestHandler("tools/list", async () => ({ tools: await listTools() }));
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const canAsk = capabilitiesOf(context, server.getClientCapabilities()).elicitation !== undefined;
      const state = context.mcpReq.requestState<string>();
      if (state !== undefined) return continueHeld(state, context);
      const input = params.arguments ?? {};
      const isPrompt = params.name === promptName;
      const begun = isPrompt ? await beginPrompt(input) : await beginCall(params.name, input);
      if ("refusal" in begun) return begun.refusal;
      // Only a prompt takes so long that a client would rather ask from time to time.
      if (isPrompt && supportsTasks(context)) return tasks.start((control) => runAsTask(begun, control, canAsk));
      const { signal } = context.mcpReq;
      signal.addEventListener("abort", () => void begun.run.interrupt(), { once: true });
      return advance(begun, canAsk);
    });
    tasks.install(server);
    return server;
  };

  return {
    factory,
    async close() {
      const opened = [...conversations.list(), ...(calls === undefined ? [] : [await calls])];
      await Promise.all(opened.map((session) => session.close()));
    },
  };
}

function toolOf(name: string, description: string, inputSchema: JsonSchema): Tool {
  // Every tool of ours takes an object; the type of the library wants that said.
  return { name, description, inputSchema: { ...inputSchema, type: "object" } as Tool["inputSchema"] };
}
