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
