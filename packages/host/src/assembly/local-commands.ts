/** Slash commands that need no model: they read the folded state of the session and answer in text and data. */
import type { LocalCommand } from "@kedge/engine";
import { costText, type FoundRecord, type RunOptions, type SessionState } from "@kedge/protocol";
import type { OpenedAgents } from "../agents/open-agents.ts";
import type { DebugLog } from "../debug-log/debug-log.ts";
import { type LocalExtensionParts, localExtensionCommands } from "../extensions/local-extension-commands.ts";
import type { SlashHooks } from "../hooks/slash-hooks.ts";
import type { Instructions } from "../instructions/open-instructions.ts";
import type { LspParts } from "../lsp/lsp-words.ts";
import type { OpenedMcp } from "../mcp/open-mcp.ts";
import type { ProjectMemory } from "../memory/open-memory.ts";
import type { SlashPlugin } from "../plugins/slash-plugin.ts";
import type { OpenedProof } from "../proof/open-proof.ts";
import { proofCommands } from "../proof/proof-commands.ts";
import type { FindRecords } from "../search/search-records.ts";
import type { Workflows } from "../workflows/open-workflows.ts";
import type { SlashWorkflowParts } from "../workflows/slash-workflow.ts";

export type LocalCommandFacts = {
  readonly kedgeVersion: string;
  readonly home: string;
  /** Of several that one person uses; absent for the usual one. */
  readonly profile?: string;
  /** Of this place of work. */
  readonly instructions?: { readonly of: Instructions; readonly root: string; readonly now: () => number };
  readonly memory?: ProjectMemory;
  readonly hooks?: SlashHooks;
  /** Language servers and formatters of this place of work. */
  readonly lsp?: LspParts;
  readonly mcp?: { readonly opened: OpenedMcp | undefined };
  readonly agents?: OpenedAgents;
  readonly plugins?: SlashPlugin;
  readonly workflows?: Pick<SlashWorkflowParts, "onNotice"> & { readonly open: () => Promise<Workflows> };
  /** Looks into the sessions and the memory of this project. */
  readonly findRecords?: FindRecords;
  readonly proof?: OpenedProof;
  readonly extensions?: LocalExtensionParts;
  readonly debugLog?: DebugLog;
  /** Those that users and bundled skills bring. */
  readonly addedCommands?: () => Promise<readonly LocalCommand[]>;
  /** Where the key for a model comes from, never the key. */
  readonly keySource?: (model: string) => string;
};

export function createLocalCommands(facts: LocalCommandFacts): LocalCommand[] {
  const commands: LocalCommand[] = [
    { name: "help", summary: "List these commands", run: async () => ({ text: helpText(commands) }) },
    { name: "cost", summary: "Show token usage and cost of this session", run: async (_, state) => costOf(state) },
    {
      name: "status",
      summary: "Show session, model, mode and directory",
      run: async (_, state, options?: RunOptions) => statusOf(state, facts, options, await definitionsLine(facts)),
    },
    ...instructionCommands(facts),
    ...memoryCommands(facts),
    ...hookCommands(facts),
    ...lspCommands(facts),
    ...mcpCommands(facts),
    ...agentCommands(facts),
    ...pluginCommands(facts),
    ...searchCommands(facts),
    ...workflowCommands(facts),
    ...debugCommands(facts),
    ...(facts.proof === undefined ? [] : proofCommands(facts.proof, facts.agents)),
    ...(facts.extensions === undefined ? [] : localExtensionCommands(facts.extensions)),
  ];
  return commands;
}

/** The first of a name is the one that answers to it. */
export function withoutDoubles<Named extends { readonly name: string }>(commands: readonly Named[]): readonly Named[] {
  return [...new Map(commands.toReversed().map((command) => [command.name, command])).values()].toReversed();
}

/** Everything but the log is for the skill of the same name. */
function debugCommands({ debugLog, addedCommands }: LocalCommandFacts): readonly LocalCommand[] {
  if (debugLog === undefined) return [];
  return [
    {
      name: "debug",
      summary: "Debug a problem, or write a debug log of this session",
      argumentHint: "[problem | log [on | off]]",
      async run(argument, state, ...others) {
        const log = /^log(?:\s+(on|off))?$/.exec(argument.trim());
        if (log === null) {
          const skill = (await addedCommands?.())?.find(({ name }) => name === "debug");
          if (skill !== undefined) return skill.run(argument, state, ...others);
        } else if (log[1] !== undefined) debugLog.turn(log[1] === "on");
        const isOn = debugLog.isOn();
        const path = debugLog.pathOf(state.sessionId);
        const hint = isOn ? "Turn it off with /debug log off." : "Turn it on with /debug log on.";
        return { text: `The debug log is ${isOn ? "on" : "off"}: ${path}\n${hint}`, data: { isOn, path } };
      },
    },
  ];
}

