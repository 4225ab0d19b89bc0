/** A tool that loads skills of a server. Whoever allows one vouches for its text; its other files stay data. */
import { type JsonSchema, type Need, parseBySchema, type Tool } from "@kedge/protocol";
import type { ServerSkill } from "../connection/list-skills.ts";
import type { LiveServer } from "../connection/live-server.ts";
import { readSkill } from "../offers/server-skills.ts";
import { cleanText } from "./clean-definition.ts";
import { fenceResult } from "./result-output.ts";

export const skillToolName = "load_skill";

export type ServerSkillParts = {
  readonly live: LiveServer;
  readonly serverId: string;
  readonly fullName: string;
  readonly neutralise: (text: string) => string;
};

type Input = { readonly name: string; readonly file?: string };

const inputSchema: JsonSchema = {
  type: "object",
  properties: { name: { type: "string", minLength: 1 }, file: { type: "string", minLength: 1 } },
  required: ["name"],
};

const resultCharactersMax = 100_000;
const lineCharactersMax = 200;
const listedMax = 50;

export function createServerSkillTool({ live, serverId, fullName, neutralise }: ServerSkillParts): Tool<Input> {
  const { name: server } = live.server;
  const { skills } = live.offers();
  const find = (name: string) => live.offers().skills.find((skill) => skill.name === name);
  const unknown = (name: string) =>
    `The MCP server ${server} has no skill ${name.slice(0, lineCharactersMax)}. It has: ${listOf(live.offers().skills)}.`;
  const lines = skills
    .slice(0, listedMax)
    .map(({ name, description }) => `${name}: ${cleanText(description, neutralise).slice(0, lineCharactersMax)}`);
  return {
    name: fullName,
    description: [`Loads a skill of the MCP server ${server}, or with "file" a file of it.`, ...lines].join("\n"),
    inputSchema,
    resultCharactersMax,
    parse: (input) => parseBySchema<Input>(inputSchema, input),
    validate: async ({ name }) => (find(name) === undefined ? unknown(name) : undefined),
    needs({ name }) {
      const skill = find(name);
      return skill === undefined ? [] : [needOf(skill, serverId)];
    },
    async preview({ name }) {
      const skill = find(name);
      return skill && `Skill ${name} of MCP server ${server}: ${cleanText(skill.description, neutralise)}`;
    },
    readOnly: () => true,
    concurrencySafe: () => true,
    async run({ name, file }, context) {
      const title = `${server} ${name}`;
      const skill = find(name);
      if (skill === undefined) return { output: unknown(name), isError: true, title };
      const { signal } = context;
      const read = await readSkill(live, skill, { signal, ...(file !== undefined && { file }) });
      if (!read.ok) return { output: read.sentence, isError: true, title };
      if (file !== undefined)
        return { output: await fenceResult(read.text, { server, tool: `${name}/${file}` }, context), title };
      const head = `Skill ${name} of the MCP server ${server}. Follow these instructions for the user's request.`;
      return { output: `${head}\nLoad files that it names with "file".\n\n${read.text}`, title };
    },
  };
}

/** As other skills: a rule names it, or its very version. One that may change at any time is asked about every time. */
function needOf({ name, version }: ServerSkill, serverId: string): Need {
  const called = `${serverId}:${name}`;
  if (version === undefined) {
    const unreviewed = "its text may change at any time";
    return { permission: "skill", patterns: [called], always: [], access: "execute", unreviewed };
  }
  const exact = `${called}@${version}`;
  return { permission: "skill", patterns: [called, exact], always: [exact], access: "execute" };
}

function listOf(skills: readonly ServerSkill[]): string {
  return skills
    .slice(0, listedMax)
    .map(({ name }) => name)
    .join(", ");
}
