/** Which language servers there are and whether one serves a file; loads nothing that talks with them. */
export { type FoundProgram, findProgram, type Searched } from "./find-program.ts";
export { createServerRoots } from "./find-server-root.ts";
export { createLspTool, type LspInput } from "./lsp-tool.ts";
export { environmentOf, type ReadServers, readServers, type ServerProblem } from "./read-servers.ts";
export { extensionOf, type ServerDefinition } from "./server-definition.ts";
export { serverTable } from "./server-table.ts";
