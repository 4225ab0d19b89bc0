/** The Agent Client Protocol: kedge as the agent of an editor. Loaded by `kedge acp` alone. */
export type { AcpPlace, OpenAcpPlace } from "./acp-place.ts";
export { serveAcp } from "./serve-acp.ts";
