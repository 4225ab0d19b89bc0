/** The `skill` tool: loads the instructions of a skill into the conversation, with what its commands print. */
import {
  type JsonSchema,
  nearNames,
  type PermissionRule,
  parseBySchema,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { expandBody, hasShell, placeVariables, type ShellText } from "../definitions/expand-body.ts";
import { textField } from "../definitions/field-values.ts";
import { fillArguments } from "../definitions/fill-arguments.ts";
import { broughtBy, type Skill, versionOf } from "./skill.ts";

export type SkillInput = { readonly name: string; readonly arguments?: string };

export type SkillToolParts = {
  readonly find: (name: string) => Skill | undefined;
  /** Names of those that the model may use now. */
  readonly names: () => readonly string[];
  /** What the skill allows its commands, as rules. */
  readonly rulesOf: (skill: Skill) => readonly PermissionRule[];
  readonly variables: { readonly [name: string]: string };
  /** Runs a skill with `context: fork` in an agent of its own; undefined where there are no agents. */
  readonly fork?: () => ForkSkill | undefined;
  /** Told before the instructions of a skill are given out. */
  readonly onUse?: (skill: Skill) => Promise<void>;
};

/** What an agent is to do in the place of the session. */
export type SkillTask = {
  readonly skill: Skill;
  readonly task: string;
  /** Name of an agent that starts without the conversation; a fork of the session without it. */
  readonly agent?: string;
  readonly model?: string;
};

export type ForkSkill = (task: SkillTask, context: ToolContext) => Promise<ToolOutput>;

const inputSchema: JsonSchema = {
  type: "object",
  properties: { name: { type: "string", minLength: 1 }, arguments: { type: "string" } },
  required: ["name"],
};

const resultCharactersMax = 100_000;

export function createSkillTool({ find, names, rulesOf, variables, fork, onUse }: SkillToolParts): Tool<SkillInput> {
  return {
    name: "skill",
    description: textBeside(import.meta.url, "./skill.md"),
    inputSchema,
    resultCharactersMax,
    parse: (input) => parseBySchema<SkillInput>(inputSchema, input),
    async validate({ name }) {
      if (find(name) !== undefined) return undefined;
      const [nearest] = nearNames(name, names(), { countMax: 1 });
      return `There is no skill ${name}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`;
    },
    needs({ name }) {
      const skill = find(name);
      if (skill === undefined) return [];
      const version = versionOf(skill.definition);
      return [{ permission: "skill", patterns: [skill.name, version], always: [version], access: "execute" }];
    },
    async preview({ name }) {
      const skill = find(name);
      if (skill === undefined) return undefined;
      const { summary, definition } = skill;
      return [summary, definition.file, ...broughtBy(definition).map((each) => `It ${each}.`)].join("\n");
    },
    // Its commands state for themselves what they are.
    // A fork begins with the answer that called it, so that answer must be whole.
    readOnly({ name }) {
      const skill = find(name);
      return skill === undefined || !(isForked(skill) || hasShell(skill.definition));
    },
    concurrencySafe: () => false,
    async run({ name, arguments: given = "" }, context) {
      const skill = find(name);
      if (skill === undefined) return { output: `There is no skill ${name}.`, title: name, isError: true };
      const { definition } = skill;
      const filled = await fillArguments(definition, given);
      if (!filled.ok) return { output: filled.sentence, title: name, isError: true };
      await onUse?.(skill);
      const runShell = async (commands: readonly string[]): Promise<readonly ShellText[]> => {
        const calls = commands.map((command) => ({
          tool: "bash",
          input: { command, description: `Command of the skill ${skill.name}` },
        }));
        const results = await context.children.run(calls, { allow: rulesOf(skill) });
        return results.map(({ output, isError }) => (isError ? { ran: false, why: output } : { ran: true, output }));
      };
      const body = await expandBody(definition, {
        arguments: filled.arguments,
        variables: { ...variables, ...placeVariables(definition) },
        runShell,
      });
      const run = isForked(skill) ? fork?.() : undefined;
      if (run !== undefined) return run(taskOf(skill, body), context);
      return {
        output: `${headOf(skill)}\n\n${body}`,
        title: skill.name,
        metadata: { skill: skill.name, file: definition.file },
      };
    },
  };
}

function isForked({ definition }: Pick<Skill, "definition">): boolean {
  return textField(definition.fields, "context") === "fork";
}

function taskOf(skill: Skill, body: string): SkillTask {
  const { directory, fields, place } = skill.definition;
  const agent = textField(fields, "agent");
  const model = textField(fields, "model");
  const files = place.tier === "bundled" ? "" : `Files it names lie in ${directory}.\n\n`;
  return {
    skill,
    task: `Follow the instructions of the skill ${skill.name}.\n${files}${body}`,
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
  };
}

/** What the model must know to follow it. */
function headOf({ name, definition }: Skill): string {
  const { directory, place } = definition;
  const lines = [`Skill ${name}. Follow these instructions for the user's request.`];
  if (place.tier !== "bundled") lines.push(`Files it names lie in ${directory}.`);
  if (isForked({ definition })) lines.push("It is meant for a separate agent; do the work here instead.");
  return lines.join("\n");
}
