/** Gives `read` and `write` the tags that edits by line need, while a model edits that way. */
import { resolve } from "node:path";
import type { Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { loadText } from "../../file-content.ts";
import type { ReadInput } from "../../reading/read.ts";
import { findTruePath } from "../../tool-path.ts";
import type { WriteInput } from "../write.ts";
import type { LineRange } from "./lines.ts";
import { stripTagged, tagHeader } from "./render-tagged.ts";
import { type FileVersion, type VersionStore, wholeFile } from "./versions.ts";

/** Rows come as `LINE|TEXT`; here they are `LINE:TEXT` below a header that names the version. */
export function withTaggedRows(read: Tool<ReadInput>, versions: VersionStore): Tool<ReadInput> {
  async function readTagged(input: ReadInput, context: ToolContext): Promise<ToolOutput> {
    const result = await read.run(input, context);
    const shown = shownLines(result);
    const version = shown === undefined ? undefined : recordVersion(versions, result.title, context, shown);
    if (version === undefined) return result;
    const rows = result.output.replaceAll(/^(\d+)\|/gm, "$1:");
    return { ...result, output: `${tagHeader(result.title, version.tag)}\n${rows}` };
  }

  return {
    ...read,
    // Nothing is awaited here in the other ways of editing: reads are the most frequent calls of all.
    run: (input, context) => (context.editMode === "hashline" ? readTagged(input, context) : read.run(input, context)),
  };
}

/** Marks that a model copied from a read are taken off again, and the result names the new version. */
export function withTaggedResult(write: Tool<WriteInput>, versions: VersionStore): Tool<WriteInput> {
  return {
    ...write,
    parse(input) {
      const parsed = write.parse(input);
      const stripped = parsed.ok ? stripTagged(parsed.input.content) : undefined;
      if (!parsed.ok || stripped === undefined) return parsed;
      return { ok: true, input: { ...parsed.input, content: stripped } };
    },
    async run(input, context) {
      const result = await write.run(input, context);
      if (result.isError || context.editMode !== "hashline") return result;
      // Of what a formatter made of it the model has seen nothing.
      const shown = result.metadata?.["formatted"] === true ? [] : wholeFile;
      const version = recordVersion(versions, result.title, context, shown);
      if (version === undefined) return result;
      return { ...result, output: `${tagHeader(result.title, version.tag)}\n${result.output}` };
    },
  };
}

/** Undefined for what has no lines: a directory, a picture, a refusal. A note on unchanged lines shows none again. */
function shownLines({ isError, metadata, output, media }: ToolOutput): readonly LineRange[] | undefined {
  if (isError || media !== undefined) return undefined;
  if (metadata?.["isUnchanged"] === true) return [];
  if (typeof metadata?.["firstLine"] !== "number" && metadata?.["isSummary"] !== true) return undefined;
  const lines = [...output.matchAll(/^(\d+)\|/gm)].map(([, line]) => Number(line));
  return lines.length === 0 ? undefined : lines.map((line) => ({ first: line, last: line }));
}

function recordVersion(
  versions: VersionStore,
  title: string,
  { cwd }: ToolContext,
  shown: readonly LineRange[],
): FileVersion | undefined {
  const place = findTruePath(resolve(cwd, title));
  const loaded = place.ok ? loadText(place.path) : undefined;
  return place.ok && loaded?.kind === "text" ? versions.record(place.path, loaded.text, shown) : undefined;
}
