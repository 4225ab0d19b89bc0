/** Prompts of servers as commands that users type: `/mcp:<server>:<prompt>`. */
import type { Prompt, PromptMessage } from "@modelcontextprotocol/client";
import { splitWords } from "../../definitions/split-words.ts";
import { connectMs } from "../connection/limits.ts";
import type { LiveServer } from "../connection/live-server.ts";
import { describeState } from "../connection/server-state.ts";
import { readSkill } from "./server-skills.ts";

export type ServerPrompt = {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string;
  /** The text for the model, from what was typed behind the name. */
  readonly fill: (typed: string, signal: AbortSignal) => Promise<FilledPrompt>;
  readonly complete: (argument: string, begun: string, signal: AbortSignal) => Promise<readonly string[]>;
};

export type FilledPrompt =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly sentence: string };

export function serverPrompts(live: LiveServer, serverId: string): readonly ServerPrompt[] {
  return [...promptsOf(live, serverId), ...skillsOf(live, serverId)];
}

/** A skill is typed like a prompt; what stands behind its name goes along with its instructions. */
function skillsOf(live: LiveServer, serverId: string): readonly ServerPrompt[] {
  const taken = new Set(live.offers().prompts.map(({ name }) => commandName(serverId, name)));
  return live.offers().skills.flatMap((skill): readonly ServerPrompt[] => {
    const name = commandName(serverId, skill.name);
    if (taken.has(name)) return [];
    const { description } = skill;
    const fill: ServerPrompt["fill"] = async (typed, signal) => {
      const read = await readSkill(live, skill, { signal });
      return read.ok && typed.trim() !== "" ? { ok: true, text: `${read.text}\n\n${typed.trim()}` } : read;
    };
    return [{ name, description, fill, complete: async () => [] }];
  });
}

function commandName(serverId: string, name: string): string {
  return `mcp:${serverId}:${name.replaceAll(/[^\w-]/g, "_")}`;
}

function promptsOf(live: LiveServer, serverId: string): readonly ServerPrompt[] {
  return live.offers().prompts.map((prompt) => {
    const { name, description = "", arguments: declared = [] } = prompt;
    const hint = declared.map((each) => (each.required ? `<${each.name}>` : `[${each.name}]`)).join(" ");
    return {
      name: commandName(serverId, name),
      description,
      ...(hint !== "" && { argumentHint: hint }),
      fill: (typed, signal) => fillPrompt(live, prompt, typed, signal),
      complete: (argument, begun, signal) => completeArgument(live, { prompt: name, argument, begun }, signal),
    };
  });
}

async function fillPrompt(live: LiveServer, prompt: Prompt, typed: string, signal: AbortSignal): Promise<FilledPrompt> {
  const { name: server } = live.server;
  const given = readArguments(prompt, typed);
  const missing = (prompt.arguments ?? []).filter(({ name, required }) => required && given[name] === undefined);
  if (missing.length > 0)
    return {
      ok: false,
      sentence: `${prompt.name} needs ${missing.map(({ name }) => name).join(", ")}. Write them in order, or as name=value.`,
    };
  try {
    const used = await live.use(
      (client) => client.getPrompt({ name: prompt.name, arguments: given }, { signal, timeout: connectMs }),
      () => true,
    );
    if (!used.ok) return { ok: false, sentence: `The MCP server ${server} is ${describeState(used.state)}.` };
    return { ok: true, text: used.value.messages.map(textOf).join("\n\n") };
  } catch {
    return { ok: false, sentence: `The MCP server ${server} could not create the prompt ${prompt.name}.` };
  }
}

/** By position or as `name=value`; the last one takes all the words that are left. */
function readArguments({ arguments: declared = [] }: Prompt, typed: string): Record<string, string> {
  const values: Record<string, string> = {};
  const names = declared.map(({ name }) => name);
  const positional: string[] = [];
  for (const word of splitWords(typed)) {
    const [, name, value] = /^([\w-]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined && names.includes(name)) values[name] = value;
    else positional.push(word);
  }
  const open = names.filter((name) => values[name] === undefined);
  open.forEach((name, at) => {
    const words = at === open.length - 1 ? positional.slice(at) : positional.slice(at, at + 1);
    if (words.length > 0) values[name] = words.join(" ");
  });
  return values;
}

function textOf({ role, content }: PromptMessage): string {
  const said =
    content.type === "text"
      ? content.text
      : content.type === "resource" && "text" in content.resource
        ? `${content.resource.uri}:\n${content.resource.text}`
        : `(${content.type})`;
  return role === "assistant" ? `Assistant: ${said}` : said;
}

type Completion = { readonly prompt: string; readonly argument: string; readonly begun: string };

/** Nothing where the server does not complete, or not in time. */
async function completeArgument(
  live: LiveServer,
  { prompt, argument, begun }: Completion,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const used = await live.use(
      (client) =>
        client.complete(
          { ref: { type: "ref/prompt", name: prompt }, argument: { name: argument, value: begun } },
          { signal, timeout: connectMs },
        ),
      () => true,
    );
    return used.ok ? used.value.completion.values : [];
  } catch {
    return [];
  }
}
