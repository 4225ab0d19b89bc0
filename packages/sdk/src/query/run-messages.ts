/** Which events of a session belong to one run, and what a program is told of them. */
import {
  type AgentStatus,
  type AssistantBlock,
  type Event,
  type Fact,
  type FactOf,
  type Failure,
  type PermissionReply,
  type PermissionRequest,
  type Question,
  runWithoutSteps,
  type Signal,
  type ToolOutcome,
} from "@kedge/protocol";

export type QueryMessage =
  | { readonly type: "started"; readonly sessionId: string; readonly runId: string }
  /** Pieces of the answer as it comes; the whole of it follows as `answer`. */
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "answer"; readonly stepId: string; readonly content: readonly AssistantBlock[] }
  | { readonly type: "tool-started"; readonly callId: string; readonly tool: string; readonly inputText: string }
  | {
      readonly type: "tool-ended";
      readonly callId: string;
      readonly tool: string;
      readonly outcome: ToolOutcome;
      readonly output: string;
    }
  /** An agent works for the run, in a session of its own that has this id. */
  | {
      readonly type: "agent-started";
      readonly agentId: string;
      readonly agent: string;
      readonly description: string;
      readonly name?: string;
    }
  | {
      readonly type: "agent-ended";
      readonly agentId: string;
      readonly status: AgentStatus;
      readonly result: string;
      readonly why?: string;
    }
  /** `request.agent` says which agent asks; without it the session itself does. */
  | { readonly type: "permission-asked"; readonly request: PermissionRequest }
  | {
      readonly type: "permission-answered";
      readonly requestId: string;
      readonly reply: PermissionReply;
      readonly message?: string;
    }
  | { readonly type: "question-asked"; readonly requestId: string; readonly questions: readonly Question[] }
  | { readonly type: "question-answered"; readonly requestId: string; readonly answers: readonly string[] }
  | { readonly type: "notice"; readonly text: string }
  /** The last one. */
  | ({ readonly type: "result"; readonly sessionId: string } & Omit<FactOf<"run.ended">, "type">);

/** Without a prompt, as an empty text, for a command of the prompt line. */
export type RunIds = { readonly runId: string; readonly promptId: string };

export type ReadEvent = {
  readonly messages: readonly QueryMessage[];
  /** Another run ended badly, and what waits behind it does not begin by itself. */
  readonly isStranded?: true;
  /** The prompt was taken back before its run began. */
  readonly isWithdrawn?: true;
  /** The run ended, and not even that could be stored. */
  readonly failure?: Failure;
};

const nothing: ReadEvent = { messages: [] };

/** A session may have runs before and after; steps, calls and requests are known by the run that began them. */
export function readRun(sessionId: string) {
  const steps = new Set<string>();
  const calls = new Set<string>();
  const requests = new Set<string>();

  function readSignal(signal: Signal, { runId }: RunIds): ReadEvent {
    switch (signal.type) {
      case "text.delta":
        return steps.has(signal.stepId) ? { messages: [{ type: "text", text: signal.text }] } : nothing;
      case "reasoning.delta":
        return steps.has(signal.stepId) ? { messages: [{ type: "reasoning", text: signal.text }] } : nothing;
      case "notice":
        return { messages: [{ type: "notice", text: signal.text }] };
      case "run.unrecorded":
        return signal.runId === runId ? { messages: [], failure: signal.failure } : nothing;
      default:
        return nothing;
    }
  }

  function readFact(fact: Fact, { runId, promptId }: RunIds): ReadEvent {
    switch (fact.type) {
      case "step.started":
        if (fact.runId === runId) steps.add(fact.stepId);
        return nothing;
      case "prompt.withdrawn":
        // One that was refused has a run whose end says why.
        return fact.promptId === promptId && fact.by === undefined ? { messages: [], isWithdrawn: true } : nothing;
      // A command of the prompt line is no prompt. Beside a run of others it is only recorded, and no run ends with it.
      case "command.ran": {
        if (promptId !== "") return nothing;
        return { messages: [{ type: "result", sessionId, runId, ...runWithoutSteps("completed", fact.text) }] };
      }
      case "run.ended": {
        const { type: _, ...result } = fact;
        if (fact.runId === runId) return { messages: [{ type: "result", sessionId, ...result }] };
        return fact.reason !== "completed" && steps.size === 0 ? { messages: [], isStranded: true } : nothing;
      }
      default:
        return { messages: messagesOf(fact) };
    }
  }

  function messagesOf(fact: Fact): readonly QueryMessage[] {
    switch (fact.type) {
      case "step.ended": {
        const { stepId, content } = fact;
        return steps.has(stepId) && fact.outcome === "answered" ? [{ type: "answer", stepId, content }] : [];
      }
      case "tool.started": {
        const { callId, tool, inputText } = fact;
        if (!steps.has(fact.stepId)) return [];
        calls.add(callId);
        return [{ type: "tool-started", callId, tool, inputText }];
      }
      case "tool.ended": {
        const { callId, tool, outcome, output } = fact;
        return steps.has(fact.stepId) ? [{ type: "tool-ended", callId, tool, outcome, output }] : [];
      }
      case "agent.started": {
        const { agentId, agent, description, name } = fact;
        return [{ type: "agent-started", agentId, agent, description, ...(name !== undefined && { name }) }];
      }
      case "agent.ended": {
        const { agentId, status, result, why } = fact;
        return [{ type: "agent-ended", agentId, status, result, ...(why !== undefined && { why }) }];
      }
      case "permission.asked": {
        const { type: _, stepId, ...request } = fact;
        // The steps of an agent are in its own session. Whoever follows this one is the only one to answer it.
        if (!steps.has(stepId) && request.agent === undefined) return [];
        requests.add(request.requestId);
        return [{ type: "permission-asked", request }];
      }
      case "permission.answered": {
        const { requestId, reply, message } = fact;
        if (!requests.has(requestId)) return [];
        return [{ type: "permission-answered", requestId, reply, ...(message !== undefined && { message }) }];
      }
      case "question.asked": {
        const { requestId, questions } = fact;
        if (!calls.has(fact.callId)) return [];
        requests.add(requestId);
        return [{ type: "question-asked", requestId, questions }];
      }
      case "question.answered": {
        const { requestId, answers } = fact;
        return requests.has(requestId) ? [{ type: "question-answered", requestId, answers }] : [];
      }
      default:
        return [];
    }
  }

  return {
    read: (event: Event, ids: RunIds): ReadEvent =>
      event.kind === "signal" ? readSignal(event.signal, ids) : readFact(event.record.fact, ids),
  };
}
