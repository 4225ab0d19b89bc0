/** Streams a large file once: hashes it, counts its lines, and keeps only the lines of the window. */
import { createHash } from "node:crypto";
import { read } from "node:fs";
import { promisify } from "node:util";
import { editableBytesMax, looksBinary } from "../../file-content.ts";
import type { LineWindow } from "./line-window.ts";

const readBytes = promisify(read);
const chunkBytes = 256 * 1_024;
const lineFeed = 10;
const nothing = Buffer.alloc(0);
const byteOrderMarkBytes = 0xefbbbf;
/** What is longer is read no further than the window needs, and can be interrupted. */
const countedBytesMax = 64 * 1_024 * 1_024;

export type FileRead =
  /** Without a hash the file is too large to be edited; not `isWhole`, its lines after the window were not counted. */
  | { readonly kind: "text"; readonly contentHash?: string; readonly isWhole: boolean }
  | { readonly kind: "binary" }
  | { readonly kind: "interrupted" };

type OpenFile = { readonly descriptor: number; readonly sizeBytes: number };

export async function readLargeFile(file: OpenFile, window: LineWindow, signal: AbortSignal): Promise<FileRead> {
  const hash = file.sizeBytes <= editableBytesMax ? createHash("sha256") : undefined;
  const lines = createLineSplitter(window);
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let position = 0; ; ) {
    const isHuge = Math.max(file.sizeBytes, position) > countedBytesMax;
    if (isHuge && signal.aborted) return { kind: "interrupted" };
    const { bytesRead } = await readBytes(file.descriptor, chunk, 0, chunkBytes, position);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    if (position === 0 && looksBinary(bytes)) return { kind: "binary" };
    hash?.update(bytes);
    lines.add(position === 0 ? withoutByteOrderMark(bytes) : bytes);
    if (isHuge && window.isComplete()) return { kind: "text", isWhole: false };
    position += bytesRead;
  }
  lines.end();
  return { kind: "text", isWhole: true, ...(hash !== undefined && { contentHash: hash.digest("hex") }) };
}

function createLineSplitter(window: LineWindow) {
  /** Enough for the longest line that is shown, whatever its characters need. */
  const lineBytesMax = (window.lineCharactersMax + 1) * 4;
  let begun = nothing;
  let endsWithLineFeed = true;

  function joinLine(rest: Buffer): Buffer {
    const joined = begun.length === 0 ? rest : Buffer.concat([begun, rest.subarray(0, lineBytesMax)]);
    return joined.length > lineBytesMax ? joined.subarray(0, lineBytesMax) : joined;
  }

  return {
    add(bytes: Buffer): void {
      let start = 0;
      for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
        if (window.wantsNext()) window.addLine(joinLine(bytes.subarray(start, end)).toString("utf8"));
        else window.skipLines(1);
        begun = nothing;
        start = end + 1;
      }
      const hasRest = start < bytes.length;
      if (hasRest && window.wantsNext() && begun.length < lineBytesMax)
        begun = Buffer.from(joinLine(bytes.subarray(start)));
      endsWithLineFeed = !hasRest;
    },
    end(): void {
      if (!endsWithLineFeed) window.addLine(begun.toString("utf8"));
    },
  };
}

function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes.length >= 3 && bytes.readUIntBE(0, 3) === byteOrderMarkBytes ? bytes.subarray(3) : bytes;
}
