/** Slash commands that need no model: they read the folded state of the session and answer in text and data. */
import type { LocalCommand } from "@kedge/engine";
import type { RunOptions, SessionState } from "@kedge/protocol";
import { type LocalExtensionParts, localExtensionCommands } from "../extensions/local-extension-commands.ts";
import type { Instructions } from "../instructions/open-instructions.ts";
import type { ProjectMemory } from "../memory/open-memory.ts";

export type LocalCommandFacts = {
  readonly kedgeVersion: string;
  readonly home: string;
  /** Of several that one person uses; absent for the usual one. */
  readonly profile?: string;
  /** Of this place of work. */
  readonly instructions?: { readonly of: Instructions; readonly root: string; readonly now: () => number };
  readonly memory?: ProjectMemory;
  readonly extensions?: LocalExtensionParts;
  /** Where the key for a model comes from, never the key. */
  readonly keySource?: (model: string) => string;
};

export function createLocalCommands(facts: LocalCommandFacts): LocalCommand[] {
  const commands: LocalCommand[] = [
    { name: "help", summary: "lists these commands", run: async () => ({ text: helpText(commands) }) },
    { name: "cost", summary: "shows what this session has used and cost", run: async (_, state) => costOf(state) },
    {
      name: "status",
      summary: "shows session, model, mode and directory",
      run: async (_, state, options?: RunOptions) => statusOf(state, facts, options, await definitionsLine(facts)),
    },
    ...instructionCommands(facts),
    ...memoryCommands(facts),
    ...(facts.extensions === undefined ? [] : localExtensionCommands(facts.extensions)),
  ];
  return commands;
}

/** What they need is loaded by the first of them. */
function instructionCommands({ instructions }: LocalCommandFacts): readonly LocalCommand[] {
  if (instructions === undefined) return [];
  const { root } = instructions;
  return [
    {
      name: "init",
      summary: "propose an AGENTS.md for this repository, or improve the one it has",
      run: async (argument) => ({
        prompt: (await import("../instructions/init-prompt.ts")).initPrompt(root, argument),
      }),
    },
  ];
}

function memoryCommands({ instructions, memory, home }: LocalCommandFacts): readonly LocalCommand[] {
  if (instructions === undefined || memory === undefined) return [];
  const { of, now } = instructions;
  return [
    {
      name: "memory",
      summary: "list instruction files and what kedge remembers here, and change both",
      run: async (argument) => {
        const { runSlashMemory } = await import("../memory/slash-memory.ts");
        return runSlashMemory(argument, { instructions: of, memory, home, now });
      },
    },
    {
      name: "file",
      summary: "save the last answer as a page of memory, with its sources and your title",
      run: async (argument, state) => (await import("../memory/file-answer.ts")).fileAnswer(argument, state, memory),
    },
  ];
}

function helpText(commands: readonly LocalCommand[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return commands.map(({ name, summary }) => `/${name.padEnd(width)}  ${summary}`).join("\n");
}

const dollarDigits = 4;

function costOf({ usage, cost, turns }: SessionState) {
  const text = columnsText({
    cost: `$${cost.usd.toFixed(dollarDigits)}${cost.estimated ? " (estimated)" : ""}`,
    "model calls": `${turns}`,
    "input tokens": `${usage.input} (${usage.cacheRead} more read from the cache, ${usage.cacheWrite} written to it)`,
    "output tokens": `${usage.output}`,
    "thinking tokens": `${usage.reasoning} (part of the output)`,
  });
  return { text, data: { usage: { ...usage }, cost: { ...cost }, turns } };
}

/** `options` are those that a prompt in place of the command would run with. */
function statusOf(
  state: SessionState,
  facts: LocalCommandFacts,
  options: RunOptions | undefined,
  definitions: string | undefined,
) {
  const { sessionId, title, model, mode, directory } = state;
  const status = {
    version: facts.kedgeVersion,
    session: sessionId,
    title,
    model: model === "" ? "none configured" : model,
    ...(facts.keySource !== undefined && model !== "" && { key: facts.keySource(model) }),
    ...(options !== undefined && { thinking: thinkingText(options) }),
    mode,
    directory,
    home: facts.home,
    ...(facts.profile !== undefined && { profile: facts.profile }),
    ...(state.style !== undefined && { style: state.style.name }),
    ...(state.brevity !== undefined && { brevity: state.brevity.name }),
    ...(definitions !== undefined && { definitions }),
  };
  return { text: columnsText(status), data: status };
}

/** Of skills and commands: what is hidden by another of its name or cannot be used; nothing where all is well. */
async function definitionsLine({ extensions }: LocalCommandFacts): Promise<string | undefined> {
  if (extensions === undefined) return undefined;
  const found = await Promise.all((["skill", "command"] as const).map(extensions.extensions.find));
  const hidden = found.flatMap((each) => each.hidden).length;
  const refused = found.flatMap((each) => each.refused).length;
  if (hidden + refused === 0) return undefined;
  return `${hidden} hidden by another of the same name, ${refused} refused; /skills and /commands say why`;
}

function thinkingText({ reasoning = {} }: RunOptions): string {
  const { effort, tokensMax } = reasoning;
  if (effort === "off" || tokensMax === 0) return "off";
  const limit = tokensMax === undefined ? undefined : `at most ${tokensMax} tokens`;
  if (effort === undefined) return limit ?? "left to the model";
  return limit === undefined ? `effort ${effort}` : `effort ${effort}, ${limit}`;
}

function columnsText(rows: { readonly [name: string]: string }): string {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  return Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(width)}  ${value}`)
    .join("\n");
}
