/** The amounts that facts tell of: tokens and money, decisions, lines, retries and times. */
import type { Cost, FactOf, JsonObject, PermissionDecision, Usage } from "@kedge/protocol";
import { inputTokens, modelAttributes } from "./gen-ai-words.ts";
import type { CounterName, HistogramName } from "./instruments.ts";
import type { NoteAttributes, TelemetryNote } from "./telemetry-note.ts";

export function counted(counter: CounterName, value: number, attributes: NoteAttributes): readonly TelemetryNote[] {
  return value > 0 ? [{ kind: "counted", counter, value, attributes }] : [];
}

/** A clock that was set back while something ran makes it no shorter than nothing. */
export function timed(histogram: HistogramName, milliseconds: number, attributes: NoteAttributes): TelemetryNote {
  return { kind: "measured", histogram, value: Math.max(0, milliseconds) / 1_000, attributes };
}

/** What one model call used and cost. */
export function spent(model: string, usage: Usage, cost: Cost): readonly TelemetryNote[] {
  const tokens = (type: string, value: number) => counted("kedge.tokens", value, { model, type });
  const call = { "gen_ai.operation.name": "chat", ...modelAttributes(model) };
  const measured = (type: string, value: number): readonly TelemetryNote[] =>
    value === 0
      ? []
      : [
          {
            kind: "measured",
            histogram: "gen_ai.client.token.usage",
            value,
            attributes: { ...call, "gen_ai.token.type": type },
          },
        ];
  return [
    ...counted("kedge.cost.usd", cost.usd, { model }),
    ...tokens("input", usage.input),
    ...tokens("output", usage.output),
    ...tokens("cache_read", usage.cacheRead),
    ...tokens("cache_write", usage.cacheWrite),
    ...tokens("reasoning", usage.reasoning),
    ...measured("input", inputTokens(usage)),
    ...measured("output", usage.output),
  ];
}

export function retried({ retries = [] }: FactOf<"step.ended">): readonly TelemetryNote[] {
  return retries.flatMap(({ code }) => counted("kedge.retries", 1, { class: code }));
}

export function decided(decision: PermissionDecision | undefined): readonly TelemetryNote[] {
  if (decision === undefined) return [];
  return counted("kedge.permission.decisions", 1, { source: decision.source, outcome: decision.behavior });
}

/** Tools that edit tell how many lines; nothing else of what a tool tells is looked at. */
export function edited(metadata: JsonObject = {}): readonly TelemetryNote[] {
  const lines = (type: string, value: unknown) =>
    typeof value === "number" ? counted("kedge.lines", value, { type }) : [];
  return [...lines("added", metadata["additions"]), ...lines("removed", metadata["deletions"])];
}
