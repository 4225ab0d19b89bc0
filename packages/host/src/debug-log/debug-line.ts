/** One line of the debug log for each event of a session: its area, and what happened without what was said. Pure. */
import type { DebugArea, Event, Fact, Failure, Signal } from "@kedge/protocol";

export type DebugLine = { readonly area: DebugArea; readonly text: string };

/** Pieces of answers have no lines: what became of them has. */
export function debugLines(event: Event): readonly DebugLine[] {
  return event.kind === "fact" ? linesOfFact(event.record.fact) : linesOfSignal(event.signal);
}

function linesOfFact(fact: Fact): readonly DebugLine[] {
  switch (fact.type) {
    case "step.started":
      return [line("api", `request ${fact.requestId} to ${fact.model}, turn ${fact.turn}, ${fact.source}`)];
    case "step.ended": {
      const { input, output, cacheRead, cacheWrite } = fact.usage;
      const tokens = `input ${input}, output ${output}, cache read ${cacheRead}, cache write ${cacheWrite}`;
      const id = fact.providerRequestId === undefined ? "" : `, provider request ${fact.providerRequestId}`;
      const failed = fact.failure === undefined ? "" : `: ${failureText(fact.failure)}`;
      return [
        line("api", `${fact.outcome} in ${fact.durationMs} ms, ${tokens}${id}${failed}`),
        ...(fact.cacheBreak === undefined
          ? []
          : [line("cache", `${fact.cacheBreak.tokensLost} tokens lost: ${fact.cacheBreak.cause}`)]),
      ];
    }
    case "tool.started":
      return [line("tools", `${fact.tool} ${fact.callId} started`)];
    case "tool.ended":
      return [line("tools", `${fact.tool} ${fact.callId} ${fact.outcome}, ${fact.output.length} characters`)];
    case "job.started":
      return [line("tools", `job ${fact.jobId} started`)];
    case "job.ended":
      return [line("tools", `job ${fact.jobId} ${fact.status}`)];
    case "permission.asked":
      return [line("permission", `${fact.requestId} asked for ${fact.permission}: ${fact.reason}`)];
    case "permission.answered":
      return [line("permission", `${fact.requestId} answered ${fact.reply} by ${fact.source}`)];
    case "mode.changed":
      return [line("permission", `mode ${fact.mode}`)];
    case "compaction.failed":
      return [line("session", `compaction failed: ${failureText(fact.failure)}`)];
    case "run.ended": {
      const failed = fact.failure === undefined ? "" : `: ${failureText(fact.failure)}`;
      return [line("session", `run ${fact.runId} ended, ${fact.reason}${failed}`)];
    }
    default:
      return [line(areaOf(fact.type), fact.type)];
  }
}

function linesOfSignal(signal: Signal): readonly DebugLine[] {
  switch (signal.type) {
    case "step.retrying": {
      const limit = signal.attemptsMax === undefined ? "" : ` of ${signal.attemptsMax}`;
      const attempt = `attempt ${signal.attempt}${limit} failed`;
      return [line("retry", `${attempt}, again in ${signal.delayMs} ms: ${failureText(signal.failure)}`)];
    }
    case "step.stalling":
      return [line("api", `no data for ${signal.idleMs} ms`)];
    case "mcp.status": {
      const why = signal.reason === undefined ? "" : `: ${signal.reason}`;
      return [line("mcp", `${signal.server} ${signal.state}${why}`)];
    }
    case "mcp.tools.changed":
      return [line("mcp", `${signal.server} changed its ${signal.what}`)];
    case "lsp.updated":
      return [line("lsp", `${signal.server} ${signal.state}`)];
    case "run.unrecorded":
      return [line("session", `run ${signal.runId} could not be stored: ${failureText(signal.failure)}`)];
    case "budget.crossing":
      return [line("session", `${signal.percent}% of the ${signal.limit} limit used`)];
    case "session.moved":
      return [line("session", `continues in ${signal.toSessionId}`)];
    case "notice":
      return [line(/\bhooks?\b/i.test(signal.text) ? "hooks" : "notice", signal.text)];
    default:
      return [];
  }
}

function areaOf(type: Fact["type"]): DebugArea {
  if (type.startsWith("memory.") || type.startsWith("instructions.")) return "memory";
  if (type.startsWith("agent.")) return "agents";
  if (type.startsWith("hook.")) return "hooks";
  return "session";
}

function line(area: DebugArea, text: string): DebugLine {
  return { area, text };
}

function failureText({ code, status, message }: Failure): string {
  return `${code}${status === undefined ? "" : ` (${status})`}: ${message}`;
}
