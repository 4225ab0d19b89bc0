/** How much a model shall think, in the words that models of the OpenAI wires take for it. */
import { type Effort, efforts, type ModelRequest } from "@kedge/protocol";

/** One for each effort, in the same order. */
const words = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

export type EffortWord = (typeof words)[number];

/** OpenAI's families reject the words they do not know. The first row that fits the vendor's id counts. */
const families: readonly { readonly ids: RegExp; readonly words: readonly EffortWord[] }[] = [
  { ids: /\bgpt-5-pro/, words: ["high"] },
  { ids: /\bgpt-5\.\d+-pro/, words: ["medium", "high", "xhigh"] },
  { ids: /\bgpt-5\.(1-codex-max|([2-9]|\d\d)-codex)/, words: ["low", "medium", "high", "xhigh"] },
  { ids: /\bgpt-5(\.1)?-codex/, words: ["low", "medium", "high"] },
  { ids: /\bgpt-5\.1/, words: ["none", "low", "medium", "high"] },
  { ids: /\bgpt-5\.\d/, words: ["none", "low", "medium", "high", "xhigh"] },
  { ids: /\bgpt-5/, words: ["minimal", "low", "medium", "high"] },
  { ids: /\bo[134]\b/, words: ["low", "medium", "high"] },
];

/** What every vendor knows that takes a level at all. */
const wordsElsewhere: readonly EffortWord[] = ["low", "medium", "high"];

/** Undefined when nothing shall be said of it: no wish, a model that takes no level, or no word for not thinking. */
export function effortWordOf({ model, reasoning }: ModelRequest): EffortWord | undefined {
  const control = model.capabilities?.reasoning;
  if (control !== "effort" && control !== "adaptive") return undefined;
  const effort = effortOf(reasoning);
  if (effort === undefined) return undefined;
  const known = families.find(({ ids }) => ids.test(model.id))?.words;
  if (effort === "off") return known?.[0];
  const thinking = (known ?? wordsElsewhere).filter((word) => word !== "none");
  return thinking.findLast((word) => words.indexOf(word) <= efforts.indexOf(effort)) ?? thinking[0];
}

/** Vendors reject a temperature beside thinking, or ignore it. */
export function temperatureOf({ model, reasoning }: ModelRequest): number | undefined {
  const effort = effortOf(reasoning);
  const asksForThinking = effort === undefined ? (reasoning?.tokensMax ?? 0) > 0 : effort !== "off";
  return asksForThinking || model.capabilities?.temperature === false ? undefined : model.temperature;
}

function effortOf(reasoning: ModelRequest["reasoning"]): Effort | undefined {
  return reasoning?.tokensMax === 0 ? "off" : reasoning?.effort;
}
