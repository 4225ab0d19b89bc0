/** One line below an answer: the model, how many tokens it read and wrote, and what that cost. */
import { costText, type MessageView } from "@kedge/protocol";
import { h, type JSX } from "preact";
import * as texts from "../texts/parts.ts";
import { visibleLine } from "./visible-text.ts";

const written = new Intl.NumberFormat("en-US");

export function CostLine({ message }: { readonly message: MessageView }): JSX.Element | undefined {
  const { model, usage, cost } = message;
  if (usage === undefined || cost === undefined) return undefined;
  const read = usage.input + usage.cacheRead + usage.cacheWrite;
  const words = [
    model === undefined ? undefined : visibleLine(model),
    texts.tokensInOut(written.format(read), written.format(usage.output)),
    costText(cost, dollars),
  ];
  return h("p", { class: "cost-line" }, words.filter((word) => word !== undefined).join(" · "));
}

export function dollars(usd: number): string {
  return `$${usd < 1 ? usd.toFixed(4) : usd.toFixed(2)}`;
}
