/** What stands between the words: boundaries, retries, changed files, agents, and how an answer ended. */
import { durationInWords, type MessageView, type PartView, type StopReason } from "@kedge/protocol";
import { h, type JSX } from "preact";
import * as texts from "../texts/parts.ts";
import { visibleLine, visibleText } from "./visible-text.ts";

type PartOf<Type extends PartView["type"]> = Extract<PartView, { type: Type }>;
type Tone = "muted" | "dim" | "warning" | "error";

export function Mark({ tone, sign, text }: { readonly tone: Tone; readonly sign: string; readonly text: string }) {
  return h("p", { class: `mark tone-${tone}` }, h("span", { class: "sign", "aria-hidden": "true" }, sign), ` ${text}`);
}

export function CompactionMark({ part }: { readonly part: PartOf<"compaction"> }): JSX.Element {
  const { tokensBefore, tokensAfter, shortSummary } = part;
  const label = texts.compacted(tokens(tokensBefore), tokens(tokensAfter));
  return h(
    "div",
    { class: "compaction", role: "separator", "aria-label": label },
    h("p", { class: "compaction-label" }, label),
    shortSummary.trim() === "" ? undefined : h("p", { class: "tone-muted" }, visibleText(shortSummary)),
  );
}

export function RetryMark({ part }: { readonly part: PartOf<"retry"> }): JSX.Element {
  const { attempt, code, status, delayMs } = part.retry;
  const reason = `${code.replaceAll("_", " ")}${status === undefined ? "" : ` (${status})`}`;
  const text = texts.attemptFailed(attempt, reason, durationInWords(delayMs));
  return h(Mark, { tone: "dim", sign: "!", text });
}

const namedFilesMax = 5;

/** Files that no diff above it shows. */
export function PatchMark({ files }: Pick<PartOf<"patch">, "files">): JSX.Element | undefined {
  if (files.length === 0) return undefined;
  const named = files
    .slice(0, namedFilesMax)
    .map(({ path, status }) => (status === "modified" ? visibleLine(path) : `${visibleLine(path)} (${status})`));
  const rest = files.length > named.length ? texts.andMore(files.length - named.length) : "";
  const text = texts.filesChanged(files.length, named.join(", "), rest);
  return h(Mark, { tone: "muted", sign: "•", text });
}

export function SubtaskMark({ part }: { readonly part: PartOf<"subtask"> }): JSX.Element {
  const text = `${visibleLine(part.agent)}: ${visibleLine(part.description || part.prompt)}`;
  return h(Mark, { tone: "muted", sign: "→", text });
}

export function AgentMark({ part }: { readonly part: PartOf<"agent"> }): JSX.Element {
  return h(Mark, { tone: "muted", sign: "→", text: visibleLine(part.name) });
}

/** How an answer ended, where that is not how answers should end. */
export function EndMark({ failure, stopReason }: Pick<MessageView, "failure" | "stopReason">): JSX.Element | undefined {
  if (failure?.code === "aborted") return h(Mark, { tone: "warning", sign: "!", text: "interrupted" });
  if (failure !== undefined) {
    const { message, recovery } = failure;
    const text = visibleText(recovery === undefined ? message : `${message} ${recovery}`);
    return h(Mark, { tone: "error", sign: "✕", text });
  }
  const text = stopReason === undefined ? undefined : stopText(stopReason);
  return text === undefined ? undefined : h(Mark, { tone: "warning", sign: "!", text });
}

function stopText(reason: StopReason): string | undefined {
  switch (reason) {
    case "output-limit":
      return texts.truncated;
    case "refused":
      return texts.declined;
    case "end":
    case "tool-calls":
    case "paused":
    case "other":
      return undefined;
  }
}

function tokens(count: number): string {
  return count < 1_000 ? String(count) : `${Math.round(count / 1_000)}k`;
}
