/** Takes a tree of the workspace before a call that may change something, and watches what it changes. */
import type { Tool } from "@kedge/protocol";
import { shellCommandOf } from "../../run/conduct.ts";
import { type Call, interrupted } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import { createUndoCoverage } from "../files/undo-coverage.ts";
import { watchCall } from "../files/watch-call.ts";
import { reachOf } from "../files/workspace-watch.ts";
import type { Phase } from "../phase.ts";

export function snapshot(services: CallServices): Phase {
  const { engine, journal } = services;
  const heldFor = createUndoCoverage(engine);

  async function watch(call: Call): Promise<Call> {
    const { tool, needs } = call;
    const { stepId, signal } = call.origin;
    const text = engine.redact(shellCommandOf(needs) ?? namedCall(tool, needs));
    const cause = { text, step: journal.state.turns };
    const held = await heldFor(needs);
    const watched = await watchCall(services, { stepId, reach: reachOf(needs), held, cause, signal });
    call.timings.mark("snapshot");
    if (!signal.aborted) return { ...call, watched };
    await watched.ended({ isTold: true, isStillAtWork: false });
    return { ...call, end: interrupted };
  }

  return {
    takes: "open",
    pass(call) {
      if (!call.readOnly) return watch(call);
      return call.origin.signal.aborted ? { ...call, end: interrupted } : call;
    },
  };
}

/** How a person would name a call that is no command. */
function namedCall({ name }: Tool, needs: Call["needs"]): string {
  return [name, ...needs.flatMap(({ patterns }) => patterns)].join(" ");
}
