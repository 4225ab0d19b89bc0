/** Width and height of a picture, out of the first bytes of a PNG, GIF, WebP or JPEG file. Looks at nothing else of it. */

export type ImageSize = { readonly width: number; readonly height: number };

/** So many bytes of the file from a place on; fewer where it ends. */
export type ReadBytes = (start: number, length: number) => Uint8Array;

/** Undefined when it is no such picture, is damaged, or says that it has no pixel. */
export function imageSizeOf(read: ReadBytes): ImageSize | undefined {
  const head = read(0, headBytes);
  const size = hasText(head, 0, "\xff\xd8") ? jpegSize(read) : sizeInHead(head);
  return size === undefined || size.width === 0 || size.height === 0 ? undefined : size;
}

/** All but JPEG tell their size within these. */
const headBytes = 30;

function sizeInHead(head: Uint8Array): ImageSize | undefined {
  if (hasText(head, 0, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR") && head.length >= 24) {
    return { width: bigEndian(head, 16, 4), height: bigEndian(head, 20, 4) };
  }
  if ((hasText(head, 0, "GIF87a") || hasText(head, 0, "GIF89a")) && head.length >= 10) {
    return { width: littleEndian(head, 6, 2), height: littleEndian(head, 8, 2) };
  }
  return hasText(head, 0, "RIFF") && hasText(head, 8, "WEBP") ? webpSize(head) : undefined;
}

function webpSize(head: Uint8Array): ImageSize | undefined {
  if (hasText(head, 12, "VP8X") && head.length >= 30) {
    return { width: littleEndian(head, 24, 3) + 1, height: littleEndian(head, 27, 3) + 1 };
  }
  // Fourteen bits each, one less than the size, behind the byte that marks the beginning.
  if (hasText(head, 12, "VP8L") && head[20] === 0x2f && head.length >= 25) {
    const packed = littleEndian(head, 21, 4);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  // Only a whole picture has this mark. The two highest bits say how it is to be scaled.
  if (hasText(head, 12, "VP8 ") && hasText(head, 23, "\x9d\x01\x2a") && head.length >= 30) {
    return { width: littleEndian(head, 26, 2) & 0x3fff, height: littleEndian(head, 28, 2) & 0x3fff };
  }
  return undefined;
}

/** Cameras and editors write some dozens before the picture, each of up to 64 KB. */
const segmentsMax = 1_000;

/** Walks over the segments to the one that begins the picture, whose size lies behind its marker, length and depth. */
function jpegSize(read: ReadBytes): ImageSize | undefined {
  let position = 2;
  for (let count = 0; count < segmentsMax; count += 1) {
    const segment = read(position, 9);
    const marker = segment[1];
    if (segment[0] !== 0xff || marker === undefined) return undefined;
    if (isFrame(marker)) {
      return segment.length < 9 ? undefined : { width: bigEndian(segment, 7, 2), height: bigEndian(segment, 5, 2) };
    }
    // Fill bytes may stand before a marker.
    if (marker === 0xff) position += 1;
    else if (isAlone(marker)) position += 2;
    else if (marker === startOfScan || marker === endOfImage) return undefined;
    // The length counts itself. Where it cannot be one, no marker is found there.
    else position += 2 + bigEndian(segment, 2, 2);
  }
  return undefined;
}

const startOfScan = 0xda;
const endOfImage = 0xd9;

/** The others of this range hold tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Without a length behind it. */
function isAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

function bigEndian(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index += 1) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}

function littleEndian(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index -= 1) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}
