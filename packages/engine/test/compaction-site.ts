/** A session whose model answers the work and the requests for summaries from two lists, with sizes that a test decides. */

import { printHistory } from "@kedge/memory/picture-archive";
import type { Fact, FileState, ModelEvent, ModelRequest, Models, Provider, Tool } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { createScriptedProvider, type ScriptedAnswer, type ScriptedProvider } from "@kedge/testing";
import type { CompactionParts } from "../src/compaction/compaction-parts.ts";
import { createHarness, type Harness, type HarnessOptions } from "./harness.ts";

export type SiteOptions = Omit<HarnessOptions, "turns" | "provider"> & {
  readonly turns: readonly ScriptedAnswer[];
  readonly summaries?: readonly ScriptedAnswer[];
  readonly compaction?: CompactionParts;
  /** Beside the usual model there is `mock/large`, with a larger window and ten times the price. */
  readonly hasLargeModel?: true;
  /** How the vendor shortens conversations by itself; it does not without this. */
  readonly vendor?: NonNullable<Provider["compact"]>;
};

export type Site = {
  readonly harness: Harness;
  /** What was asked for the work. */
  readonly asked: readonly ModelRequest[];
  /** What was asked for summaries. */
  readonly summaries: readonly ModelRequest[];
};

/** The window of the scripted model is 100,000 tokens; from this on it is shortened. */
export const compactAt = 70_616;
export const overflowAt = 83_616;

/** With the time of the engine's clock, so that nothing looks old. */
export const newStore = () =>
  createMemoryStore({
    now: () => 1_700_000_000_000,
    randomBytes: (size) => new Uint8Array(size).fill(7),
    isAlive: () => false,
  });

export function openSite(given: SiteOptions): Site {
  const { turns, summaries = [], compaction = {}, hasLargeModel, vendor, ...options } = given;
  const main = createScriptedProvider(turns);
  const side: ScriptedProvider = createScriptedProvider(summaries);
  const provider: Provider = {
    stream: (request, signal) => (request.source === "compaction" ? side : main).stream(request, signal),
    ...(vendor !== undefined && { compact: vendor }),
  };
  const { settings, ...parts } = compaction;
  const harness = createHarness({
    store: newStore(),
    ...options,
    provider,
    parts: {
      ...options.parts,
      ...(hasLargeModel && { models: twoModels(provider) }),
      compaction: {
        printHistory: async (...history) => printHistory(...history),
        ...parts,
        settings: { keepRecentTokens: 0, dropUseless: false, supersedeReads: false, ...settings },
      },
    },
  });
  return { harness, asked: main.requests, summaries: side.requests };
}

function twoModels(provider: Provider): Models {
  const model = { provider: "mock", outputTokensMax: 8_000 };
  return {
    find: async (ref) =>
      ref === "mock/large"
        ? { ok: true, provider, model: { ...model, ref, id: "large", contextTokens: 400_000 } }
        : { ok: true, provider, model: { ...model, ref, id: "model", contextTokens: 100_000 } },
    cost: ({ id }, { input, output }) => ({
      usd: ((input + output) * (id === "large" ? 10 : 1)) / 1e6,
      estimated: false,
    }),
  };
}

const text = (delta: string): ModelEvent => ({ type: "text-delta", text: delta });

/** An answer after which the vendor has counted so many tokens in all. */
export function answer(delta: string, contextTokens = 100): readonly ModelEvent[] {
  return [text(delta), counted("end", contextTokens)];
}

export function callOf(callId: string, tool: string, input: object, contextTokens = 100): readonly ModelEvent[] {
  const inputText = JSON.stringify(input);
  return [
    { type: "tool-call", call: { type: "tool-call", callId, tool, inputText } },
    counted("tool-calls", contextTokens),
  ];
}

