/** Texts of the view of MCP servers. */
import { counted } from "@kedge/protocol";

export const title = "MCP servers";
export const loading = "Loading MCP servers…";
export const use = "Use this server";
export const useQuestion = "It starts with your user's permissions. Use it?";
export const accept = "Accept changed tools";
export const acceptQuestion = (tools: string) => `It changed the description of ${tools}. Accept?`;
export const signIn = "Sign in";
export const disconnect = "Disconnect";
export const connect = "Connect";
export const details = "Details";
export const loadingDetails = "Loading…";
export const log = "Log";
export const command = "Command";
export const address = "Address";
export const protocol = "Protocol";
export const none = "No MCP servers. Add one with `kedge mcp add <name> <url | command>`.";
export const about = (tools: number, tokens: number) => `${counted(tools, "tool")}, about ${counted(tokens, "token")}`;
export const definedIn = (file: string, scope: string) => `${file} (${scope})`;
export const tokens = (count: string) => `${count} tokens`;
