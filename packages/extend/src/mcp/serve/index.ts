/** Serving MCP. An entry of its own: only `kedge mcp serve` needs any of it. */
export { createCallModel } from "./call-model.ts";
export { createHttpEndpoint, endpointPath } from "./http-endpoint.ts";
export { createKedgeServer, type KedgeServer, type KedgeServerParts } from "./kedge-server.ts";
export { serveStdio } from "./serve-stdio.ts";
