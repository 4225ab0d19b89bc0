/** Serving MCP. An entry of its own: only `kedge mcp serve` needs any of it. */
export { type CallModel, createCallModel } from "./call-model.ts";
export { createHttpEndpoint, endpointPath, type HttpEndpoint, type HttpEndpointOptions } from "./http-endpoint.ts";
export { createKedgeServer, type KedgeServer, type KedgeServerParts } from "./kedge-server.ts";
export { type StdioParts, serveStdio } from "./serve-stdio.ts";
