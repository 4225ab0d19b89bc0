/** The tools `team_create` and `team_delete`. What runs teams is loaded with their first call. */
import {
  type Answer,
  isJsonObject,
  type JsonSchema,
  parseBySchema,
  type Tool,
  type ToolOutput,
  withoutNulls,
} from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { AgentToolParts } from "./agent-desk.ts";
import { type Announced, cautionFor, type FanOutCall } from "./fan-out.ts";
import type { MemberOrder } from "./team-orders.ts";

const text: JsonSchema = { type: "string", minLength: 1 };
const membersMax = 16;

type CreateInput = {
  readonly name: string;
  readonly description?: string;
  readonly members?: readonly MemberOrder[];
};

const createSchema: JsonSchema = {
  type: "object",
  properties: {
    name: { ...text, maxLength: 64 },
    description: text,
    members: {
      type: "array",
      maxItems: membersMax,
      items: {
        type: "object",
        properties: {
          name: { ...text, maxLength: 64 },
          prompt: { ...text, description: "What it begins with" },
          agent: { ...text, description: "general by default" },
          model: text,
          isolation: { enum: ["worktree"] },
          plan: { type: "boolean", description: "Plans first; changes nothing before its plan is approved" },
          backend: { enum: ["in-process"], description: "Without its own pane" },
        },
        required: ["name", "prompt"],
      },
    },
  },
  required: ["name"],
};

const deleteSchema: JsonSchema = {
  type: "object",
  properties: { force: { type: "boolean", description: "End teammates at once, without asking them" } },
};

export function createTeamTools({ sessionId, desk }: Omit<AgentToolParts, "added">): readonly Tool[] {
  const announced: Announced = { stepId: undefined, calls: new Map() };
  const create: Tool<CreateInput> = {
    ...shapeOf("team_create", createSchema, withOtherNames),
    description: textBeside(import.meta.url, "./team-create.md"),
    needs: ({ name }) => [{ permission: "team", patterns: [name], always: ["*"], access: "execute" }],
    async preview({ name, members = [] }, { callId }) {
      // A question that may yet be answered with no announces nothing.
      const asIfAnnounced = { ...announced, calls: new Map(announced.calls) };
      const cost = await cautionFor(
        { ...(await desk()), sessionId, announced: asIfAnnounced },
        callOf(callId, members),
      );
      const head = cost === undefined ? `Team: ${name}` : `Team: ${name}. ${cost}.`;
      return [head, ...members.map((member) => `${member.name} (${termsOf(member)})\n${member.prompt}`)].join("\n\n");
    },
    async caution({ members = [] }, { callId }) {
      return cautionFor({ ...(await desk()), sessionId, announced }, callOf(callId, members));
    },
    async run({ name, description = "", members = [] }, { callId }) {
      announced.calls.delete(callId);
      const { teams } = await desk();
      return outputOf(await teams.create(sessionId, { name, description, members }), name);
    },
  };
  const end: Tool<{ readonly force?: boolean }> = {
    ...shapeOf("team_delete", deleteSchema, (input) => input),
    description:
      "Asks all teammates of your team to shut down, and ends the team when they have. A teammate in the middle of a change may reject; its reason is the result.",
    needs: () => [{ permission: "team", patterns: ["*"], always: ["*"], access: "execute" }],
    async run({ force = false }) {
      const { teams } = await desk();
      return outputOf(await teams.end(sessionId, force), "team");
    },
  };
  return [create, end];
}

/** What a person wants to know before a teammate starts. */
function callOf(callId: string, members: readonly MemberOrder[]): FanOutCall {
  return { callId, agents: members.map(({ agent = "general" }) => agent) };
}

function termsOf({ agent = "general", isolation, plan, model }: MemberOrder): string {
  const terms = [agent, model, isolation && "own worktree", plan === true && "plans first"];
  return terms.filter(Boolean).join(", ");
}

function shapeOf<Input>(
  name: string,
  inputSchema: JsonSchema,
  read: (input: { readonly [name: string]: unknown }) => object,
) {
  return {
    name,
    inputSchema,
    searchHint: "team teammates workers swarm parallel shared tasks leader",
    resultCharactersMax: 20_000,
    readOnly: () => false,
    concurrencySafe: () => false,
    parse: (input: unknown) => {
      const given = isJsonObject(input ?? {})
        ? read(withoutNulls((input ?? {}) as { readonly [name: string]: unknown }))
        : input;
      return parseBySchema<Input>(inputSchema, given);
    },
  };
}

/** As another agent calls its parameters. */
function withOtherNames({ team_name: name, members, ...rest }: { readonly [name: string]: unknown }): object {
  const named = name === undefined || rest["name"] !== undefined ? rest : { name, ...rest };
  if (!Array.isArray(members)) return members === undefined ? named : { ...named, members };
  return { ...named, members: members.map((member) => (isJsonObject(member) ? withPlan(member) : member)) };
}

function withPlan({ plan_mode_required: plan, ...member }: { readonly [name: string]: unknown }): object {
  return plan === undefined || member["plan"] !== undefined ? member : { ...member, plan };
}

function outputOf(answer: Answer<{ readonly text: string }>, title: string): ToolOutput {
  if (answer.ok) return { output: answer.value.text, title };
  const { message, recovery } = answer.failure;
  return { output: recovery === undefined ? message : `${message} ${recovery}`, isError: true, title };
}