/** What they need is loaded by the first of them. */
function instructionCommands({ instructions }: LocalCommandFacts): readonly LocalCommand[] {
  if (instructions === undefined) return [];
  const { root } = instructions;
  return [
    {
      name: "init",
      summary: "Create or improve AGENTS.md for this repository",
      run: async (argument) => ({
        prompt: (await import("../instructions/init-prompt.ts")).initPrompt(root, argument),
      }),
    },
  ];
}

function memoryCommands({ instructions, memory, home }: LocalCommandFacts): readonly LocalCommand[] {
  if (instructions === undefined || memory === undefined) return [];
  const { of, now } = instructions;
  const dreamed = async (words: readonly string[], { sessionId }: SessionState) => {
    const { text, data } = await (await import("../memory/dream-command.ts")).dream(words, sessionId, memory);
    return { text, ...(data !== undefined && { data }) };
  };
  return [
    {
      name: "memory",
      summary: "Show and edit instruction files and memory",
      run: async (argument, state) => {
        const [first, ...words] = argument.split(/\s+/);
        if (first === "consolidate") return dreamed(words, state);
        const { runSlashMemory } = await import("../memory/slash-memory.ts");
        return runSlashMemory(argument, { instructions: of, memory, home, now });
      },
    },
    {
      name: "dream",
      summary: "Consolidate memory (--dry-run only shows the changes)",
      run: async (argument, state) => dreamed(argument.split(/\s+/).filter(Boolean), state),
    },
    {
      name: "file",
      summary: "Save the last answer to memory with its sources, under a title",
      run: async (argument, state) => (await import("../memory/file-answer.ts")).fileAnswer(argument, state, memory),
    },
  ];
}

function hookCommands({ hooks }: LocalCommandFacts): readonly LocalCommand[] {
  if (hooks === undefined) return [];
  const run = async () => (await import("../hooks/slash-hooks.ts")).runSlashHooks(hooks);
  return [{ name: "hooks", summary: "List hooks and their problems", run }];
}

function workflowCommands({ workflows }: LocalCommandFacts): readonly LocalCommand[] {
  if (workflows === undefined) return [];
  const stops = new Map<string, AbortController>();
  return [
    {
      name: "workflow",
      summary: "List workflows; run, resume or stop one in the background",
      argumentHint: "[run <name> [args] | runs | show | resume | stop <run>]",
      run: async (argument, { sessionId }) => {
        const { runSlashWorkflow } = await import("../workflows/slash-workflow.ts");
        const { onNotice, open } = workflows;
        return runSlashWorkflow(argument, { workflows: await open(), sessionId, onNotice, stops });
      },
    },
  ];
}

function lspCommands({ lsp }: LocalCommandFacts): readonly LocalCommand[] {
  if (lsp === undefined) return [];
  const run = async (argument: string) => {
    const words = argument.split(/\s+/).filter(Boolean);
    const answer = await (await import("../lsp/lsp-words.ts")).runLspWords(words, lsp);
    if (answer === undefined) return { text: "Usage: /lsp [list], or /lsp restart <server>." };
    return { text: answer.text, data: answer.data };
  };
  return [{ name: "lsp", summary: "List language servers and formatters, or restart a server", run }];
}

function agentCommands({ agents, home, proof }: LocalCommandFacts): readonly LocalCommand[] {
  if (agents === undefined) return [];
  return [
    {
      name: "team",
      summary: "Show the team of this session, write to a teammate, land their work or end the team",
      argumentHint: "[message <teammate> <text> | land [teammate...] [--test <command>] | stop [--force]]",
      run: async (argument, state) => {
        const { runSlashTeam } = await import("../teams/slash-team.ts");
        const site = proof === undefined ? {} : { proof: proof.parts };
        return runSlashTeam(argument, state, { agents, home, ...site });
      },
    },
    {
      name: "agents",
      summary: "List agents; show, message, interrupt, stop or revive one",
      argumentHint: "[show|message|interrupt|kill|revive <agent>]",
      run: async (argument, state) => {
        const { runSlashAgents } = await import("../agents/slash-agents.ts");
        return runSlashAgents(argument, state, agents);
      },
    },
  ];
}

