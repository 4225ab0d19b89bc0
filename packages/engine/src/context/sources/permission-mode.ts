/** Tells the model, once per change, that it plans and how planning ends, and that it is over. */
import type { ContextBlock, ContextSource } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { prompt } from "../../prompt-texts.ts";

const planning = prompt(textBeside(import.meta.url, "../../prompts/planning.md"));
const planningOver = prompt(textBeside(import.meta.url, "../../prompts/planning-over.md"));

const origin = "plan";
const entered: readonly ContextBlock[] = [{ text: planning, origin, hash: "on" }];
const none: readonly ContextBlock[] = [];

export const permissionMode: ContextSource = {
  name: "permission mode",
  kind: "reminder",
  place: "turn",
  read({ state: { mode }, shown }) {
    if (mode === "plan") return entered;
    return shown(origin) === "on" ? [{ text: fillSlots(planningOver, { mode }), origin, hash: "off" }] : none;
  },
};
