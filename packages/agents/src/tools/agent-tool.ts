/** The `agent` tool: starts agents, waits for those that are not sent into the background, and gives their results as data. */
import {
  type AgentEnd,
  type AgentOrder,
  type Answer,
  fenceText,
  type JsonObject,
  type StartedAgent,
  steered,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { type AgentToolParts, metadataOf } from "./agent-desk.ts";
import {
  type AgentInput,
  agentInputSchema,
  agentNameOf,
  countOf,
  isIsolated,
  ordersOf,
  parseAgentInput,
} from "./agent-input.ts";
import { type Announced, cautionFor } from "./fan-out.ts";
import type { TeamTools } from "./team-orders.ts";

const description = textBeside(import.meta.url, "./agent.md");
const resultCharactersMax = 200_000;
/** Of the agents that kedge brings; their names are in lower case. */
const readOnlyAgents: ReadonlySet<string> = new Set(["explore", "plan", "reviewer", "fp-filter", "oracle", "docs"]);

export function createAgentTool(parts: AgentToolParts): Tool<AgentInput> {
  const { sessionId, desk, added } = parts;
  const announced: Announced = { stepId: undefined, calls: new Map() };
  /** As it is defined: rules are about that name, however a model writes it. */
  const definedName = (input: AgentInput) => {
    const name = agentNameOf(input);
    const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
    const own = added.find((agent) => agent.name === name) ?? added.find((agent) => isSame(agent.name));
    return own?.name ?? name.toLowerCase();
  };
  const isReadOnly = (input: AgentInput) => {
    // A worktree is a directory and a branch, whatever the agent does there.
    if (isIsolated(input)) return false;
    const name = definedName(input);
    return added.find((agent) => agent.name === name)?.isReadOnly ?? readOnlyAgents.has(name);
  };
  return {
    name: "agent",
    aliases: ["task", "subagent"],
    description: [description, ...added.map((agent) => `- ${agent.name}: ${agent.description}`)].join("\n"),
    inputSchema: agentInputSchema,
    searchHint: "agent subagent delegate research explore review parallel background worker",
    resultCharactersMax,
    interruptible: true,
    parse: parseAgentInput,
    async validate(input) {
      const table = await (await desk()).table();
      const definition = table.find(agentNameOf(input));
      const isKnown = definition !== undefined && !definition.isHidden && definition.mode !== "primary";
      return isKnown ? undefined : table.unknown(agentNameOf(input));
    },
    needs(input) {
      const name = definedName(input);
      const access = isReadOnly(input) ? "read" : "execute";
      return [{ permission: "agent", patterns: [name], always: [name], access }];
    },
    preview: async (input) => previewOf(input),
    async caution(input, { callId }) {
      const agents = Array.from({ length: countOf(input) }, () => definedName(input));
      return cautionFor({ ...(await desk()), sessionId, announced }, { callId, agents });
    },
    readOnly: isReadOnly,
    concurrencySafe: () => true,
    async run(input, context) {
      try {
        return await runAgents(parts, input, context);
      } finally {
        announced.calls.delete(context.callId);
      }
    },
  };
}

async function runAgents(
  { sessionId, desk }: AgentToolParts,
  input: AgentInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { runs, table, teams } = await desk();
  if (input.team !== undefined) return joinTeam(teams, sessionId, input.team, input);
  const definition = (await table()).find(agentNameOf(input));
  const isBackground = input.run_in_background ?? definition?.isBackground ?? false;
  const stop = new AbortController();
  const left = Promise.withResolvers<"left">();
  const onAbort = () => {
    if (context.signal.reason === steered) left.resolve("left");
    else stop.abort();
  };
  // What runs in the background outlives its call; the user's next message makes room for itself.
  if (!isBackground) {
    if (context.signal.aborted) onAbort();
    else context.signal.addEventListener("abort", onAbort, { once: true });
  }
  try {
    const orders = ordersOf(input, isBackground);
    const results = await Promise.all(
      orders.map(async (order) => {
        const started = await runs.start(order, { sessionId, callId: context.callId }, stop.signal);
        if (!started.ok || isBackground) return { order, started };
        const end = await Promise.race([started.value.ended, left.promise]);
        return { order, started, ...(end !== "left" && { end }) };
      }),
    );
    return await outputOf(input, results, context);
  } finally {
    context.signal.removeEventListener("abort", onAbort);
  }
}

/** A teammate stays, so nobody waits for it. */
async function joinTeam(teams: TeamTools, sessionId: string, team: string, input: AgentInput): Promise<ToolOutput> {
  const { name = "", prompt = "", description, model, isolation } = input;
  const joined = await teams.add(sessionId, team, {
    ...{ name, prompt, agent: agentNameOf(input) },
    ...(description !== undefined && { description }),
    ...(model !== undefined && { model }),
    ...(isolation !== undefined && { isolation }),
  });
  if (joined.ok) {
    const { text, agentId, name: called } = joined.value;
    const metadata = { agents: [{ agent: agentNameOf(input), agentId, name: called, status: "async_launched" }] };
    return { output: text, title: called, metadata };
  }
  const { message, recovery } = joined.failure;
  return { output: recovery === undefined ? message : `${message} ${recovery}`, isError: true, title: name };
}

type Result = {
  readonly order: AgentOrder;
  readonly started: Answer<StartedAgent>;
  readonly end?: AgentEnd;
};

async function outputOf(input: AgentInput, results: readonly Result[], context: ToolContext): Promise<ToolOutput> {
  const { bodyOf, summaryOf } = await import("../runs/end-texts.ts");
  const texts = await Promise.all(
    results.map(async ({ order, started, end }) => {
      if (!started.ok) {
        const { message, recovery } = started.failure;
        return `${order.description}: not started. ${message}${recovery === undefined ? "" : ` ${recovery}`}`;
      }
      const { agentId, name } = started.value;
      const who = name === undefined ? agentId : `${name} (${agentId})`;
      if (end === undefined) {
        const address = `agent://${name ?? agentId}`;
        return `${order.agent} agent ${who} works in the background. A notification reports its end; ${address} has its output.`;
      }
      const { text } = await context.fence(bodyOf(end).join("\n"));
      const fenced = fenceText(text, { source: "agent", id: agentId, status: end.status });
      return `${order.agent} agent ${who}: ${summaryOf(end)}\n${fenced}`;
    }),
  );
  const only = results.length === 1 ? results[0] : undefined;
  const isError = only !== undefined && (!only.started.ok || isFailed(only.end));
  return {
    output: texts.join("\n\n"),
    title: input.description ?? results[0]?.order.description ?? agentNameOf(input),
    metadata: { agents: results.flatMap(described) },
    ...(isError && { isError: true }),
  };
}

function isFailed(end: AgentEnd | undefined): boolean {
  return end !== undefined && end.status !== "completed" && end.status !== "max_turns";
}

function described({ order, started, end }: Result): readonly JsonObject[] {
  if (!started.ok) return [{ agent: order.agent, description: order.description, status: "refused" }];
  const { agentId, name } = started.value;
  const about = { agent: order.agent, description: order.description, ...(name !== undefined && { name }) };
  return [{ ...about, ...(end === undefined ? { agentId, status: "async_launched" } : metadataOf(end)) }];
}

function previewOf(input: AgentInput): string {
  const prompts = input.tasks?.map(({ prompt }) => prompt) ?? [input.prompt ?? ""];
  return [`Agent: ${agentNameOf(input)}`, ...prompts].join("\n\n");
}
