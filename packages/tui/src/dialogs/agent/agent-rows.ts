/** Agents as the engine lists them, read into what a person is shown, in an order that does not jump. */

import type { AgentColor, AgentState, AgentSummary } from "@kedge/protocol";
import { remoteLine, remoteList } from "../../status/remote-values.ts";
import { countText, durationText, isFigure, moneyText } from "../../status/short-figures.ts";
import { agentTexts } from "../../texts/dialogs.ts";
import type { ForegroundToken } from "../../theme/theme.ts";

export type AgentRow = {
  readonly kind: "agent";
  readonly agentId: string;
  /** Its name, or what it was asked to do. */
  readonly title: string;
  readonly agent: string;
  readonly state: AgentState;
  /** What it does now or how it ended, as a sentence. */
  readonly doing: string;
  /** The last tool call of one that runs. */
  readonly action: string;
  /** Time, cost and tokens. */
  readonly figures: string;
  readonly facts: readonly string[];
  readonly isFailed: boolean;
  readonly isAsking: boolean;
  readonly depth: number;
  /** Of the theme, for the colour of its definition. */
  readonly token?: ForegroundToken;
};

export function agentRow(given: AgentSummary): AgentRow {
  const { state, status, cost, turns, durationMs } = given;
  const [agentId, name, agent, description] = [given.agentId, given.name, given.agent, given.description].map(
    remoteLine,
  ) as [string, string, string, string];
  const isFailed = state === "aborted" && status !== "cancelled";
  const token = given.color === undefined ? undefined : colorTokens.get(given.color);
  const figures = [durationText(durationMs), moneyText(cost?.usd), tokensText(given)];
  return {
    ...{ kind: "agent", agentId, agent, isFailed },
    title: name === "" ? agentTexts.unnamed({ agent, description }) : agentTexts.named({ name, agent, description }),
    state: groupOrder.includes(state) ? state : "aborted",
    doing: doingText(given),
    action: actionText(given),
    figures: figures.filter((text) => text !== "").join(" · "),
    facts: [
      remoteLine(given.model),
      isFigure(turns) ? agentTexts.turns(turns) : "",
      given.isBackground ? agentTexts.background : "",
      agentId,
    ],
    isAsking: given.isAsking === true,
    depth: isFigure(given.depth) ? Math.min(8, Math.max(1, given.depth)) : 1,
    ...(token !== undefined && { token }),
  };
}

/** Themes have no colours by name, so each name has the part of a theme that usually comes near it. */
const colorTokens: ReadonlyMap<AgentColor, ForegroundToken> = new Map([
  ["red", "error"],
  ["orange", "syntaxNumber"],
  ["yellow", "warning"],
  ["green", "success"],
  ["cyan", "syntaxType"],
  ["blue", "syntaxFunction"],
  ["purple", "syntaxKeyword"],
  ["pink", "syntaxOperator"],
]);

function actionText({ state, isAsking, isResting, lastAction }: AgentSummary): string {
  if (isAsking) return agentTexts.waitsForYou;
  if (state !== "running") return "";
  return isResting ? agentTexts.isIdle : remoteLine(lastAction);
}

function tokensText({ usage }: AgentSummary): string {
  const counts = [usage?.input, usage?.output, usage?.cacheRead, usage?.cacheWrite].filter(isFigure);
  const sum = counts.reduce((total, count) => total + count, 0);
  return sum === 0 ? "" : agentTexts.tokens(countText(sum));
}

function doingText({ state, status, lastAction, why, isAsking, isResting }: AgentSummary): string {
  if (isAsking) return agentTexts.isWaitingForYou;
  if (state === "running" && isResting) return agentTexts.isIdleUntilAsked;
  const action = remoteLine(lastAction);
  if (state === "running") return action === "" ? agentTexts.isRunning : agentTexts.isDoing(action);
  const ended = endTexts.get(String(status)) ?? agentTexts.ended;
  const reason = remoteLine(why);
  return reason === "" ? ended : `${ended} ${reason}`;
}

const endTexts: ReadonlyMap<string, string> = new Map([
  ["completed", agentTexts.completed],
  ["failed", agentTexts.failed],
  ["cancelled", agentTexts.cancelled],
  ["timed_out", agentTexts.timedOut],
  ["orphaned", agentTexts.orphaned],
  ["max_turns", agentTexts.maxTurns],
]);

const groupOrder: readonly AgentState[] = ["running", "idle", "parked", "aborted"];

export const groupTitles: { readonly [State in AgentState]: string } = {
  running: agentTexts.running,
  idle: agentTexts.idle,
  parked: agentTexts.parked,
  aborted: agentTexts.aborted,
};

/** Fixed when agents are first shown; later only the state moves one, and new ones come last. */
export function createAgentOrder(): (agents: readonly AgentSummary[]) => readonly AgentSummary[] {
  const places = new Map<string, number>();
  const activeAt = ({ startedAt, durationMs }: AgentSummary) => startedAt + durationMs;
  const byState = ({ state }: AgentSummary) => groupOrder.indexOf(state);
  return (given) => {
    const agents = remoteList(given);
    const isFirst = places.size === 0;
    const fresh = agents.filter(({ agentId }) => !places.has(agentId));
    const sorted = isFirst
      ? fresh.toSorted((left, right) => byState(left) - byState(right) || activeAt(right) - activeAt(left))
      : fresh;
    for (const { agentId } of sorted) places.set(agentId, places.size);
    const placeOf = ({ agentId }: AgentSummary) => places.get(agentId) ?? 0;
    return agents.toSorted((left, right) => byState(left) - byState(right) || placeOf(left) - placeOf(right));
  };
}
