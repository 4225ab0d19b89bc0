/** Makes the rows of one file: reads it, cuts it into chunks and splits those into words. */
import { join } from "node:path";
import { loadText } from "../file-content.ts";
import type { Grammars } from "../syntax/grammars.ts";
import { type Chunk, chunkLines } from "./chunk-lines.ts";
import { chunkSource } from "./chunk-source.ts";
import type { FileStamp, IndexedFile, KnownFile } from "./file-rows.ts";

export type IndexFileParts = { readonly grammars: Grammars; readonly splitWords: (text: string) => readonly string[] };

export type FileToIndex = {
  readonly root: string;
  readonly path: string;
  readonly stamp: FileStamp;
  readonly known: KnownFile | undefined;
};

/** A tree takes more than a hundred times the room of its text. */
const parsedCharactersMax = 256 * 1_024;
/** Longer lines on average are made by programs for programs. */
const lineCharactersMeanMax = 400;
/** What cannot be read as text has no chunks, and this in the place of its hash. */
const unreadableHash = "";

/** Undefined when the file is gone. */
export async function indexFile(parts: IndexFileParts, file: FileToIndex): Promise<IndexedFile | undefined> {
  const { root, path, stamp, known } = file;
  const loaded = loadText(join(root, path));
  if (loaded.kind === "missing") return undefined;
  if (loaded.kind === "refused") return { path, ...stamp, contentHash: unreadableHash, chunks: [] };
  const { text, contentHash } = loaded;
  if (contentHash === known?.contentHash) return { path, ...stamp, contentHash, chunks: undefined };
  const lines = text.split("\n");
  if (text.length > lines.length * lineCharactersMeanMax) return { path, ...stamp, contentHash, chunks: [] };
  const chunks = (await cutFile(parts, path, text, lines)).map((chunk) => ({
    first: chunk.first,
    last: chunk.last,
    symbol: chunk.symbol,
    nameWords: parts.splitWords(chunk.names.join(" ")).join(" "),
    placeWords: parts.splitWords(`${path} ${chunk.scope}`).join(" "),
    bodyWords: parts.splitWords(lines.slice(chunk.first - 1, chunk.last).join("\n")).join(" "),
  }));
  return { path, ...stamp, contentHash, chunks };
}

async function cutFile(
  { grammars }: IndexFileParts,
  path: string,
  text: string,
  lines: readonly string[],
): Promise<readonly Chunk[]> {
  const row = text.length <= parsedCharactersMax ? grammars.rowOf(path) : undefined;
  const parsed = row && (await grammars.parse(row, text));
  return parsed?.ok === true ? chunkSource(parsed.root, text, lines) : chunkLines(lines);
}
