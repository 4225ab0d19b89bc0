/** Workflows for commands of the terminal. */
export type { WorkflowRecord } from "@kedge/agents/workflows";
export { findWorkflows } from "./find-workflows.ts";
export type { WorkflowStart, WorkflowWatch } from "./open-workflows.ts";
export { openWorkflowRecords } from "./workflow-records.ts";
export {
  endText,
  newsText,
  readArguments,
  resultText,
  runLines,
  workflowData,
  workflowLines,
} from "./workflow-words.ts";
