/** What a session has to tell its model of agents: ends that nobody waited for, and messages. */
import { type SessionState, untoldAgents, workingAgents } from "@kedge/protocol";

export interface AgentNews {
  /** True while an end or a message waits for the next step. */
  isWaiting(): boolean;
  /** True if it is worth a run of its own: not where a person cancelled the agent. */
  isWorthRun(): boolean;
  /** True while an agent of this session works. */
  isExpected(): boolean;
  /** Resolves when something is waiting, nothing is expected any more, or the signal is aborted. */
  wait(signal: AbortSignal): Promise<void>;
  /** Something was recorded. */
  arrived(): void;
}

export function createAgentNews(state: Readonly<SessionState>): AgentNews {
  const listeners = new Set<() => void>();
  const isExpected = () => workingAgents(state).length > 0;
  const isWaiting = () => state.mail.size > 0 || untoldAgents(state).length > 0;
  return {
    isWaiting,
    isWorthRun: () => state.mail.size > 0 || untoldAgents(state).some(({ end }) => end?.status !== "cancelled"),
    isExpected,
    async wait(signal) {
      while (!isWaiting() && isExpected() && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        listeners.add(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
        await promise;
        listeners.delete(resolve);
      }
    },
    arrived() {
      for (const listener of [...listeners]) listener();
    },
  };
}
