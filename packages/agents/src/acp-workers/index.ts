/** Agents of others that speak the Agent Client Protocol, run as agents of kedge. */
export { acpToolNames, acpToolSource, type PendingRequests } from "./acp-calls.ts";
export { type AcpModels, acpProvider, createAcpModels } from "./acp-models.ts";
export type { AcpProcess } from "./acp-worker.ts";
