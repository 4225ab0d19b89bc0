/** How a block of context is written: cut to the budget of its source, and fenced by its kind. */
import { type ContextBlock, type ContextSource, fenceText, type TextChannel } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { safeStart } from "../call/text/bound-output.ts";
import { prompt, reminderText } from "../prompt-texts.ts";

const untrusted = prompt(textBeside(import.meta.url, "../prompts/untrusted-data.md"));

/** So that the estimate of a text that was cut to so many tokens is not above them. */
const charactersPerToken = 3;

/** More from one source would leave no room for the conversation. */
const tokensMaxDefault = 50_000;

export type RenderOptions = {
  readonly role: "system" | "user";
  /** Makes a text harmless that nobody vouches for. */
  readonly neutralise: (text: string, channel: TextChannel) => string;
  /** What nothing from outside can know, for the fence around data. */
  readonly nonce?: () => string;
};

/** What is not data would look like the user's own words in a message, so there it stands in a reminder. */
export function renderBlock(
  { name, kind }: Pick<ContextSource, "name" | "kind">,
  { text, origin, marks = {} }: ContextBlock,
  { role, neutralise, nonce }: RenderOptions,
): string {
  if (kind === "data") {
    const plain = (value: string) => neutralise(value, "memory");
    const given = Object.entries({ source: name, origin, ...marks }).map(([key, value]) => [key, plain(value)]);
    return fillSlots(untrusted, { fenced: fenceText(plain(text), Object.fromEntries(given), nonce?.()) });
  }
  const shown = shownText({ kind }, { text }, neutralise);
  return role === "system" ? shown : reminderText(shown);
}

/** What is not data, without the frame around it. */
export function shownText(
  { kind }: Pick<ContextSource, "kind">,
  { text }: Pick<ContextBlock, "text">,
  neutralise: RenderOptions["neutralise"],
): string {
  return kind === "instruction" ? neutralise(text, "instruction") : text.replaceAll(control, "");
}

/** Control characters but tab and line feed: nobody means them in a prompt. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** The budget is spent in the order of the blocks; where one does not fit, it says how much of it is missing. */
export function withinBudget(blocks: readonly ContextBlock[], tokensMax = tokensMaxDefault): readonly ContextBlock[] {
  let left = tokensMax * charactersPerToken;
  return blocks.map((block) => {
    const { text, origin } = block;
    const shown = text.length <= left ? text : safeStart(text, left);
    left -= shown.length;
    if (shown === text) return block;
    return { ...block, text: `${shown}\n[${origin}: truncated, ${text.length - shown.length} characters not shown]` };
  });
}
