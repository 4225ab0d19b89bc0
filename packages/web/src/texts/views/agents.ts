/** Texts of the view of agents. */

export const allSessions = "Agents of all open sessions";
export const thisSession = "Agents of this session";
export const loading = "Loading agents…";
export const none = "No agents. The model starts them with the agent tool, and you with @name in a prompt.";
export const hideMessages = "Hide messages";
export const showMessages = "Show messages";
export const openAsSession = "Open as session";
export const interrupt = "Interrupt";
export const revive = "Revive";
export const stop = "Stop";
export const stopQuestion = "Stop this agent and everything it started?";
export const messageTo = (title: string) => `Message to ${title}`;
export const messageToThis = "Message to this agent";
export const send = "Send";
export const loadingMessages = "Loading messages…";
export const messages = "Messages of this agent";
export const nothingYet = "Nothing yet.";
export const available = "Available agents";
export const loadingAvailable = "Loading…";
