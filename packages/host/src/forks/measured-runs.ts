/** Watches how much of a fork's first request came from the cache, and says what differs where that is little. */
import type { Engine } from "@kedge/engine";
import type { AgentRuns, RequestPrefix, Usage } from "@kedge/protocol";
import { cacheEffect } from "./cache-effect.ts";

export type MeasuredRunsParts = {
  readonly engine: Pick<Engine, "openSessions" | "subscribeAll">;
  readonly onNotice: (sentence: string) => void;
};

export function measuredRuns(runs: AgentRuns, { engine, onNotice }: MeasuredRunsParts): AgentRuns {
  const find = (sessionId: string) => engine.openSessions().find(({ state }) => state.sessionId === sessionId);

  async function measure(sessionId: string, used: RequestPrefix, first: Usage): Promise<void> {
    const session = find(sessionId);
    if (session === undefined) return;
    // What a fork sent is what its parent had, and the few lines of its task.
    const requestUsageOf = () => first;
    await cacheEffect(session, { prefix: used, first }, { requestUsageOf, onNotice });
  }

  return {
    ...runs,
    async start(order, parent, signal) {
      const prefix = order.isFork ? await find(parent.sessionId)?.prefix() : undefined;
      if (!prefix?.ok) return runs.start(order, parent, signal);
      const usages = new Map<string, Usage>();
      let agentId: string | undefined;
      const stop = engine.subscribeAll((sessionId, event) => {
        if (event.kind !== "fact" || event.record.fact.type !== "step.ended") return;
        if (!usages.has(sessionId)) usages.set(sessionId, event.record.fact.usage);
        if (sessionId === agentId) settle();
      });
      const settle = () => {
        const first = agentId === undefined ? undefined : usages.get(agentId);
        if (first === undefined) return;
        stop();
        void measure(parent.sessionId, prefix.value, first);
      };
      const started = await runs.start(order, parent, signal);
      if (!started.ok) {
        stop();
        return started;
      }
      agentId = started.value.agentId;
      settle();
      void started.value.ended.then(stop);
      return started;
    },
  };
}
