/** Streams a large file once: hashes all of it, counts its lines, and keeps only the lines of the window. */
import { createHash } from "node:crypto";
import { read } from "node:fs";
import { promisify } from "node:util";
import { looksBinary } from "./file-content.ts";
import { type LineWindow, lineCharactersMax } from "./line-window.ts";

const readBytes = promisify(read);
const chunkBytes = 256 * 1_024;
const lineFeed = 10;
const nothing = Buffer.alloc(0);
/** Enough for the longest line that is shown, whatever its characters need. */
const lineBytesMax = (lineCharactersMax + 1) * 4;

export type FileRead =
  | { readonly kind: "text"; readonly contentHash: string }
  | { readonly kind: "binary" }
  | { readonly kind: "interrupted" };

export async function readLargeFile(descriptor: number, window: LineWindow, signal: AbortSignal): Promise<FileRead> {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let begun = nothing;
  let position = 0;
  let endsWithLineFeed = true;
  for (;;) {
    if (signal.aborted) return { kind: "interrupted" };
    const { bytesRead } = await readBytes(descriptor, chunk, 0, chunkBytes, position);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    if (position === 0 && looksBinary(bytes)) return { kind: "binary" };
    hash.update(bytes);
    let start = position === 0 && bytes.readUIntBE(0, Math.min(3, bytesRead)) === 0xefbbbf ? 3 : 0;
    for (let end = bytes.indexOf(lineFeed, start); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      if (window.wantsNext()) window.addLine(joinLine(begun, bytes.subarray(start, end)).toString("utf8"));
      else window.skipLines(1);
      begun = nothing;
      start = end + 1;
    }
    if (start < bytesRead && window.wantsNext()) begun = Buffer.from(joinLine(begun, bytes.subarray(start)));
    endsWithLineFeed = bytes[bytesRead - 1] === lineFeed;
    position += bytesRead;
  }
  if (!endsWithLineFeed) window.addLine(begun.toString("utf8"));
  return { kind: "text", contentHash: hash.digest("hex") };
}

function joinLine(begun: Buffer, rest: Buffer): Buffer {
  const joined = begun.length === 0 ? rest : Buffer.concat([begun, rest.subarray(0, lineBytesMax)]);
  return joined.length > lineBytesMax ? joined.subarray(0, lineBytesMax) : joined;
}
