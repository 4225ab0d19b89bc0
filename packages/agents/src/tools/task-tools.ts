/** The tools `task_output` and `task_stop`: looking at an agent in the background, and ending it. */
import { fenceText, type JsonSchema, parseBySchema, type Tool } from "@kedge/protocol";
import type { AgentDesk, AgentToolParts } from "./agent-desk.ts";

type TaskInput = { readonly id: string };

const inputSchema: JsonSchema = {
  type: "object",
  properties: { id: { type: "string", minLength: 1, description: "Name or id of the agent" } },
  required: ["id"],
};

type Parts = Omit<AgentToolParts, "added">;

export function createTaskTools(parts: Parts): readonly Tool[] {
  return [outputTool(parts), stopTool(parts)];
}

function outputTool({ sessionId, desk }: Parts): Tool<TaskInput> {
  return {
    ...shape("task_output", "Shows what an agent does now, or the result of one that has ended."),
    readOnly: () => true,
    concurrencySafe: () => true,
    async run({ id }, context) {
      const loaded = await desk();
      const agentId = await idOf(loaded, sessionId, id);
      const summary = agentId === undefined ? undefined : await loaded.runs.find(agentId);
      if (agentId === undefined || summary === undefined) return unknownAgent(loaded, sessionId, id);
      const { state, status = "running", turns, lastAction, why } = summary;
      const head = `${agentId}: ${status}, ${state}, ${turns} turns${lastAction === undefined ? "" : `, last: ${lastAction}`}.`;
      const record = loaded.sessions.find(agentId)?.state ?? (await loaded.sessions.stored(agentId));
      const said = record?.lastRun?.text ?? "";
      const { text } = await context.fence([why ?? "", said].filter((each) => each !== "").join("\n"));
      return { output: `${head}\n${fenceText(text, { source: "agent", id: agentId, status })}`, title: id };
    },
  };
}

function stopTool({ sessionId, desk }: Parts): Tool<TaskInput> {
  return {
    ...shape("task_stop", "Ends an agent and everything it started."),
    readOnly: () => true,
    concurrencySafe: () => false,
    async run({ id }) {
      const loaded = await desk();
      const agentId = await idOf(loaded, sessionId, id);
      if (agentId === undefined) return unknownAgent(loaded, sessionId, id);
      const stopped = await loaded.runs.kill(agentId);
      return stopped.ok
        ? { output: `Stopped ${agentId}.`, title: id }
        : { output: stopped.failure.message, isError: true, title: id };
    },
  };
}

function shape(name: string, description: string) {
  return {
    name,
    description,
    inputSchema,
    searchHint: "agent background output stop cancel kill",
    resultCharactersMax: 40_000,
    parse: (input: unknown) => parseBySchema<TaskInput>(inputSchema, input),
    needs: () => [{ permission: name, patterns: ["*"], always: ["*"], access: "read" as const }],
  };
}

/** Only agents that this session started, or that those started. */
async function agentsOf({ sessions }: AgentDesk, sessionId: string) {
  const { agentsBelow } = await import("../runs/agent-names.ts");
  const state = sessions.find(sessionId)?.state;
  return state === undefined ? [] : agentsBelow(state, sessions);
}

async function idOf(desk: AgentDesk, sessionId: string, wanted: string): Promise<string | undefined> {
  const found = (await agentsOf(desk, sessionId)).find(({ agentId, name }) => agentId === wanted || name === wanted);
  return found?.agentId;
}

async function unknownAgent(desk: AgentDesk, sessionId: string, wanted: string) {
  const names = (await agentsOf(desk, sessionId)).map(({ name, agentId }) => name ?? agentId);
  const output = `There is no agent ${JSON.stringify(wanted.slice(0, 64))} here. Agents: ${names.join(", ") || "none"}.`;
  return { output, isError: true, title: wanted } as const;
}
