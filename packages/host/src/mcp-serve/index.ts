/** Serving MCP. An entry of its own: only `kedge mcp serve` needs it. */
export {
  type CallModel,
  createCallModel,
  type HttpOptions,
  type ServeMcpParts,
  type StdioOptions,
  serveMcpOverHttp,
  serveMcpOverStdio,
} from "./serve-mcp.ts";
