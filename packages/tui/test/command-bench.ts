/** A context for commands whose client is scripted and whose doings are written down, with the real desk between. */
import {
  type Client,
  type Fact,
  type FactRecord,
  type Failure,
  noUsage,
  type Scope,
  type SessionSummary,
  type SessionView,
} from "@kedge/protocol";
import { createSessionDesk } from "../src/app/session/session-desk.ts";
import type { CommandContext } from "../src/commands/command-context.ts";
import { slashCommands } from "../src/commands/command-table.ts";
import { runCommandLine } from "../src/commands/run-command-line.ts";
import { idleActivity } from "../src/state/activity.ts";
import type { ClientState } from "../src/state/client-state.ts";
import { createStateStore } from "../src/state/state-store.ts";

export const sessionId = "ses_000000000000abcd1234";

/** What happened, in its order: who was told, and what. */
export type Doing = readonly [what: string, ...with: readonly unknown[]];

export type BenchParts = {
  /** By the type of the command or query: the value of the answer, or its failure. Others are answered with nothing. */
  readonly answers?: { readonly [type: string]: unknown };
  readonly sessions?: readonly SessionSummary[];
  readonly facts?: readonly Fact[];
  /** False before there is one. */
  readonly hasSession?: boolean;
  readonly isRunning?: boolean;
  readonly mode?: SessionView["mode"];
  readonly title?: string;
  /** What the token allows. */
  readonly scope?: Scope;
  readonly lastAnswer?: string;
  readonly servers?: ClientState["servers"];
  /** What the user answers to questions; left without an answer without it. */
  readonly questionAnswers?: readonly string[];
};

export class Refusal {
  readonly failure: Failure;

  constructor(message: string) {
    this.failure = { code: "invalid_command", message, recovery: "Try another one.", retryable: false };
  }
}

export function openBench(parts: BenchParts = {}) {
  const { answers = {}, sessions = [], facts = [], hasSession = true, lastAnswer = "" } = parts;
  const doings: Doing[] = [];
  const note = (what: string, ...rest: readonly unknown[]) => void doings.push([what, ...rest]);
  const store = createStateStore<ClientState>({
    ...stateOf(hasSession ? sessionView(parts) : undefined),
    ...(parts.servers !== undefined && { servers: parts.servers }),
    ...(parts.scope !== undefined && { scope: parts.scope }),
  });

  async function answer(what: "send" | "ask", message: { readonly type: string }) {
    note(what, message);
    const value = answers[message.type] ?? {};
    return value instanceof Refusal ? { ok: false, failure: value.failure } : { ok: true, value };
  }

  const unexpected = () => {
    throw new Error("the test does not expect this call");
  };
  const client: Client = {
    // What the test scripts is what the type asks for; a slip shows in what is told.
    send: ((command: { readonly type: string }) => answer("send", command)) as Client["send"],
    ask: ((query: { readonly type: string }) => answer("ask", query)) as Client["ask"],
    async sessions(filter) {
      note("sessions", filter);
      return sessions.filter((session) => session.isArchived === (filter.isArchived ?? false));
    },
    async *facts() {
      for (const [index, fact] of facts.entries()) yield recordOf(fact, index + 1);
    },
    ...{ events: unexpected, follow: unexpected, messages: unexpected, search: unexpected, verify: unexpected },
  };

  const desk = createSessionDesk({
    client,
    store,
    notice: (tone, text) => note(tone, text),
    offerText: (text) => note("offer", text),
    async openSession(next) {
      note("open session", next);
      store.update((state) => ({ ...state, session: { ...sessionView(parts), id: next } }));
    },
    runOptions: {},
  });

  const context: CommandContext = {
    client,
    desk,
    state: store.get,
    notice: (tone, text) => note(tone, text),
    open: (...dialog) => note("open", ...dialog),
    async askQuestions(questions) {
      note("questions", questions);
      return parts.questionAnswers;
    },
    themeNames: () => ["kedge-dark", "kedge-light", "ember"],
    setTheme: (name) => note("theme", name),
    setVim: (...isOn) => note("vim", ...isOn),
    setThinking: (...isShown) => note("thinking", ...isShown),
    async reloadSettings() {
      note("settings read");
    },
    exit: () => note("exit"),
    copy: (text) => note("copy", text),
    lastAnswer: () => lastAnswer,
    async writeReport(name, text) {
      note("report", name, text);
      return { ok: true, sentence: `Written to ${name}.` };
    },
    async writeFile(path, text) {
      note("write", path, text);
      return `Written to ${path}.`;
    },
  };

  return {
    context,
    doings,
    /** What a line did, and whether it was carried out at all. */
    async run(line: string): Promise<readonly Doing[]> {
      const outcome = await runCommandLine(line, { commands: slashCommands, context });
      return outcome === "prompt" ? [...doings, ["prompt"]] : doings;
    },
  };
}

function sessionView({ isRunning = false, mode = "default", title = "A title" }: BenchParts): SessionView {
  return {
    id: sessionId,
    projectId: "prj_1",
    directory: "/work",
    title,
    model: "mock/model",
    mode,
    isRunning,
    isArchived: false,
    todos: [],
    labels: [],
    usage: noUsage,
    cost: { usd: 0, estimated: false },
    createdAt: 1,
    updatedAt: 1,
  };
}

function stateOf(session: SessionView | undefined): ClientState {
  return {
    connection: "ready",
    directory: "/work",
    ...(session !== undefined && { session }),
    messages: [],
    hasOlder: false,
    tails: new Map(),
    notices: [],
    requests: [],
    tasks: [],
    activity: idleActivity(0),
    isFocused: true,
  };
}

function recordOf(fact: Fact, seq: number): FactRecord {
  return { sessionId, seq, time: seq, fact, prev: "", hash: "" };
}

export function summaryOf(id: string, title: string, isArchived = false): SessionSummary {
  const times = { createdAt: 1, updatedAt: 1, lastSeq: 1 };
  return { sessionId: id, isArchived, projectId: "prj_1", directory: "/work", title, model: "mock/model", ...times };
}
