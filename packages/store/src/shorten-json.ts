/** Shortens the strings of a JSON text while it is read, so that a content of any size can be shown in bounded memory. */

/** Contents up to this size are shown as they are. */
export const shownBytesMax = 8 * 1024 * 1024;

/** What is kept of one string, and of one after as many bytes as the next number were kept. */
const stringBytesMax = 512 * 1024;
const keptBytesMax = 4 * 1024 * 1024;
const laterStringBytesMax = 1024;

const [quote, backslash, letterU] = [0x22, 0x5c, 0x75];
/** The second and later bytes of a character in UTF-8. */
const continuation = 0x80;
const continuationMask = 0xc0;
const hexDigits = 4;

/** Gives valid JSON for valid JSON: a string is never cut inside of a character or of an escape. */
export function shortenJson(chunks: Iterable<Buffer>): string {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let isInside = false;
  /** Bytes of the escape that is being read, which belong together. */
  let escapeLeft = 0;
  let stringBytes = 0;
  let stringMax = stringBytesMax;
  let isCutting = false;
  const keep = (piece: Buffer) => {
    if (piece.length === 0) return;
    // A copy, because the next chunk may come in the same place.
    kept.push(Buffer.from(piece));
    keptBytes += piece.length;
  };

  function take(chunk: Buffer): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (!isInside) {
        if (byte !== quote) continue;
        isInside = true;
        stringBytes = 0;
        stringMax = keptBytes > keptBytesMax ? laterStringBytesMax : stringBytesMax;
        continue;
      }
      if (escapeLeft > 0) escapeLeft += byte === letterU && escapeLeft === 1 ? hexDigits - 1 : -1;
      else if (byte === quote) {
        if (isCutting) {
          keep(Buffer.from(leftOut(stringBytes - stringMax)));
          from = at;
        }
        [isInside, isCutting] = [false, false];
        continue;
      } else {
        if (!isCutting && stringBytes >= stringMax && (byte & continuationMask) !== continuation) {
          keep(chunk.subarray(from, at));
          isCutting = true;
        }
        if (byte === backslash) escapeLeft = 1;
      }
      stringBytes += 1;
    }
    if (!isCutting) keep(chunk.subarray(from));
  }

  for (const chunk of chunks) take(chunk);
  return Buffer.concat(kept).toString();
}

function leftOut(bytes: number): string {
  return `\\n[${Math.ceil(bytes / 1024).toLocaleString("en-US")} KB more stored, not shown]`;
}
