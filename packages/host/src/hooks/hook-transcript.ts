/** The transcript that hooks are told of: a line per message, written on from where it ended before each hook. */
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Fact, FactRecord, JsonObject, Store } from "@kedge/protocol";

export type HookTranscripts = {
  path(sessionId: string): string;
  /** Gives the path of the file, which has everything that is stored by now. */
  write(sessionId: string): Promise<string>;
  /** Removes what was written. */
  close(): void;
};

export type HookTranscriptParts = {
  readonly directory: string;
  readonly store: Pick<Store, "read">;
  readonly redact: (text: string) => string;
};

const plainName = /^[\w-]{1,128}$/;

export function createHookTranscripts({ directory, store, redact }: HookTranscriptParts): HookTranscripts {
  const written = new Map<string, number>();
  /** Two hooks that start together write one after the other. */
  let last: Promise<unknown> = Promise.resolve();

  const pathOf = (sessionId: string) => join(directory, `${plainName.test(sessionId) ? sessionId : "session"}.jsonl`);

  async function append(sessionId: string): Promise<string> {
    const path = pathOf(sessionId);
    const known = written.get(sessionId);
    if (known === undefined) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, "", { mode: 0o600 });
    }
    let seq = known ?? 0;
    const lines: string[] = [];
    for await (const record of store.read(sessionId, seq)) {
      seq = record.seq;
      for (const line of linesOf(record, sessionId)) lines.push(`${redact(JSON.stringify(line))}\n`);
    }
    if (lines.length > 0) appendFileSync(path, lines.join(""));
    written.set(sessionId, seq);
    return path;
  }

  return {
    path: pathOf,
    write(sessionId) {
      const next = last.then(() => append(sessionId));
      last = next.catch(() => undefined);
      return next;
    },
    close() {
      for (const sessionId of written.keys()) rmSync(pathOf(sessionId), { force: true });
    },
  };
}

function linesOf({ fact, time }: FactRecord, sessionId: string): readonly JsonObject[] {
  const said = saidBy(fact);
  return said.map(({ role, content }) => ({
    type: role,
    sessionId,
    timestamp: new Date(time).toISOString(),
    message: { role, content },
  }));
}

type Said = { readonly role: "user" | "assistant"; readonly content: string | readonly JsonObject[] };

function saidBy(fact: Fact): readonly Said[] {
  switch (fact.type) {
    case "prompt.admitted":
      return [{ role: "user", content: fact.text }];
    case "step.ended":
      return [
        {
          role: "assistant",
          content: fact.content.flatMap((block): readonly JsonObject[] => {
            if (block.type === "text") return [{ type: "text", text: block.text }];
            if (block.type === "tool-call")
              return [{ type: "tool_use", id: block.callId, name: block.tool, input: inputOf(block.inputText) }];
            return [];
          }),
        },
      ];
    case "tool.ended": {
      const { callId, output, outcome } = fact;
      const result = { type: "tool_result", tool_use_id: callId, content: output, is_error: outcome !== "completed" };
      return [{ role: "user", content: [result] }];
    }
    default:
      return [];
  }
}

function inputOf(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    // Parsed from JSON, so it holds nothing else.
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}
