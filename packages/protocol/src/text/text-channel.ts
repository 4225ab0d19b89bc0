/** Where a text that enters a prompt comes from. */
export const textChannels = ["instruction", "memory", "tool", "web", "mcp", "peer", "chat", "queued"] as const;

export type TextChannel = (typeof textChannels)[number];
