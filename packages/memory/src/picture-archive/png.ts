/** Writes a picture of few colours as a PNG file. */
import { crc32, deflateSync } from "node:zlib";

export type Picture = {
  readonly width: number;
  readonly height: number;
  /** One index into the palette for each pixel, row by row. */
  readonly pixels: Uint8Array;
  /** Colours as 0xRRGGBB; at most sixteen. */
  readonly palette: readonly number[];
};

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const paletteColour = 3;
/** A page of print is 75 kB in 15 ms; the highest level saves one percent and takes seven times as long. */
const compressionLevel = 6;

/**
 * The same picture gives the same bytes on the same build of Node. Another version of its compression may give others;
 * that does not matter, since a frame is made once and sent from the record ever after.
 */
export function encodePng({ width, height, pixels, palette }: Picture): Uint8Array {
  const depth = palette.length <= 2 ? 1 : 4;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, paletteColour, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]));
  const data = deflateSync(packed({ width, height, pixels }, depth), { level: compressionLevel, memLevel: 9 });
  const parts = [chunk("IHDR", header), chunk("PLTE", colours), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([signature, ...parts]));
}

/** The size that a PNG file says it has; undefined for any other file. */
export function pngSize(file: Uint8Array): { readonly width: number; readonly height: number } | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length < 24 || !bytes.subarray(0, signature.length).equals(signature)) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Rows of `depth` bits for each pixel behind a byte that says they are not filtered, which is smallest for print. */
function packed({ width, height, pixels }: Omit<Picture, "palette">, depth: 1 | 4): Uint8Array {
  const perByte = 8 / depth;
  const rowBytes = Math.ceil(width / perByte) + 1;
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * rowBytes + 1 + Math.floor(x / perByte);
      const shift = 8 - depth * ((x % perByte) + 1);
      rows[at] = (rows[at] ?? 0) | ((pixels[y * width + x] ?? 0) << shift);
    }
  }
  return rows;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8);
  return bytes;
}
