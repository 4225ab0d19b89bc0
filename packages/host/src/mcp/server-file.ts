/** One file that names MCP servers, as it was read. */
import type { McpScope } from "@kedge/extend/mcp-servers";
import type { Settings } from "../configuration/setting-file.ts";

export type ServerFile = {
  readonly scope: McpScope;
  /** As people know it. */
  readonly file: string;
  readonly path: string;
  readonly servers: Settings;
};
