/** What people and models said: prompts, thoughts, and texts of record. */
import { durationInWords, type MessageView, type PartView, withoutPlaceholder } from "@kedge/protocol";
import { h, type JSX } from "preact";
import * as texts from "../texts/parts.ts";
import type { Look } from "./look.ts";
import { Markdown } from "./markdown.ts";
import { Attachment } from "./picture.ts";
import { visibleText } from "./visible-text.ts";

type TextPart = Extract<PartView, { type: "text" }>;
type FilePart = Extract<PartView, { type: "file" }>;

const waitingTexts = {
  steer: texts.sentNext,
  "follow-up": texts.queuedPrompt,
} as const;

/** All that the user said with one message, as it was typed. */
export function Prompt({ message }: { readonly message: MessageView }): JSX.Element {
  const text = message.parts
    .filter((part): part is TextPart => part.type === "text" && part.isSynthetic === undefined)
    .map((part) => part.text)
    .join("\n\n");
  const files = message.parts.filter((part): part is FilePart => part.type === "file");
  const revised = message.parts.filter(
    (part): part is TextPart => part.type === "text" && part.revisedBy !== undefined,
  );
  const author = message.parts.find((part): part is TextPart => part.type === "text" && part.from !== undefined)?.from;
  return h(
    "div",
    { class: message.isQueued ? "prompt-text queued" : "prompt-text" },
    // A guest of a shared session; the owner's prompts name nobody.
    author === undefined ? undefined : h("p", { class: "author" }, visibleText(author)),
    text.trim() === "" ? undefined : h("div", { class: "text", dir: "auto" }, visibleText(text)),
    // What a hook made of it.
    revised.map((part) => h("p", { key: part.id, class: "note", dir: "auto" }, visibleText(part.text))),
    message.delivery === undefined ? undefined : h("p", { class: "note" }, waitingTexts[message.delivery]),
    files.map(({ id, media }) => h(Attachment, { key: id, media })),
  );
}

export type ThoughtProps = {
  readonly text: string;
  readonly startedAt: number;
  /** Unknown while it goes on. */
  readonly endedAt?: number | undefined;
};

const toldThoughtMinMs = 1_000;

export function Thought({ text, startedAt, endedAt }: ThoughtProps): JSX.Element | undefined {
  const shown = withoutPlaceholder(text);
  if (shown === "") return undefined;
  const durationMs = endedAt === undefined ? 0 : endedAt - startedAt;
  const time = durationMs < toldThoughtMinMs ? "" : texts.forTime(durationInWords(durationMs));
  const label = endedAt === undefined ? texts.thinking : texts.thought(time);
  return h(
    "details",
    { class: "thought" },
    h("summary", {}, label),
    h("div", { class: "text", dir: "auto" }, visibleText(shown)),
  );
}

/** A text that kedge put in, or a summary: one line until it is opened. */
export function Record({ label, text, look }: { readonly label: string; readonly text: string; readonly look: Look }) {
  return h(
    "details",
    { class: "record" },
    h("summary", {}, label),
    h(Markdown, { text: withoutPlaceholder(text), look }),
  );
}
