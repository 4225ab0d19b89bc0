/** The base prompt: given outright, of an agent, from the user's own file, or the one for the model's family, in this order. */
import type { ContextSource, PromptParts } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { prompt } from "../../prompt-texts.ts";
import { type PromptFamily, promptFamily } from "../prompt-family.ts";

const rules = prompt(textBeside(import.meta.url, "../../prompts/base/rules.md"));
const basePrompts: { readonly [family in PromptFamily]: string } = {
  anthropic: prompt(textBeside(import.meta.url, "../../prompts/base/anthropic.md")),
  beast: prompt(textBeside(import.meta.url, "../../prompts/base/beast.md")),
  codex: prompt(textBeside(import.meta.url, "../../prompts/base/codex.md")),
  gpt: prompt(textBeside(import.meta.url, "../../prompts/base/gpt.md")),
  gemini: prompt(textBeside(import.meta.url, "../../prompts/base/gemini.md")),
  trinity: prompt(textBeside(import.meta.url, "../../prompts/base/trinity.md")),
  default: prompt(textBeside(import.meta.url, "../../prompts/base/default.md")),
};

export function createBasePrompt({ override, agent, ownBase }: PromptParts): ContextSource {
  return {
    name: "base prompt",
    kind: "policy",
    place: "prefix",
    // Half of what the user wrote would be another prompt.
    tokensMax: Number.POSITIVE_INFINITY,
    read({ model }) {
      if (override !== undefined) return [{ text: override, origin: "--system-prompt" }];
      if (agent !== undefined) return [{ text: agent.text, origin: `agent ${agent.name}` }];
      const family = promptFamily(model.id);
      const own = ownBase?.(family);
      if (own !== undefined) return [{ text: own, origin: `prompts/${family}.md` }];
      return [{ text: fillSlots(basePrompts[family], { rules }), origin: family }];
    },
  };
}
