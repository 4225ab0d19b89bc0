/** The areas of the debug log, as `--debug` and KEDGE_DEBUG name them. */
export const debugAreas = [
  "api",
  "retry",
  "cache",
  "tools",
  "permission",
  "hooks",
  "mcp",
  "memory",
  "agents",
  "lsp",
  "session",
  "notice",
] as const;

export type DebugArea = (typeof debugAreas)[number];