function mcpCommands({ mcp }: LocalCommandFacts): readonly LocalCommand[] {
  if (mcp === undefined) return [];
  return [
    {
      name: "mcp",
      summary: "List, connect, disconnect and approve MCP servers",
      argumentHint: "[show|connect|disconnect|approve|accept|logs <name>]",
      run: async (argument) => {
        const { text, data } = await (await import("../mcp/slash-mcp.ts")).runSlashMcp(argument, mcp.opened);
        return { text, ...(data !== undefined && { data }) };
      },
    },
  ];
}

function pluginCommands({ plugins }: LocalCommandFacts): readonly LocalCommand[] {
  if (plugins === undefined) return [];
  const run = async () => (await import("../plugins/slash-plugin.ts")).runSlashPlugin(plugins);
  return [{ name: "plugin", summary: "List plugins and what they provide", run }];
}

const foundMax = 20;

function searchCommands({ findRecords }: LocalCommandFacts): readonly LocalCommand[] {
  if (findRecords === undefined) return [];
  return [
    {
      name: "search",
      summary: "Search earlier sessions and memory of this project",
      run: async (argument) => {
        if (argument.trim() === "") return { text: "Usage: /search <words>." };
        const found = await findRecords({ text: argument, limit: foundMax });
        return { text: found.length === 0 ? "No results." : found.map(recordText).join("\n"), data: [...found] };
      },
    },
  ];
}

function recordText(found: FoundRecord): string {
  if (found.kind === "note") return `memory/${found.file}  ${found.snippet}`;
  const day = new Date(found.time).toISOString().slice(0, "2000-01-01".length);
  return `${day}  ${found.sessionId}  ${found.tool ?? found.role}  ${found.snippet}`;
}

function helpText(commands: readonly LocalCommand[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return commands.map(({ name, summary }) => `/${name.padEnd(width)}  ${summary}`).join("\n");
}

const dollarDigits = 4;

function costOf({ usage, cost, turns, backgroundUsd }: SessionState) {
  const text = columnsText({
    cost: costText(cost, (usd) => `$${usd.toFixed(dollarDigits)}`),
    ...(backgroundUsd > 0 && { "of which background": `$${backgroundUsd.toFixed(dollarDigits)} (titles, memory)` }),
    "model calls": `${turns}`,
    "input tokens": `${usage.input} (${usage.cacheRead} more read from the cache, ${usage.cacheWrite} written to it)`,
    "output tokens": `${usage.output}`,
    "reasoning tokens": `${usage.reasoning} (part of the output)`,
  });
  return { text, data: { usage: { ...usage }, cost: { ...cost }, turns, backgroundUsd } };
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
    model: model === "" ? "none" : model,
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

/** What was found and is not used: hidden by another of its name, unusable, or hooks that do not count. */
async function definitionsLine({ extensions, hooks }: LocalCommandFacts): Promise<string | undefined> {
  const find = extensions?.extensions.find;
  const found = find === undefined ? [] : await Promise.all((["skill", "command", "style"] as const).map(find));
  const hidden = found.flatMap((each) => each.hidden).length;
  const refused = found.flatMap((each) => each.refused).length;
  const left = hooks?.left?.length ?? 0;
  if (hidden + refused + left === 0) return undefined;
  const ofHooks = left === 0 ? "" : `, hooks of ${left} file${left === 1 ? "" : "s"} not used`;
  return `${hidden} shadowed by another of the same name, ${refused} refused${ofHooks}; see kedge config explain`;
}

function thinkingText({ reasoning = {} }: RunOptions): string {
  const { effort, tokensMax } = reasoning;
  if (effort === "off" || tokensMax === 0) return "off";
  const limit = tokensMax === undefined ? undefined : `at most ${tokensMax} tokens`;
  if (effort === undefined) return limit ?? "model default";
  return limit === undefined ? `effort ${effort}` : `effort ${effort}, ${limit}`;
}

function columnsText(rows: { readonly [name: string]: string }): string {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  return Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(width)}  ${value}`)
    .join("\n");
}
