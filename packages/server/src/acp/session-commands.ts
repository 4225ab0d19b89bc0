/** Slash commands that act on the session itself and need no model to understand them. */
import type { AvailableCommand } from "@agentclientprotocol/sdk";
import type { Client, Failure, FileChange } from "@kedge/protocol";

type SessionCommand = {
  readonly summary: string;
  readonly hint?: string;
  run(client: Client, sessionId: string, words: string): Promise<string>;
};

const commands: { readonly [name: string]: SessionCommand } = {
  undo: {
    summary: "Undo the last prompt",
    async run(client, sessionId) {
      const undone = await client.send<"session.undo">({ type: "session.undo", sessionId });
      return undone.ok ? changesText("Undone", undone.value.files) : sentenceOf(undone.failure);
    },
  },
  redo: {
    summary: "Redo the last undo",
    async run(client, sessionId) {
      const redone = await client.send<"session.redo">({ type: "session.redo", sessionId });
      return redone.ok ? changesText("Redone", redone.value.files) : sentenceOf(redone.failure);
    },
  },
  compact: {
    summary: "Summarize older messages to free context",
    hint: "what to keep",
    async run(client, sessionId, words) {
      const instructions = words === "" ? {} : { instructions: words };
      const compacted = await client.send<"context.compact">({ type: "context.compact", sessionId, ...instructions });
      if (!compacted.ok) return sentenceOf(compacted.failure);
      const { tokensBefore, tokensAfter } = compacted.value;
      return `Compacted from ${tokensBefore} to about ${tokensAfter} tokens.`;
    },
  },
};

/** Undefined when the text is none of these. */
export async function runSessionCommand(client: Client, sessionId: string, text: string): Promise<string | undefined> {
  const [, name = "", words = ""] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return command?.run(client, sessionId, words.trim());
}

/** Those of this file and those that the engine knows. */
export async function availableCommands(client: Pick<Client, "ask">): Promise<AvailableCommand[]> {
  const listed = await client.ask<"command.list">({ type: "command.list" });
  const known = listed.ok ? listed.value.commands : [];
  const own = Object.entries(commands).map(([name, { summary, hint }]) => ({
    name,
    description: summary,
    ...(hint !== undefined && { input: { hint } }),
  }));
  const ownNames = new Set(own.map(({ name }) => name));
  return [
    ...known.filter(({ name }) => !ownNames.has(name)).map(({ name, summary }) => ({ name, description: summary })),
    ...own,
  ];
}

function changesText(done: string, files: readonly FileChange[]): string {
  if (files.length === 0) return `${done}; no files changed.`;
  return [`${done}:`, ...files.map(({ path, status }) => `- ${path} (${status})`)].join("\n");
}

function sentenceOf({ message, recovery }: Failure): string {
  return recovery === undefined ? message : `${message} ${recovery}`;
}
