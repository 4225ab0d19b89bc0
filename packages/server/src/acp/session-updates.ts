/** Translates what happens in a session, fact by fact and signal by signal, into updates for the editor. */
import type { ClientCapabilities, SessionUpdate } from "@agentclientprotocol/sdk";
import { compactionText, type Event, type Fact, type FactOf, type Signal, type Todo } from "@kedge/protocol";
import { createAgentUpdates } from "./agent-updates.ts";
import { createAnswerUpdates } from "./answer-updates.ts";
import { createCallUpdates } from "./call-updates.ts";
import { type CallView, fenced } from "./call-view.ts";

interface SessionUpdates {
  /** In the order in which they are to be sent. */
  of(event: Event): readonly SessionUpdate[];
  /** A call that was announced and has not ended. */
  call(callId: string): CallView | undefined;
}

export type SessionUpdatesParts = {
  readonly cwd: string;
  readonly capabilities: ClientCapabilities;
  /** Tells a person what the editor has no place for. */
  readonly onNotice: (sentence: string) => void;
};

export function createSessionUpdates({ cwd, capabilities, onNotice }: SessionUpdatesParts): SessionUpdates {
  const answers = createAnswerUpdates();
  const calls = createCallUpdates(cwd);
  const agents = createAgentUpdates({ isOpen: (callId) => calls.find(callId) !== undefined, notice });

  function finished(fact: FactOf<"step.ended">): readonly SessionUpdate[] {
    const described = fact.content.flatMap((block) =>
      block.type === "tool-call" && block.incomplete !== true && !calls.hasEnded(block.callId)
        ? calls.described(block)
        : [],
    );
    return [...answers.missed(fact), ...described];
  }

  function notice(severity: "info" | "warning", title: string): readonly SessionUpdate[] {
    if (capabilities.session?.notices != null) return [{ sessionUpdate: "notice", severity, title }];
    onNotice(title);
    return [];
  }

  function ofFact(fact: Fact): readonly SessionUpdate[] {
    switch (fact.type) {
      case "step.started":
        calls.beginStep();
        return [];
      case "step.ended":
        return finished(fact);
      case "tool.started":
        return calls.started(fact);
      case "tool.ended":
        return calls.ended(fact);
      case "agent.started":
        return agents.started(fact);
      case "agent.ended":
        return agents.ended(fact);
      case "todos.replaced":
        return [planUpdate(fact.todos)];
      case "command.ran":
        return [{ sessionUpdate: "agent_message_chunk", content: { type: "text", text: fenced(fact.text) } }];
      case "mode.changed":
        return [{ sessionUpdate: "current_mode_update", currentModeId: fact.mode }];
      case "session.updated":
        return fact.title === undefined ? [] : [{ sessionUpdate: "session_info_update", title: fact.title }];
      case "context.compacted":
        if (capabilities.session?.compaction != null) return [compactionUpdate(fact)];
        // Who asked for it is told by the answer.
        return fact.trigger === "manual" ? [] : notice("info", compactionText(fact));
      case "run.ended":
        return calls.abandoned();
      default:
        return [];
    }
  }

  function ofSignal(signal: Signal): readonly SessionUpdate[] {
    switch (signal.type) {
      case "text.delta":
        return answers.said("text", signal.stepId, signal.text);
      case "reasoning.delta":
        return answers.said("reasoning", signal.stepId, signal.text);
      case "tool.input.delta":
        return calls.announced(signal);
      case "tool.progress":
        return calls.progressed(signal);
      case "notice":
        return notice("info", signal.text);
      case "step.retrying":
        return notice("warning", `${signal.failure.message} Attempt ${signal.attempt} failed; retrying.`);
      case "run.unrecorded":
        return calls.abandoned();
      case "budget.crossing":
        return notice("warning", `${signal.percent}% of the ${signal.limit} limit used.`);
      case "step.stalling":
      case "mcp.status":
      case "mcp.tools.changed":
      case "lsp.updated":
      case "session.moved":
        return [];
      case "agent.progressed":
        return agents.progressed(signal);
    }
  }

  return {
    of: (event) => (event.kind === "fact" ? ofFact(event.record.fact) : ofSignal(event.signal)),
    call: calls.find,
  };
}

/** The protocol knows no entry that was given up, so those are left out. */
export function planUpdate(todos: readonly Todo[]): SessionUpdate {
  const entries = todos.flatMap(({ content, status, priority }) =>
    status === "cancelled" ? [] : [{ content, status, priority }],
  );
  return { sessionUpdate: "plan", entries };
}

function compactionUpdate({ compactionId, shortSummary }: FactOf<"context.compacted">): SessionUpdate {
  const summary = [{ type: "text", text: shortSummary } as const];
  return { sessionUpdate: "compaction_update", compactionId, status: "completed", summary };
}
