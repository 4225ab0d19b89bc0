/** An engine that is told what to say: the client of one session, whose events the test sends. */
import {
  type Client,
  type EventFrame,
  frameOfViewEvent,
  type MessageView,
  noUsage,
  type SessionSummary,
  type SessionView,
  type ViewEvent,
} from "@kedge/protocol";
import type { EngineListener, EngineStart, TuiEngine } from "../src/app/tui-parts.ts";

export const sessionId = "ses_000000000000abcd1234";

export type EngineScript = {
  readonly session?: Partial<SessionView>;
  readonly messages?: readonly MessageView[];
  readonly sessions?: readonly SessionSummary[];
  /** By the type of the command or query; others are answered with nothing. */
  readonly answers?: { readonly [type: string]: unknown };
  /** How it comes up; with a session unless said otherwise. */
  readonly up?: EngineStart;
};

export interface FakeEngine extends TuiEngine {
  tell(...events: readonly ViewEvent[]): void;
  notice(sentence: string): void;
  /** The thread is gone, and nobody asked for it. */
  die(reason: string): void;
  readonly isClosed: boolean;
  readonly session: SessionView;
  /** Commands in their order. */
  readonly sent: readonly { readonly type: string }[];
}

export function createFakeEngine(script: EngineScript = {}): FakeEngine {
  const session = { ...plainSession, ...script.session };
  const gone = Promise.withResolvers<string | undefined>();
  const sent: { readonly type: string }[] = [];
  let listener: EngineListener | undefined;
  let isClosed = false;
  let waiting: EventFrame[] = [];
  let wake = Promise.withResolvers<void>();
  let frameCount = 0;

  const answers: { readonly [type: string]: unknown } = { ...plainAnswers(session), ...script.answers };
  const answer = async (message: { readonly type: string }) => ({ ok: true, value: answers[message.type] ?? {} });

  const unexpected = () => {
    throw new Error("the screen is not expected to call this");
  };
  const client: Client = {
    // What the script answers is what the type asks for; a slip shows on the screen.
    send: ((command: { readonly type: string }) => {
      sent.push(command);
      return answer(command);
    }) as Client["send"],
    ask: answer as unknown as Client["ask"],
    sessions: async () => script.sessions ?? [],
    messages: async () => ({ messages: script.messages ?? [] }),
    async *follow({ signal }) {
      yield frameOf({ type: "server.connected", properties: {} });
      const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      while (!signal.aborted) {
        const frames = waiting;
        waiting = [];
        yield* frames;
        if (waiting.length > 0) continue;
        wake = Promise.withResolvers<void>();
        await Promise.race([wake.promise, stopped]);
      }
    },
    ...{ events: unexpected, search: unexpected, verify: unexpected, facts: unexpected },
  };

  function frameOf(body: Omit<EventFrame, "id" | "directory">): EventFrame {
    frameCount += 1;
    return { id: String(frameCount), directory: session.directory, ...body };
  }

  return {
    client,
    up: Promise.resolve(script.up ?? startOf(session)),
    gone: gone.promise,
    listen(given) {
      listener = given;
    },
    async close() {
      isClosed = true;
      gone.resolve(undefined);
    },
    tell(...events) {
      for (const event of events) waiting.push(frameOf(frameOfViewEvent(session.id, event)));
      wake.resolve();
    },
    notice: (sentence) => listener?.onNotice(sentence),
    die: (reason) => gone.resolve(reason),
    get isClosed() {
      return isClosed;
    },
    session,
    sent,
  };
}

const plainSession: SessionView = {
  id: sessionId,
  projectId: "prj_1",
  directory: "/home/me/shop",
  title: "Mend the till",
  model: "mock/model",
  mode: "default",
  isRunning: false,
  isArchived: false,
  todos: [],
  labels: [],
  usage: noUsage,
  cost: { usd: 0.25, estimated: false },
  createdAt: 1,
  updatedAt: 1,
};

function startOf({ id, model, mode, directory }: SessionView): EngineStart {
  const session = { sessionId: id, model, interrupted: false };
  return { ok: true, up: { directory, mode, runOptions: {}, attachments: [], session } };
}

function plainAnswers(session: SessionView): { readonly [type: string]: unknown } {
  return {
    "session.read": { session, status: { state: "idle" } },
    "permission.list": { requests: [] },
    "question.list": { requests: [] },
    "task.list": { tasks: [] },
    "agent.list": { agents: [] },
    "mcp.list": { servers: [] },
    "vcs.read": { branch: "main", files: [] },
    "context.inspect": {
      model: session.model,
      windowTokens: 200_000,
      tokens: 30_000,
      isMeasured: true,
      compactAt: 160_000,
      overflowAt: 190_000,
      tools: [],
      sources: [],
      parts: [{ name: "tools", tokens: 30_000 }],
    },
    "provider.list": {
      providers: [
        { providerId: "mock", name: "Mock", hasKey: true, models: [{ model: "mock/model", name: "A model" }] },
      ],
    },
    "command.list": { commands: [{ name: "review", summary: "Looks at what changed" }] },
    "config.read": { settings: {}, entries: [], warnings: [] },
    "file.find": { paths: [] },
    "file.list": { entries: [] },
    "rule.list": { rules: [] },
    "session.cost": {
      ...{ usage: noUsage, cost: session.cost, total: session.cost, turns: 1, byModel: {} },
      ...{ apiMs: 0, toolMs: 0, lines: { added: 0, removed: 0 } },
    },
    "session.status": { statuses: {} },
    "project.read": {
      ...{ projectId: "prj_1", directory: session.directory, root: session.directory },
      ...{ isGitRepository: true, isTrusted: true, mode: "default" },
    },
    "path.read": { home: "/home/me/.kedge", data: "/home/me/.kedge", directory: session.directory, root: "/" },
    "session.diff": { patch: "", files: [] },
  };
}