export function counted(stopReason: "end" | "tool-calls" | "output-limit", contextTokens: number): ModelEvent {
  const usage = { input: contextTokens - 10, output: 10, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
  return { type: "end", stopReason, usage };
}

export function failing(code: "prompt_too_long" | "server_error", message = `It was ${code}.`): readonly ModelEvent[] {
  return [{ type: "failed", failure: { code, message, retryable: false } }];
}

/** So many tokens by the estimate, which counts three characters for one. */
export function words(tokens: number, word = "word "): string {
  return word.repeat(Math.ceil((tokens * 3) / word.length)).slice(0, tokens * 3);
}

/** The facts about the size of the conversation, whole. */
export function contextFacts(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter(
    ({ type }) => type === "context.compacted" || type === "compaction.failed" || type === "context.cleared",
  );
}

export function compactions(facts: readonly Fact[]) {
  return facts.flatMap((fact) => (fact.type === "context.compacted" ? [fact] : []));
}

/** What the model saw with this request, in short: the role and the first words. */
export function shown(request: ModelRequest | undefined, characters = 40): readonly string[] {
  return (request?.messages ?? []).map((message) => {
    const said =
      message.role === "user"
        ? message.text
        : message.role === "tool"
          ? message.output
          : message.content.map((block) => (block.type === "text" ? block.text : block.type)).join(" ");
    return `${message.role}: ${said.slice(0, characters).split("\n").slice(0, 2).join(" ")}`;
  });
}

/** The whole text of the record that stands first in a request. */
export function recordIn(request: ModelRequest | undefined): string {
  const first = request?.messages[0];
  return first?.role === "user" ? first.text : "";
}

export const summaryText = "## Goal\nMend the parser.\n## Current state and next step\nHalf done.";

/** A file state that remembers what it is told, as the real one does. */
export function newFileState(): FileState {
  const hashes = new Map<string, string>();
  return {
    remember: (path, hash) => {
      hashes.set(path, hash);
    },
    known: (path) => hashes.get(path),
    exclusively: (_, work) => work(),
  };
}

/** Two tools that keep the rule about files: an edit works only on what was read. */
export function fileTools(disk: ReadonlyMap<string, string>): readonly Tool[] {
  const pathOf = (input: unknown) => `/project/${(input as { readonly filePath: string }).filePath}`;
  const plain = {
    inputSchema: { type: "object" },
    resultCharactersMax: 50_000,
    parse: (input: unknown) => ({ ok: true, input }) as const,
    concurrencySafe: () => false,
  } as const;
  return [
    {
      ...plain,
      name: "read",
      description: "reads",
      needs: (input) => [
        { permission: "read", patterns: [pathOf(input)], always: [], access: "read", paths: [pathOf(input)] },
      ],
      readOnly: () => true,
      run: async (input, { files }) => {
        const content = disk.get(pathOf(input)) ?? "";
        files.remember(pathOf(input), content);
        return { output: content, title: "" };
      },
    },
    {
      ...plain,
      name: "edit",
      description: "edits",
      needs: (input) => [
        { permission: "edit", patterns: [pathOf(input)], always: [], access: "write", paths: [pathOf(input)] },
      ],
      readOnly: () => false,
      run: async (input, { files }) => {
        const isKnown = files.known(pathOf(input)) === disk.get(pathOf(input));
        return isKnown ? { output: "edited", title: "" } : { output: "read it first", title: "", isError: true };
      },
    },
  ];
}

export const result = (site: Site) => site.harness.facts().findLast((fact) => fact.type === "run.ended");
export const notices = (site: Site) =>
  site.harness.signals().flatMap((signal) => (signal.type === "notice" ? [signal.text] : []));

/** Two turns, of which the second leaves the conversation with so many tokens, and then a third prompt. */
export async function threeTurns(
  contextTokens: number,
  options: Partial<SiteOptions> = {},
  last = "Three",
): Promise<Site> {
  const site = openSite({
    turns: [answer("One done."), answer("Two done.", contextTokens), answer("Three done.")],
    summaries: [answer(summaryText)],
    ...options,
  });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, `One: ${words(500)}`);
  await site.harness.prompt(sessionId, "Two");
  await site.harness.prompt(sessionId, last);
  return site;
}
