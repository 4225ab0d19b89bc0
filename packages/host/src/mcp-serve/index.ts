/** Serving MCP. An entry of its own: only `kedge mcp serve` needs it. */
export { createCallModel, type ServeMcpParts, serveMcpOverHttp, serveMcpOverStdio } from "./serve-mcp.ts";
