/** What a call of the `agent` tool says: one order, or one for each task of a batch. */
import {
  type AgentOrder,
  isJsonObject,
  type JsonSchema,
  type Parsed,
  parseBySchema,
  withoutNulls,
} from "@kedge/protocol";
import { schemaFlaw } from "./output-schema.ts";

export type AgentInput = {
  readonly description?: string;
  readonly prompt?: string;
  readonly subagent_type?: string;
  readonly model?: string;
  readonly run_in_background?: boolean;
  readonly isolation?: "worktree";
  readonly name?: string;
  /** Joins this team as a teammate, under its name. */
  readonly team?: string;
  readonly output_schema?: JsonSchema;
  readonly context?: string;
  readonly tasks?: readonly AgentTask[];
};

export type AgentTask = {
  readonly id?: string;
  readonly description?: string;
  readonly prompt: string;
  readonly isolation?: "worktree";
};

const text: JsonSchema = { type: "string", minLength: 1 };
const tasksMax = 50;

export const agentInputSchema: JsonSchema = {
  type: "object",
  properties: {
    description: { ...text, description: "3 to 8 words" },
    prompt: { ...text, description: "The whole task" },
    subagent_type: { ...text, description: "The agent; general by default" },
    model: text,
    run_in_background: { type: "boolean" },
    isolation: { enum: ["worktree"] },
    name: { ...text, maxLength: 48 },
    team: { ...text, maxLength: 64, description: "Join your team as a teammate with this name" },
    output_schema: { type: "object", description: "JSON schema of the result" },
    context: { ...text, description: "Put before the prompt of every task" },
    tasks: {
      type: "array",
      minItems: 1,
      maxItems: tasksMax,
      items: {
        type: "object",
        properties: {
          id: { ...text, maxLength: 48 },
          description: text,
          prompt: text,
          isolation: { enum: ["worktree"] },
        },
        required: ["prompt"],
      },
    },
  },
};

export function parseAgentInput(input: unknown): Parsed<AgentInput> {
  const given = isJsonObject(input) ? withOtherNames(withoutNulls(input)) : input;
  const parsed = parseBySchema<AgentInput>(agentInputSchema, given);
  if (!parsed.ok) return parsed;
  const known = parsed.input;
  if ((known.prompt === undefined) === (known.tasks === undefined))
    return { ok: false, report: "Give either prompt, for one agent, or tasks, for several." };
  if (known.tasks !== undefined && known.name !== undefined)
    return { ok: false, report: "Give each task an id instead of one name for all." };
  if ([known.prompt, ...(known.tasks ?? []).map((task) => task.prompt)].some((prompt) => prompt?.trim() === ""))
    return { ok: false, report: "A prompt is empty. Say what the agent is to do." };
  const flaw = known.output_schema === undefined ? undefined : schemaFlaw(known.output_schema);
  if (flaw !== undefined) return { ok: false, report: `output_schema: ${flaw}` };
  if (known.team !== undefined && (known.name === undefined || known.prompt === undefined))
    return { ok: false, report: "A teammate needs a name and a prompt." };
  return { ok: true, input: known };
}

/** As another agent calls its parameters. */
function withOtherNames({ team_name: team, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return team === undefined || rest["team"] !== undefined ? rest : { ...rest, team };
}

export function agentNameOf({ subagent_type: type }: Pick<AgentInput, "subagent_type">): string {
  return type ?? "general";
}

export function countOf({ tasks }: AgentInput): number {
  return tasks?.length ?? 1;
}

/** Whether one of them is to work in a worktree, by the call. */
export function isIsolated({ isolation, tasks = [] }: AgentInput): boolean {
  return isolation !== undefined || tasks.some((task) => task.isolation !== undefined);
}

export function ordersOf(input: AgentInput, isBackground: boolean): readonly AgentOrder[] {
  const { model, output_schema: outputSchema, context } = input;
  const tasks: readonly (AgentTask & { readonly name?: string })[] = input.tasks?.map((task) => ({
    ...task,
    ...(task.id !== undefined && { name: task.id }),
  })) ?? [{ ...single(input) }];
  return tasks.map(({ name, description, prompt, isolation }) => ({
    agent: agentNameOf(input),
    prompt: context === undefined ? prompt : `${context}\n\n${prompt}`,
    description: shortOf(description ?? input.description ?? prompt),
    ...(model !== undefined && { model }),
    ...(name !== undefined && { name }),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(isBackground && { isBackground: true }),
    ...((isolation ?? input.isolation) !== undefined && { isolation: "worktree" }),
  }));
}

function single({ prompt = "", description, name }: AgentInput): AgentTask & { readonly name?: string } {
  return { prompt, ...(description !== undefined && { description }), ...(name !== undefined && { name }) };
}

const descriptionCharactersMax = 100;

function shortOf(text: string): string {
  const [line = ""] = text.trim().split("\n", 1);
  return line.length <= descriptionCharactersMax ? line : `${line.slice(0, descriptionCharactersMax - 1)}…`;
}
