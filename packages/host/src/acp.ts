/** The Agent Client Protocol for `kedge acp`. An entry of its own, because nothing else needs it. */
export { type AcpPlace, type OpenAcpPlace, serveAcp } from "@kedge/server/acp";
