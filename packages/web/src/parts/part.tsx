/** One part of a message in the app: what it shows is drawn as in an export, and a text that grows is followed. */

import { type MessageView, type OutputLine, type PartView, withoutPlaceholder } from "@kedge/protocol";
import { createHighlighter } from "@kedge/tui/drawing";
import "./parts.css";
import { signal } from "@preact/signals";
import { drawPart, endOf } from "./draw-part.ts";
import type { Look } from "./look.ts";
import { MessageBody } from "./message-body.ts";
import { StreamedMarkdown } from "./streamed-markdown.ts";

/** Counts the grammars that were loaded: whoever drew code without them draws it again. */
const colours = signal(0);

const pageLook: Look = {
  highlight: createHighlighter({
    onReady: () => {
      colours.value += 1;
    },
  }),
};

export type PartProps = {
  readonly part: PartView;
  readonly message: MessageView;
  /** The newest lines of a call that runs. */
  readonly tail?: readonly OutputLine[] | undefined;
  readonly look?: Look;
};

export function Part({ part, message, tail, look: given = pageLook }: PartProps) {
  const version = colours.value;
  const look = tail === undefined ? given : { ...given, tailOf: () => tail };
  if (part.type !== "text" || part.isSynthetic || message.role === "user") return drawPart({ part, message, look });
  const text = withoutPlaceholder(part.text);
  if (text === "") return null;
  const isWhole = endOf(message, part) !== undefined;
  return <StreamedMarkdown text={text} isWhole={isWhole} look={look} colours={version} />;
}

/** Read by a component, it is drawn again once more grammars are there. */
export function coloursVersion(): number {
  return colours.value;
}

/** What a page adds to the way parts are drawn, such as where links to files lead. */
export function createPageLook(options: Omit<Look, "highlight">): Look {
  return { ...options, highlight: pageLook.highlight };
}

/** A whole message, with calls that only looked at something folded together. */
export function Message({ message, look = pageLook }: { readonly message: MessageView; readonly look?: Look }) {
  return <MessageBody message={message} look={look} part={Part} />;
}
