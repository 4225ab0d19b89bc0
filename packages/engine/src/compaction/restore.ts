/** What the model gets again beside a summary: the user's own words, the present state, and the files it works with. */
import { join, sep } from "node:path";
import {
  type CallResult,
  type ConversationItem,
  type Jobs,
  type PromptItem,
  type SessionState,
  sightedPath,
  type TreeItem,
  toolCalls,
} from "@kedge/protocol";
import { boundOutput } from "../call/text/bound-output.ts";
import type { EngineParts } from "../parts.ts";
import { createReadRights, isSecretFile } from "../permission/index.ts";
import { harmless } from "../prompt-texts.ts";
import { estimateTokens } from "../window/estimate-tokens.ts";
import { type FileUse, namedFilesOf } from "../window/file-uses.ts";
import type { Cut } from "./cut.ts";
import type { KnownFile } from "./file-knowledge.ts";
import { wordsBlock } from "./texts.ts";

const filesMax = 5;
const agentsMax = 50;
const fileTokensMax = 5_000;
const wordsTokensMax = 8_000;
const wordsOfOneMax = 2_000;
/** So that the estimate of a text that was cut to so many tokens is not above them. */
const charactersPerToken = 3;

export type RestoreParts = {
  readonly engine: Pick<EngineParts, "workspace" | "rules" | "compaction" | "redact">;
  readonly state: SessionState;
  readonly jobs: Pick<Jobs, "list">;
  /** What may be shown of all together. */
  readonly tokensMax: number;
};

export type Restored = {
  readonly texts: readonly string[];
  /** Those that are shown again, as they are now. */
  readonly files: readonly KnownFile[];
  /** Those that what was kept still shows. */
  readonly stillShown: readonly string[];
  readonly planFile?: string;
};

export async function restore(cut: Cut, parts: RestoreParts): Promise<Restored> {
  const { engine, state } = parts;
  const words = userWords(cut, parts);
  // What holds and what was demanded is small and never left out.
  const texts = [...stateTexts(parts), ...(words === undefined ? [] : [words])].map(engine.redact);
  let tokensLeft = texts.reduce((left, text) => left - estimateTokens(text), parts.tokensMax);
  const directory = engine.workspace.cwd;
  const shown = new Set(filesShownBy(cut.kept, directory));
  const used = usedFiles(sightedPath(state, state.leaf), directory);
  const plans = join(engine.workspace.root, ".kedge", "plans") + sep;
  const planFile = used.find((path) => path.startsWith(plans));
  const files: KnownFile[] = [];
  async function show(path: string): Promise<boolean> {
    if (shown.has(path) || !mayShow(path, parts)) return false;
    const file = await engine.compaction?.readFile?.(path);
    if (file === undefined) return false;
    const text = fileBlock(path, engine.redact(file.text));
    const tokens = estimateTokens(text);
    if (tokens > tokensLeft) return false;
    tokensLeft -= tokens;
    texts.push(text);
    files.push({ path, contentHash: file.contentHash });
    return true;
  }
  if (planFile !== undefined) await show(planFile);
  let others = 0;
  for (const path of used) {
    if (others >= filesMax) break;
    if (path !== planFile && (await show(path))) others += 1;
  }
  return { texts, files, stillShown: [...shown], ...(planFile !== undefined && { planFile }) };
}

function fileBlock(path: string, text: string): string {
  const shown = boundOutput(text, fileTokensMax * charactersPerToken);
  return `<restored-file path=${JSON.stringify(path)}>\n${harmless(shown)}\n</restored-file>`;
}

/** Nobody is asked: what a rule, a place or a name puts in question is not shown again unasked. */
function mayShow(path: string, { engine, state }: RestoreParts): boolean {
  const { rules, workspace } = engine;
  if (isSecretFile(path)) return false;
  const rights = createReadRights({ workspace, rules, grants: () => state.grants, mode: () => "default" });
  return rights.of(path).answer === "allow";
}

