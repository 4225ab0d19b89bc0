/** Takes `<think>` spans out of the text of an answer and reports them as reasoning. */
import type { ModelEvent } from "@kedge/protocol";
import type { WireAnswer } from "../wire/wire-answer.ts";
import { thinkSpanSignature } from "./returned-reasoning.ts";

const opening = "<think>";
const closing = "</think>";

/** With `returned`, spans are signed so that they go back in the same form. */
export type ThinkSpanOptions = { readonly returned: boolean };

/** Works on events, of which there is one per network chunk, so that the reader of the bytes keeps its short cut. */
export function withThinkSpans(answer: WireAnswer, options: ThinkSpanOptions): WireAnswer {
  const spans = createThinkSpans(options);
  let ended = false;
  return {
    ...answer,
    pushEnd() {
      answer.pushEnd();
      ended = true;
    },
    take() {
      const events: ModelEvent[] = [];
      for (const event of answer.take()) {
        if (event.type === "text-delta") spans.read(event.text, events);
        else {
          spans.release(events);
          events.push(event);
        }
      }
      if (ended || answer.conclusion() !== undefined) spans.release(events);
      return events;
    },
  };
}

type ThinkSpans = {
  readonly read: (text: string, events: ModelEvent[]) => void;
  /** Gives out what was held back because a tag could begin there. A span that is open stays reasoning. */
  readonly release: (events: ModelEvent[]) => void;
};

function createThinkSpans({ returned }: ThinkSpanOptions): ThinkSpans {
  let isInside = false;
  let isAtStart = true;
  let isAfterTag = false;
  let held = "";
  let hasUnsigned = false;

  function report(text: string, events: ModelEvent[]): void {
    if (text === "") return;
    isAtStart = false;
    hasUnsigned ||= isInside;
    events.push({ type: isInside ? "reasoning-delta" : "text-delta", text });
  }

  function sign(events: ModelEvent[]): void {
    if (returned && hasUnsigned) events.push({ type: "block-end", block: "reasoning", signature: thinkSpanSignature });
    hasUnsigned = false;
  }

  /** What follows the tag at the beginning of `text`; undefined when the rest of the text is used up. */
  function passTag(text: string, events: ModelEvent[]): string | undefined {
    // Models that were told not to think may begin with a tag that closes nothing.
    if (isAtStart && text.startsWith(closing)) {
      isAfterTag = true;
      isAtStart = false;
      return text.slice(closing.length);
    }
    if (isAtStart && closing.startsWith(text)) {
      held = text;
      return undefined;
    }
    const tag = isInside ? closing : opening;
    const at = text.indexOf(tag);
    if (at === -1) {
      const heldFrom = text.length - overlap(text, tag);
      report(text.slice(0, heldFrom), events);
      held = text.slice(heldFrom);
      return undefined;
    }
    report(text.slice(0, at), events);
    sign(events);
    isInside = !isInside;
    isAtStart = false;
    isAfterTag = true;
    return text.slice(at + tag.length);
  }

  return {
    read(text, events) {
      let rest: string | undefined = held + text;
      held = "";
      while (rest !== undefined && rest !== "") {
        // Line feeds after a tag only set it apart.
        if (isAfterTag) rest = rest.replace(/^[\r\n]+/, "");
        if (rest === "") return;
        isAfterTag = false;
        rest = passTag(rest, events);
      }
    },
    release(events) {
      report(held, events);
      held = "";
      sign(events);
    },
  };
}

/** How many characters at the end of the text could be the beginning of the tag. */
function overlap(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}
