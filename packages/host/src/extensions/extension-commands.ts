/** Commands that users wrote, and skills that users may type, as commands of the engine. */
import type { LocalAnswer, LocalCommand, LocalServices, RunTerms } from "@kedge/engine";
import { argumentHintOf, commandPrompt } from "@kedge/extend/commands";
import type { Definition, FoundDefinitions, ShellText } from "@kedge/extend/definitions";
import { parametersOf, placeVariables, textField } from "@kedge/extend/definitions";
import { skillOf } from "@kedge/extend/skills";
import { efforts, type RunOptions, type SessionState, type Subtask, stripTerminalControls } from "@kedge/protocol";
import type { Home } from "../machine/home.ts";
import type { Project } from "../machine/project.ts";
import { allowedRules, hidesBundled } from "./allowed-rules.ts";
import { briefAliases } from "./brief-aliases.ts";
import type { UseSkill } from "./open-skills.ts";

export type ExtensionCommandParts = {
  readonly commands: FoundDefinitions;
  readonly skills: FoundDefinitions;
  readonly home: Pick<Home, "directory">;
  readonly project: Pick<Project, "cwd" | "root">;
  readonly readFile: (path: string) => string | undefined;
  readonly onNotice: (sentence: string) => void;
  readonly onUse: UseSkill;
};

/** A command wins over a skill of its name. */
export async function extensionCommands(parts: ExtensionCommandParts): Promise<readonly LocalCommand[]> {
  const skills = parts.skills.used.filter((definition) => skillOf(definition).isForUser);
  const byName = new Map([...skills, ...parts.commands.used].map((definition) => [definition.name, definition]));
  const aliases = briefAliases(parts.home.directory).filter(({ name }) => !byName.has(name));
  return [...(await Promise.all([...byName.values()].map((definition) => commandOf(definition, parts)))), ...aliases];
}

async function commandOf(definition: Definition, parts: ExtensionCommandParts): Promise<LocalCommand> {
  const { name, description } = definition;
  const argumentHint = await argumentHintOf(definition);
  const parameters = (await parametersOf(definition)).map(
    ({ description: about, name: called, isRequired, choices }) => ({
      ...{ name: called, isRequired, choices: choices.map(stripTerminalControls) },
      ...(about !== undefined && { description: stripTerminalControls(about) }),
    }),
  );
  return {
    name,
    summary: stripTerminalControls(description),
    ...(argumentHint !== undefined && { argumentHint }),
    ...(parameters.length > 0 && { parameters }),
    run: (argument, state, options, services) =>
      runDefinition(definition, { argument, state, options, services }, parts),
  };
}

export type TypedCommand = {
  readonly argument: string;
  readonly state: SessionState;
  readonly options: RunOptions;
  readonly services: LocalServices;
};

export async function runDefinition(
  definition: Definition,
  { argument, state, options, services }: TypedCommand,
  { project, readFile, onUse }: Pick<ExtensionCommandParts, "project" | "readFile" | "onUse">,
): Promise<LocalAnswer> {
  const terms = termsOf(definition);
  const runShell = async (commands: readonly string[]): Promise<readonly ShellText[]> => {
    const texts: ShellText[] = [];
    for (const command of commands)
      texts.push(
        await services.look(
          { tool: "bash", input: { command, description: `Command of /${definition.name}` } },
          terms?.allow ?? [],
        ),
      );
    return texts;
  };
  const variables = {
    SESSION_ID: state.sessionId,
    PROJECT_DIR: project.root,
    ...placeVariables(definition),
    EFFORT: options.reasoning?.effort ?? "",
  };
  const made = await commandPrompt(definition, argument, { variables, runShell, readFile });
  if (!made.ok) return { text: made.sentence };
  if (definition.kind === "skill") await onUse(state.sessionId, definition);
  const subtask = subtaskOf(definition, made.prompt);
  if (subtask !== undefined) {
    const typed = `/${definition.name} ${argument}`.trim();
    return { prompt: `${typed}\n\n${subtaskNote}`, subtasks: [subtask] };
  }
  const effort = efforts.find((each) => each === textField(definition.fields, "effort"));
  return {
    prompt: made.prompt,
    ...(effort !== undefined && { options: { reasoning: { ...options.reasoning, effort } } }),
    ...(terms !== undefined && { terms }),
  };
}

const subtaskNote =
  "(An agent has done this command; its result follows. Tell me what it found, and continue with what we were doing.)";

/** A command with `subtask: true` is the task of an agent, and only its result comes back. */
function subtaskOf({ name, description, fields, kind }: Definition, prompt: string): Subtask | undefined {
  if (kind !== "command" || !/^(?:true|yes)$/i.test(textField(fields, "subtask") ?? "")) return undefined;
  const agent = textField(fields, "agent");
  const model = textField(fields, "model") ?? "inherit";
  return {
    prompt,
    description: (stripTerminalControls(description) || `Command /${name}`).slice(0, subtaskDescriptionMax),
    ...(agent !== undefined && { agent }),
    ...(model !== "inherit" && { model }),
  };
}

const subtaskDescriptionMax = 100;

/** What the turn of `/commit` is limited to, beside reading. */
const commitRules = ["git add *", "git add", "git commit *", "git commit", "git status*", "git diff*", "git log*"].map(
  (pattern) => ({ permission: "bash", pattern, action: "allow" }) as const,
);

function termsOf(definition: Definition): RunTerms | undefined {
  const { name, fields, place } = definition;
  if (name === "commit" && (place.tier === "bundled" || hidesBundled(definition)))
    return { name: "/commit", allow: commitRules, only: [...commitRules, ...gitReading] };
  const allow = allowedRules(definition);
  const model = textField(fields, "model") ?? "inherit";
  const isNamed = model !== "inherit";
  if (allow.length === 0 && !isNamed) return undefined;
  return { name: `/${name}`, ...(allow.length > 0 && { allow }), ...(isNamed && { model }) };
}

const gitReading = ["git show*", "git rev-parse*", "git branch --show-current", "git ls-files*", "git blame*"].map(
  (pattern) => ({ permission: "bash", pattern, action: "allow" }) as const,
);