/** All paths that calls named, the one used last first. */
function usedFiles(items: readonly TreeItem[], directory: string): readonly string[] {
  const paths = new Set<string>();
  for (const item of items.toReversed()) {
    if (item.type !== "answer") continue;
    for (const call of toolCalls(item.content).toReversed()) {
      for (const { path } of namedFilesOf(call, directory)) paths.add(path);
    }
  }
  return [...paths];
}

/** Files whose content stands in these items: as the result of a read that is still shown, or in a call that writes it. */
function filesShownBy(items: readonly ConversationItem[], directory: string): readonly string[] {
  const results = new Map<string, CallResult>();
  for (const item of items) {
    if (item.type === "results") for (const result of item.results) results.set(result.callId, result);
  }
  const uses: readonly FileUse[] = items.flatMap((item) =>
    item.type !== "answer"
      ? []
      : toolCalls(item.content).flatMap((call) =>
          isWhole(results.get(call.callId)) ? namedFilesOf(call, directory) : [],
        ),
  );
  return uses.flatMap(({ kind, path }) => (kind === "edit" ? [] : [path]));
}

function isWhole(result: CallResult | undefined): boolean {
  return result?.outcome === "completed" && result.cleared === undefined;
}

function stateTexts({ state, jobs }: RestoreParts): readonly string[] {
  const running = jobs.list().filter(({ status }) => status === "running");
  const lines = [
    `Permission mode: ${state.mode}.`,
    ...(state.todos.length === 0
      ? []
      : ["To do:", ...state.todos.map(({ status, content }) => `- [${status}] ${content}`)]),
    ...(running.length === 0
      ? []
      : ["Background jobs that still run:", ...running.map(({ jobId, command }) => `- ${jobId}: ${command}`)]),
    ...agentLines(state),
    ...(state.checkpoint === undefined ? [] : [`Open checkpoint: ${state.checkpoint.goal}`]),
  ];
  return [`<present-state>\n${harmless(lines.join("\n"))}\n</present-state>`];
}

/** Whoever may be written to later must be known by name or id. */
function agentLines({ agents }: SessionState): readonly string[] {
  const known = [...agents.values()].filter(({ isQuiet }) => isQuiet !== true).slice(-agentsMax);
  if (known.length === 0) return [];
  return [
    "Agents:",
    ...known.map(({ agentId, name, agent, description, end }) => {
      const who = name === undefined ? agentId : `${name} (${agentId})`;
      return `- ${who}, ${agent}: ${description} [${end?.status ?? "running"}]`;
    }),
  ];
}

/**
 * No summary is trusted with what the user demanded, so it is repeated word for word, the newest first where it is too
 * much. Under pressure only the turn under way: of the others what was meant is kept by the summary, and not the tone.
 */
function userWords(cut: Cut, { state }: RestoreParts): string | undefined {
  const kept = new Set(cut.kept.map(({ id }) => id));
  const gone = sightedPath(state, state.leaf).filter(({ id }) => !kept.has(id));
  const source: readonly TreeItem[] = state.pressure === "calm" ? gone : cut.turnBeginning;
  const words = source.flatMap(promptsOf).map(({ text }) => boundOutput(text, wordsOfOneMax * charactersPerToken));
  const first = words[0];
  if (first === undefined) return undefined;
  const chosen: string[] = [];
  let tokensLeft = wordsTokensMax - estimateTokens(first);
  for (const text of words.slice(1).reverse()) {
    tokensLeft -= estimateTokens(text);
    if (tokensLeft < 0) break;
    chosen.unshift(text);
  }
  const missing = words.length - 1 - chosen.length;
  const gap = missing === 0 ? [] : [`[… ${missing} messages left out …]`];
  return wordsBlock([first, ...gap, ...chosen]);
}

function promptsOf(item: TreeItem): readonly PromptItem[] {
  if (item.type === "prompt") return [item];
  return item.type === "report" ? item.said : [];
}
