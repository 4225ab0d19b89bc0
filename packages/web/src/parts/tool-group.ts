/** Calls that only looked at something, one after the other, folded to one line. */
import { counted, type GroupNoun, type ToolDisplay } from "@kedge/protocol";
import { h, type JSX } from "preact";
import type { Look } from "./look.ts";
import { ToolCard, type ToolPart } from "./tool-card.ts";
import { visibleLine } from "./visible-text.ts";

export type GroupedCall = { readonly part: ToolPart; readonly display: ToolDisplay };

export function ToolGroup({
  calls,
  look,
}: {
  readonly calls: readonly GroupedCall[];
  readonly look: Look;
}): JSX.Element {
  const atWork = calls.findLast(({ display: { status } }) => status === "running" || status === "pending");
  return h(
    "details",
    { class: "tool group" },
    h(
      "summary",
      { class: "tool-line" },
      h("span", { class: "tool-summary" }, groupText(calls)),
      atWork === undefined ? undefined : h("span", { class: "tool-title" }, ` ${visibleLine(atWork.display.title)}`),
    ),
    h(
      "div",
      { class: "tool-body" },
      calls.map(({ part }) => h(ToolCard, { key: part.id, part, look })),
    ),
  );
}

/** "read 5 files, 2 searches". */
export function groupText(calls: readonly GroupedCall[]): string {
  const counts = new Map<string, { readonly noun: GroupNoun; count: number }>();
  for (const { display } of calls) {
    const noun = display.groupNoun;
    if (noun === undefined) continue;
    const known = counts.get(noun.many);
    if (known === undefined) counts.set(noun.many, { noun, count: 1 });
    else known.count += 1;
  }
  const words = [...counts.values()].map(({ noun, count }) => {
    const amount = counted(count, noun.one, noun.many);
    return noun.verb === undefined ? amount : `${noun.verb} ${amount}`;
  });
  return words.join(", ");
}
