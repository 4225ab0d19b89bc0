/** The dialects by their id. kedge's own hooks see kedge's names. */
import { claude, codex } from "./claude.ts";
import { copilot, copilotAsClaude } from "./copilot.ts";
import type { Dialect, DialectId } from "./dialect.ts";
import { gemini } from "./gemini.ts";

const kedge: Dialect = {
  id: "kedge",
  events: {},
  tools: {},
  fields: {},
  eventFields: {},
  result: { text: "content", error: "error" },
  modes: {},
  projectVariables: [],
  timeout: { field: "timeout", unitMs: 1_000 },
};

export const dialects: { readonly [Id in DialectId]: Dialect } = {
  kedge,
  claude,
  codex,
  copilot,
  "copilot-claude": copilotAsClaude,
  gemini,
};

/** Files of plugins are shared by agents: the names of the events say whose they are. */
export function dialectOfEvents(hooks: object, otherwise: DialectId): DialectId {
  return Object.keys(hooks).some((event) => Object.hasOwn(copilot.events, event)) ? "copilot" : otherwise;
}
