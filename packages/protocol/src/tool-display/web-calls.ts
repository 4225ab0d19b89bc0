/** Calls that fetch a page: where it lies and how large it is. */
import { bytesInWords, joined } from "./amounts-in-words.ts";
import { numberOf, oneLine, type ShownCall, textOf } from "./shown-call.ts";
import type { Described } from "./tool-display.ts";

export function describeFetch(call: ShownCall): Described {
  const { metadata } = call;
  const url = oneLine(textOf(call, "url") || (call.title ?? ""));
  const bytes = numberOf(metadata, "bytes");
  const { movedTo } = metadata;
  return {
    name: "fetch",
    title: url.replace(/^https?:\/\//, "").replace(/\/$/, ""),
    summary: joined(
      typeof movedTo === "string" ? `moved to ${oneLine(movedTo)}` : undefined,
      bytes === undefined ? undefined : bytesInWords(bytes),
    ),
    body: {
      kind: "page",
      host: URL.parse(url)?.host ?? "",
      text: call.output,
      ...(bytes !== undefined && { bytes }),
    },
    isQuiet: true,
    groupNoun: { verb: "fetched", one: "page", many: "pages" },
  };
}
