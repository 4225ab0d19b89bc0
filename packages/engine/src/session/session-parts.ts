/** What a session has for as long as it is open, whatever runs in it. */
import type { EditMode, FileUpkeep, Jobs, Model, ReasoningWish } from "@kedge/protocol";
import { modeInForce } from "../call/asking/mode-in-force.ts";
import { createQuestions, type Questions } from "../call/asking/questions.ts";
import type { ToolServices } from "../call/call-services.ts";
import { createWorkspaceWatch, type WorkspaceWatch } from "../call/files/workspace-watch.ts";
import type { Frame } from "../compaction/care-basis.ts";
import { type ContextCare, createContextCare } from "../compaction/context-care.ts";
import { createFileKnowledge, type FileKnowledge } from "../compaction/file-knowledge.ts";
import { type ContextBuilder, createContextBuilder } from "../context/context-builder.ts";
import { withPrefix } from "../context/given-prefix.ts";
import { createMessages, type Messages } from "../context/messages.ts";
import { createSessionSources } from "../context/session-sources.ts";
import { createSessionGates, type SessionGates } from "../gates/session-gates.ts";
import type { Journal } from "../journal.ts";
import { createSessionMoments, type SessionMoments } from "../moments/session-moments.ts";
import type { EngineParts } from "../parts.ts";
import { createReadRights } from "../permission/index.ts";
import { harmless } from "../prompt-texts.ts";
import { createConduct, type SessionConduct } from "../run/conduct.ts";
import { createTreeBudget, type TreeBudget, type TreeNode } from "../run/tree-budget.ts";
import { editModeFor } from "../tool-pool/edit-mode.ts";
import { createToolPool, type SessionPool } from "../tool-pool/tool-pool.ts";
import { type AgentNews, createAgentNews } from "./agent-news.ts";
import { createCheckpoints, type SessionCheckpoints } from "./checkpoints.ts";
import { createDialogue, type SessionDialogue } from "./dialogue.ts";
import { recordJobs } from "./jobs/recorded-jobs.ts";
import { requestPrefixOf } from "./request-prefix.ts";
import { createSessionNaming, type SessionNaming } from "./session-naming.ts";
import { createSteering, type Steering } from "./steering.ts";
import { createTakenUp, type TakenUp } from "./taken-up.ts";

/** What ties a session to its past, and to those above and below it. */
export type SessionLinks = {
  /** True for one that was stored and is taken up again. */
  readonly isResumed: boolean;
  /** Stops what runs in sessions that work for this one. */
  readonly interruptChildren: () => void;
  /** Of the session that it works for. */
  readonly budgetAbove?: TreeNode;
  /** The session at the top of those it works for. */
  readonly topId?: string;
};

export type SessionParts = {
  readonly engine: EngineParts;
  readonly journal: Journal;
  /** What the model sees besides the conversation. */
  readonly context: ContextBuilder;
  readonly messages: Messages;
  /** Makes the same bytes of a conversation again, beside the list that the session sends. */
  readonly newMessages: () => Messages;
  readonly files: FileKnowledge;
  readonly pool: SessionPool;
  readonly questions: Questions;
  readonly gates: SessionGates;
  readonly conduct: SessionConduct;
  readonly dialogue: SessionDialogue;
  readonly jobs: Jobs;
  readonly guard: WorkspaceWatch;
  readonly services: ToolServices;
  readonly care: ContextCare;
  readonly checkpoints: SessionCheckpoints;
  readonly naming: SessionNaming;
  readonly steering: Steering;
  readonly editModeOf: (modelId: string) => EditMode;
  /** What a request of this conversation carries beside its messages, when no run says otherwise. */
  readonly frameFor: (model: Model) => Frame;
  /** What the run under way asks of its model, or the last one did of its way of thinking. */
  readonly asked: { model: string | undefined; reasoning: ReasoningWish | undefined };
  readonly agentNews: AgentNews;
  readonly treeBudget: TreeBudget & TreeNode;
  /** Stops what runs in sessions that work for this one. */
  readonly interruptChildren: () => void;
  /** Present where somebody from outside wants to be asked. */
  readonly moments: SessionMoments | undefined;
  /** Present in a session that has a past. */
  readonly takenUp?: TakenUp;
};

const noUpkeep: FileUpkeep = { format: async () => undefined, diagnose: async () => [] };

