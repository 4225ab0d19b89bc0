/** Signing in to MCP servers. An entry of its own: only `kedge mcp auth` and `logout` need it. */
export { signInToServer, signOutOfServer } from "./sign-in-to-server.ts";
