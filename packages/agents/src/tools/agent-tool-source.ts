/** The tools that a session is given for agents. */
import type { ToolSource } from "@kedge/protocol";
import type { AgentToolParts } from "./agent-desk.ts";
import { createAgentTool } from "./agent-tool.ts";
import { createSendMessageTool } from "./send-message-tool.ts";
import { createTaskTools } from "./task-tools.ts";
import { createTeamTools } from "./team-tools.ts";

export function createAgentToolSource(parts: Omit<AgentToolParts, "sessionId">): ToolSource {
  return {
    name: "agents",
    kind: "built-in",
    open({ sessionId }) {
      const own = { ...parts, sessionId };
      const tools = [
        createAgentTool(own),
        createSendMessageTool(own),
        ...createTaskTools(own),
        ...createTeamTools(own),
      ];
      return { tools: () => tools };
    },
  };
}
