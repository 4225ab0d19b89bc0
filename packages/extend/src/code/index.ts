/** Code of users, projects and plugins: tools and hooks that run in processes of their own. */
export { type CodeCapability, type CodeGroup, codeCapabilities } from "./code-group.ts";
export type { CodeParts, PlanPlugin, PlanText } from "./code-parts.ts";
export { planText } from "./hooks/plan-context.ts";
export { definedTools, withDescriptions } from "./hooks/tool-definitions.ts";
export { type ListedCode, type LoadedCode, loadCode } from "./load-code.ts";
export { createPendingActions, type PendingActions } from "./pending-actions.ts";
export { runFunctionProcess, runWorkflowProcess } from "./workflow-process.ts";
