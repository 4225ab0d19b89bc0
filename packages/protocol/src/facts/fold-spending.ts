/** The part of the fold that adds up what a session has used and paid. */
import { addUsage, type Cost, type Usage } from "../content.ts";
import type { SessionState } from "./session-state.ts";

type Spending = { readonly usage?: Usage; readonly cost?: Cost };

export function addSpending(state: SessionState, { usage, cost }: Spending): void {
  if (usage !== undefined) state.usage = addUsage(state.usage, usage);
  if (cost === undefined) return;
  state.cost = { usd: state.cost.usd + cost.usd, estimated: state.cost.estimated || cost.estimated };
}

/** What nobody asked for counts twice: with everything, and by itself. */
export function addBackground(state: SessionState, spending: Spending): void {
  addSpending(state, spending);
  state.backgroundUsd += spending.cost?.usd ?? 0;
}
