/** Talking with language servers; loaded with the first file that one of them serves. */

export type { ServerState } from "./language-server.ts";
export { createLanguageServers, type LanguageServers, type ServedFile } from "./language-servers.ts";
export type { FoundSymbol } from "./operations/find-symbols.ts";
export { findWorkspaceSymbols, type OperationParts, runOperation } from "./operations/run-operation.ts";
