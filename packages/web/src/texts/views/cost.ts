/** Texts of the view of cost and context. */
import { counted } from "@kedge/protocol";

export const openSession = "Open a session to see its cost and its context.";
export const context = "Context";
export const measuring = "Measuring the context…";
export const tokens = (count: string) => `${count} tokens`;
export const byProvider = "counted by the provider";
export const windowUsed = (percent: number) => `Context: ${percent} % of the window is used`;
export const costOfSession = "Cost of this session";
export const calculating = "Calculating cost…";
export const noCost = "No cost yet.";
export const total = "Total";
export const costOfTurns = (cost: string, turns: number) => `${cost} in ${counted(turns, "turn")}`;
export const agents = "Agents";
export const notInTotal = (cost: string) => `${cost}, not in the total`;
export const costByModel = "Cost by model";
export const model = "Model";
export const input = "Input";
export const output = "Output";
export const cacheRead = "Cache read";
export const cacheWrite = "Cache write";
export const cost = "Cost";
export const allProjects = (days: number) => `All projects, last ${days} days`;
export const readingUsage = "Reading usage…";
export const costByDay = "Cost by day";
export const tokensByDay = "Tokens by day";
export const sessions = "Sessions";
export const inputFromCache = "Input from cache";
export const byModel = "By model";
export const contextUse = (model: string, tokens: string, window: string, percent: number) =>
  `${model}: ${tokens} of ${window} tokens (${percent} %)`;
export const estimated = "estimated";
export const compactedFrom = (tokens: string) => `Auto-compacts at ${tokens} tokens.`;
export const unpriced = (models: string) => `Not in the total: no price is known for ${models}.`;
export const noUsage = (days: number) => `No usage in the last ${counted(days, "day")}.`;
