/** The tasks extension of MCP: work that outlives the request that began it, and that a client asks about. */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequests,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  type StandardSchemaV1,
} from "@modelcontextprotocol/server";

export const tasksExtension = "io.modelcontextprotocol/tasks";

export type TaskControl = {
  /** Fires when the client cancels. */
  readonly signal: AbortSignal;
  /** Waits until every question is answered; a client may answer them one by one. */
  ask(requests: InputRequests): Promise<{ readonly [key: string]: unknown }>;
};

export type TaskWork = (control: TaskControl) => Promise<CallToolResult>;

export type Tasks = {
  /** To be returned from `tools/call`: the task can be asked about before this returns. */
  start(work: TaskWork): CallToolResult;
  /** Lets a server answer questions about tasks. */
  install(server: Server): void;
};

export type TasksParts = { readonly now: () => number; readonly newTaskId: () => string };

const ttlMs = 24 * 60 * 60_000;
const pollIntervalMs = 500;
const tasksMax = 1_000;

type Outcome =
  | { readonly status: "working" | "cancelled" }
  | { readonly status: "completed"; readonly result: CallToolResult }
  | { readonly status: "failed"; readonly error: { readonly code: number; readonly message: string } };

type Task = {
  readonly taskId: string;
  readonly createdAt: number;
  readonly cancelling: AbortController;
  /** Questions without an answer. */
  readonly open: Map<string, InputRequests[string]>;
  answers: { [key: string]: unknown };
  onAnswered: () => void;
  outcome: Outcome;
  updatedAt: number;
};

export function createTasks({ now, newTaskId }: TasksParts): Tasks {
  const tasks = new Map<string, Task>();

  function forgetOld(): void {
    for (const [id, { createdAt, outcome }] of tasks) {
      const isOver = outcome.status !== "working";
      if (isOver && (now() - createdAt > ttlMs || tasks.size >= tasksMax)) tasks.delete(id);
    }
  }

  function settle(task: Task, outcome: Outcome): void {
    if (task.outcome.status !== "working") return;
    task.outcome = outcome;
    task.updatedAt = now();
    task.open.clear();
  }

  function find(params: unknown): Task {
    const id = memberOf(params, "taskId");
    const task = typeof id === "string" ? tasks.get(id) : undefined;
    if (task === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "No such task.");
    return task;
  }

  function ask(task: Task, requests: InputRequests): Promise<{ readonly [key: string]: unknown }> {
    task.answers = {};
    for (const [key, request] of Object.entries(requests)) task.open.set(key, request);
    task.updatedAt = now();
    return new Promise((resolve) => {
      task.onAnswered = () => resolve(task.answers);
    });
  }

  async function work(task: Task, run: TaskWork): Promise<void> {
    const { signal } = task.cancelling;
    try {
      const result = await run({ signal, ask: (requests) => ask(task, requests) });
      settle(task, { status: "completed", result });
    } catch (error) {
      // Only the client that began the task hears of it; a defect of ours is an internal error to it.
      const code = error instanceof ProtocolError ? error.code : ProtocolErrorCode.InternalError;
      const message = error instanceof Error ? error.message : String(error);
      settle(task, { status: "failed", error: { code, message } });
    }
  }

  return {
    start(run) {
      forgetOld();
      const time = now();
      const task: Task = {
        taskId: newTaskId(),
        createdAt: time,
        updatedAt: time,
        cancelling: new AbortController(),
        open: new Map(),
        answers: {},
        onAnswered: () => undefined,
        outcome: { status: "working" },
      };
      tasks.set(task.taskId, task);
      void work(task, run);
      // The library passes the extension's results through; its type of the result does not know them.
      return { resultType: "task", ...describe(task) } as unknown as CallToolResult;
    },
    install(server) {
      server.setRequestHandler("tasks/get", { params: anything }, (params, context) => {
        requireTasks(context);
        const task = find(params);
        return { resultType: "complete", ...describe(task), ...detailsOf(task) };
      });
      server.setRequestHandler("tasks/update", { params: anything }, (params, context) => {
        requireTasks(context);
        const task = find(params);
        const given = memberOf(params, "inputResponses") ?? inputResponsesOf(context);
        for (const [key, answer] of Object.entries(typeof given === "object" && given !== null ? given : {})) {
          if (task.open.delete(key)) task.answers[key] = answer;
        }
        task.updatedAt = now();
        if (task.open.size === 0) task.onAnswered();
        return { resultType: "complete" };
      });
      server.setRequestHandler("tasks/cancel", { params: anything }, (params, context) => {
        requireTasks(context);
        const task = find(params);
        task.cancelling.abort();
        settle(task, { status: "cancelled" });
        return { resultType: "complete" };
      });
    },
  };
}

function describe({ taskId, createdAt, updatedAt, outcome, open }: Task) {
  const status = outcome.status === "working" && open.size > 0 ? "input_required" : outcome.status;
  const times = { createdAt: new Date(createdAt).toISOString(), lastUpdatedAt: new Date(updatedAt).toISOString() };
  return { taskId, status, ...times, ttlMs, pollIntervalMs };
}

function detailsOf({ outcome, open }: Task): object {
  if (outcome.status === "completed") return { result: outcome.result };
  if (outcome.status === "failed") return { error: outcome.error };
  return open.size === 0 ? {} : { inputRequests: Object.fromEntries(open) };
}

/** What the request says of its client; with older clients, what the connection does. */
export function capabilitiesOf({ mcpReq }: ServerContext, connection?: ClientCapabilities): ClientCapabilities {
  // The library checked it when the request came in, and does not say so in its types.
  const stated = memberOf(mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY) as ClientCapabilities | undefined;
  return stated ?? connection ?? {};
}

export function supportsTasks(context: ServerContext): boolean {
  return capabilitiesOf(context).extensions?.[tasksExtension] !== undefined;
}

/** Throws what a client without the extension is told. */
export function requireTasks(context: ServerContext): void {
  if (!supportsTasks(context))
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [tasksExtension]: {} } } });
}

function inputResponsesOf({ mcpReq }: ServerContext): unknown {
  return mcpReq.inputResponses;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Members are looked at where they are used. */
const anything: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "kedge", validate: (value) => ({ value }) },
};
