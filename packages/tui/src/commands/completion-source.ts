/** Answers what the prompt asks to be completed: commands with their arguments, paths, symbols and resources. */
import type { CompletionItem, CompletionKind } from "../prompt/completion-question.ts";
import { answered, createBriefMemory, orNothing } from "./brief-memory.ts";
import type { ArgumentContext } from "./command-context.ts";
import { completePath } from "./path-completion.ts";
import { rank } from "./rank.ts";
import { completeResource } from "./resource-completion.ts";
import { findCommand, isArgumentNeeded, offeredCommands, type SlashCommand } from "./slash-command.ts";
import { completeSymbol, symbolSign } from "./symbol-completion.ts";

export type CompletionSourceParts = {
  readonly commands: readonly SlashCommand[];
  readonly context: ArgumentContext;
  /** In milliseconds. */
  readonly now: () => number;
};

export type CompletionSource = {
  complete(
    question: { readonly kind: CompletionKind; readonly text: string },
    signal: AbortSignal,
  ): Promise<readonly CompletionItem[]>;
};

const itemsMax = 50;

export function createCompletionSource({ commands, context, now }: CompletionSourceParts): CompletionSource {
  const { client } = context;
  const remember = createBriefMemory(now);

  async function completeName(text: string, signal: AbortSignal): Promise<readonly CompletionItem[]> {
    const isBusy = context.state().session?.isRunning ?? false;
    const offered = offeredCommands(commands, { isBusy });
    // Enter would take the nearest other name for one that is only refused now: it is sent, and told why.
    if (findCommand(commands, text) !== undefined && findCommand(offered, text) === undefined) return [];
    const listed = remember("engine commands", async () => {
      const answer = await client.ask<"command.list">({ type: "command.list" }, { signal });
      return answered(answer).commands;
    });
    const others = await orNothing(listed);
    const unknown = others.filter(({ name }) => findCommand(commands, name) === undefined);
    const named = [
      ...offered.flatMap((command) => namesOf(command, text)),
      ...unknown.map(({ name, summary }) => ({ label: name, name, detail: summary })),
    ];
    const seen = new Set<string>();
    return rank(named, text).flatMap(({ label, name, detail }) => {
      if (seen.has(name)) return [];
      seen.add(name);
      return [{ value: label, label: `/${label}`, detail }];
    });
  }

  async function completeArgument(
    name: string,
    typed: string,
    signal: AbortSignal,
  ): Promise<readonly CompletionItem[]> {
    const command = findCommand(commands, name);
    const source = command?.arguments;
    if (command === undefined || source === undefined) return [];
    // Where the command means something by itself, Enter must not take the first of a list for it.
    if (typed === "" && !isArgumentNeeded(command)) return [];
    const words =
      typeof source === "function" ? await remember(`/${command.name}`, () => source(context, signal)) : source;
    // A space behind a whole argument: it is complete.
    if (/\s$/.test(typed) && words.includes(typed.trim())) return [];
    return rank(
      words.map((word) => ({ value: `${name} ${word}`, label: word })),
      typed,
    ).slice(0, itemsMax);
  }

  return {
    async complete({ kind, text }, signal) {
      if (kind === "file" && text.startsWith(symbolSign)) {
        return completeSymbol(text.slice(symbolSign.length), { remember, client, signal });
      }
      if (kind === "file") {
        const parts = { remember, client, signal };
        const [paths, resources] = await Promise.all([
          completePath(text, parts),
          completeResource(text, { ...parts, state: context.state }),
        ]);
        return [...paths.map((path) => ({ value: path, label: path })), ...resources];
      }
      const [, name, typed = ""] = /^(\S+)\s+([\s\S]*)$/.exec(text) ?? [];
      return name === undefined ? completeName(text, signal) : completeArgument(name, typed, signal);
    },
  };
}

/** An alias is offered to whoever has begun to write it; otherwise the name says it all. */
function namesOf({ name, aliases, summary }: SlashCommand, text: string) {
  const begun = text === "" ? [] : aliases.filter((alias) => alias.startsWith(text));
  return [
    { label: name, name, detail: summary },
    ...begun.map((alias) => ({ label: alias, name, detail: `${summary} (/${name})` })),
  ];
}
