/** Imports set-ups of other agents: plans what would change, writes it once somebody agreed, and names what has no equivalent. */
export { foreignAgents } from "./agents/foreign-agents.ts";
export { applyImport } from "./apply-import.ts";
export type { ImportNote, ImportScope } from "./findings.ts";
export { foreignFindings } from "./foreign-findings.ts";
export type { ImportPlan } from "./plan/import-plan.ts";
export { planImport } from "./plan/plan-import.ts";