export function createSessionParts(
  engine: EngineParts,
  journal: Journal,
  { isResumed, interruptChildren, budgetAbove, topId }: SessionLinks,
): SessionParts {
  const { state } = journal;
  const files = createFileKnowledge(engine.resources.newFileState, engine.knownFiles);
  const pool = createToolPool({
    profile: engine,
    state,
    ...(engine.conversation?.toolSearch !== undefined && { searchMode: engine.conversation.toolSearch }),
    onProblem: (sentence) =>
      journal.signal({ type: "notice", sessionId: state.sessionId, text: engine.redact(sentence) }),
  });
  const jobs = recordJobs(engine.resources.newJobs(), journal);
  const services: ToolServices = {
    reading: createReadRights({ ...engine, grants: () => state.grants, mode: () => modeInForce({ engine, journal }) }),
    artifacts: engine.resources.newArtifacts(state.sessionId, topId),
    jobs,
    todos: { list: () => state.todos, replace: (todos) => journal.emit({ type: "todos.replaced", todos }) },
    planning: {
      mode: () => state.mode,
      enter: () => journal.emit({ type: "mode.changed", mode: "plan" }),
      leave: () => journal.emit({ type: "mode.changed", mode: state.modeBeforePlan }),
    },
    upkeep: engine.upkeep ?? noUpkeep,
    isShown: (callId) => messages.isShown(callId, state),
  };
  /** Asked for with every step, and found by patterns. */
  const editModes = new Map<string, EditMode>();
  const editModeOf = (modelId: string): EditMode => {
    const mode = editModes.get(modelId) ?? editModeFor(modelId, engine.conversation?.editChoice ?? {});
    editModes.set(modelId, mode);
    return mode;
  };
  const { prompt, workspace, redact, contextSources: outside = [], neutralise = harmless, fenceNonce } = engine;
  const { prefix } = engine;
  // Whoever continues from another session signs as that one does, because its system text says how.
  const signed = prefix?.conversationId ?? state.sessionId;
  const signing = fenceNonce === undefined ? {} : { nonce: () => fenceNonce(signed) };
  const built = createContextBuilder({
    sources:
      prefix === undefined
        ? createSessionSources({ prompt, workspace, deferredTools: pool.deferred, outside, ...signing })
        : [],
    ...{ journal, redact, neutralise, ...signing },
  });
  const context = prefix === undefined ? built : withPrefix(built, prefix);
  const before = prefix === undefined ? {} : { before: prefix.messages };
  const newMessages = () => createMessages({ opening: context.opening, neutralise, ...before, ...signing });
  const messages = newMessages();
  const parts: SessionParts = {
    engine,
    journal,
    context,
    messages,
    newMessages,
    files,
    pool,
    questions: createQuestions(journal, engine.holder.boot),
    gates: createSessionGates(engine),
    conduct: createConduct(engine),
    dialogue: dialogueOf(engine, journal),
    jobs,
    guard: createWorkspaceWatch({
      snapshots: engine.snapshots,
      journal,
      hasRunningJobs: () => jobs.list().some(({ status }) => status === "running"),
    }),
    services,
    care: createContextCare({
      ...{ engine, journal, context, jobs, files, artifacts: services.artifacts },
      prefix: () => requestPrefixOf(parts),
    }),
    checkpoints: createCheckpoints(journal),
    naming: createSessionNaming(engine, journal),
    steering: createSteering({
      mode: engine.conversation?.interruptMode ?? "immediate",
      isWaiting: () => state.queue.some((prompt) => prompt.delivery === "steer"),
    }),
    editModeOf,
    asked: { model: undefined, reasoning: undefined },
    agentNews: createAgentNews(state),
    treeBudget: createTreeBudget(budgetAbove),
    interruptChildren,
    moments: createSessionMoments({ engine, journal }),
    frameFor: (model) => ({
      model,
      system: context.system(model, { isStructured: false }),
      tools: prefix?.tools ?? pool.schemas(editModeOf(model.id)),
    }),
  };
  return isResumed ? { ...parts, takenUp: createTakenUp(parts) } : parts;
}

/** What an agent asks is asked where somebody looks, under its name. */
function dialogueOf(engine: EngineParts, journal: Journal): SessionDialogue {
  const { leader, agent, interactive } = engine;
  if (leader === undefined) {
    return createDialogue({ journal, interactive, newRequestId: () => engine.newId("qst_") });
  }
  const name = agent === undefined ? "agent" : `${agent.name} agent`;
  return {
    ...leader.dialogue,
    async ask(questions, call) {
      if (!interactive) return undefined;
      const named = questions.map((each) => ({ ...each, question: `[${name}] ${each.question}` }));
      return leader.dialogue.ask(named, call);
    },
  };
}
