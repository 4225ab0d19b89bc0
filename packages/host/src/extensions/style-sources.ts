/** How the model is to write, as sources of context: what was chosen in the session, or in the settings. */

import type { ContextBlock, ContextSource, SessionState, WritingStyle } from "@kedge/protocol";
import { digestOf } from "../instructions/digest-of.ts";

const none: readonly ContextBlock[] = [];

/** What the model is told when nothing is chosen any more. */
const over = "off";

/** `standard` is the output style of the settings. */
export function createStyleSources(standard: WritingStyle | undefined): readonly ContextSource[] {
  const styleEnded = "The output style has ended: write as usual again.";
  return [
    ...(standard === undefined ? [] : [standardSource(standard)]),
    chosenSource("output style", ({ style }) => style, { ended: styleEnded, hasStandard: standard !== undefined }),
    chosenSource("brevity", ({ brevity }) => brevity, { ended: "Brief mode has ended: write as usual again." }),
    clarity,
  ];
}

function standardSource(standard: WritingStyle): ContextSource {
  const blocks = [blockOf("standard output style", standard)];
  return { name: "standard output style", kind: "instruction", place: "head", read: () => blocks };
}

type Ending = { readonly ended: string; readonly hasStandard?: boolean };

/** Behind the conversation, where it was chosen: what was said before stays as it was, also when the session is resumed. */
function chosenSource(
  name: string,
  chosen: (state: Readonly<SessionState>) => WritingStyle | undefined,
  { ended, hasStandard = false }: Ending,
): ContextSource {
  return {
    name,
    kind: "instruction",
    place: "turn",
    read({ state, shown }) {
      const style = chosen(state);
      if (style !== undefined && style.text !== "") return [blockOf(name, style)];
      const before = shown(name) ?? (style !== undefined && hasStandard ? "standard" : over);
      return before === over ? none : [{ text: ended, origin: name, hash: over }];
    },
  };
}

function blockOf(origin: string, { name, text }: WritingStyle): ContextBlock {
  return { text, origin, hash: `${name} ${digestOf(text)}` };
}

/** Where being brief could harm: what cannot be taken back, and a question that was not answered well enough. */
const clarity: ContextSource = {
  name: "clarity",
  kind: "reminder",
  place: "turn",
  read({ state }) {
    if (state.brevity === undefined) return none;
    return graveCall(state) ?? repeatedQuestion(state) ?? none;
  },
};

/** The person has just been asked about it, and reads next what the model says of it. */
function graveCall({ items, irreversibleCallId }: Readonly<SessionState>): readonly ContextBlock[] | undefined {
  const last = items.at(-1);
  if (irreversibleCallId === undefined || last?.type !== "results") return undefined;
  if (!last.results.some(({ callId }) => callId === irreversibleCallId)) return undefined;
  const text =
    "The user was asked about an action that cannot be undone. Write about it in full sentences, then be brief again.";
  return [{ text, origin: "irreversible action", hash: irreversibleCallId }];
}

/** Somebody who asks the same again was not understood, or did not understand. */
function repeatedQuestion({ items, queue }: Readonly<SessionState>): readonly ContextBlock[] | undefined {
  const prompts = items.filter((item) => item.type === "prompt");
  const waiting = queue.at(-1);
  const said = [...prompts, ...(waiting === undefined ? [] : [{ id: waiting.promptId, text: waiting.text }])];
  const [before, last] = said.slice(-2);
  if (before === undefined || last === undefined || plain(before.text) !== plain(last.text)) return undefined;
  const text = "The user asked this before. Answer it in full sentences this time, then be brief again.";
  return [{ text, origin: "repeated question", hash: last.id }];
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s\p{P}]+/gu, " ")
    .trim();
}
