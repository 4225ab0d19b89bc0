/** Workflows: scripts that start agents as durable steps. */
export * from "./workflow-meta.ts";
export * from "./workflow-record.ts";
export * from "./workflow-steps.ts";
