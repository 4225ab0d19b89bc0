/** Proves that the size of a picture is read out of real headers, and that nothing else is taken for one. */
import { expect, test } from "vitest";
import { type ImageSize, imageSizeOf } from "./image-size.ts";

const latin = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const base64 = (text: string) => new Uint8Array(Buffer.from(text, "base64"));

function sizeOf(bytes: Uint8Array): ImageSize | undefined {
  return imageSizeOf((start, length) => bytes.subarray(start, start + length));
}

/** What stands before the picture: a preview in a segment of its own, comments, tables, fill bytes and a lone marker. */
function jpeg(frame: string): Uint8Array {
  const preview = "\xff\xd8\xff\xc0\0\x11\x08\0\x10\0\x10\x03\xff\xd9";
  const segment = (marker: string, content: string) => {
    const length = content.length + 2;
    return `\xff${marker}${String.fromCharCode(length >> 8, length & 0xff)}${content}`;
  };
  const before = [
    segment("\xe0", "JFIF\0\x01\x01\0\0\x01\0\x01\0\0"),
    segment("\xe1", `Exif\0\0${preview}${"\0".repeat(60_000)}`),
    segment("\xe2", `ICC_PROFILE\0${"\xff\xc0".repeat(30_000)}`),
    segment("\xfe", "a comment"),
    segment("\xdb", "\0".repeat(65)),
    segment("\xc4", "\0".repeat(30)),
    "\xff\x01\xff\xff",
  ];
  return latin(`\xff\xd8${before.join("")}${frame}\xff\xda\0\x0c`);
}

const frame = (marker: string) => `\xff${marker}\0\x11\x08\x02\x58\x03\x20\x03\x01\x22\0\x02\x11\x01\x03\x11\x01`;
const large = { width: 800, height: 600 };

const pictures = [
  [
    "a PNG file",
    base64("iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAE0lEQVR42mNk+M/wn4GBgYGJAQoAHgkCA6QWnzEAAAAASUVORK5CYII="),
    { width: 2, height: 3 },
  ],
  ["a GIF file", base64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), { width: 1, height: 1 }],
  ["an old GIF file", latin("GIF87a\x20\x03\x58\x02\x80\0\0"), large],
  ["a lossy WebP file", base64("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"), { width: 1, height: 1 }],
  [
    "a WebP file that is to be scaled",
    latin("RIFF\x1a\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x20\x43\x58\x82"),
    large,
  ],
  ["a lossless WebP file", base64("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="), { width: 1, height: 1 }],
  ["a large lossless WebP file", latin("RIFF\x1a\0\0\0WEBPVP8L\x0a\0\0\0\x2f\x1f\xc3\x95\0"), large],
  ["an animated WebP file", latin("RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x1f\x03\0\x57\x02\0"), large],
  ["a JPEG file with a preview", jpeg(frame("\xc0")), large],
  ["a progressive JPEG file", jpeg(frame("\xc2")), large],
] as const;

test.each(pictures)("%s", (_, bytes, size) => {
  expect(sizeOf(bytes)).toEqual(size);
});

test.each(pictures)("%s that is cut off anywhere tells its size or nothing", (_, bytes, size) => {
  const lengths = bytes.length < 200 ? bytes.keys() : [0, 2, 3, 4, 20, 60_000, bytes.length - 30, bytes.length - 8];
  const found = [...lengths].map((length) => sizeOf(bytes.subarray(0, length))).filter((each) => each !== undefined);
  expect(found).toEqual(found.map(() => size));
});

test.each([
  ["nothing", latin("")],
  ["text", latin("GIF is a format, and so is RIFF.")],
  ["a document", latin("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Width 800 /Height 600 >>\n")],
  ["a sound", latin("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0")],
  ["a PNG file of another order", latin("\x89PNG\r\n\x1a\n\0\0\0\x04gAMA\0\0\x03\x20\0\0\x02\x58\0\0\0\0")],
  ["a PNG file without a pixel", latin("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x03\x20\0\0\0\0\x08\x06\0\0\0")],
  ["a part of a lossy WebP video", latin("RIFF\x1a\0\0\0WEBPVP8 \x0a\0\0\0\x01\0\0\0\0\0\x20\x03\x58\x02")],
  ["a lossless WebP file without its mark", latin("RIFF\x1a\0\0\0WEBPVP8L\x0a\0\0\0\x2e\x1f\xc3\x95\0")],
  ["a JPEG file without a frame", latin("\xff\xd8\xff\xda\0\x02\xff\xc0\0\x11\x08\x02\x58\x03\x20\x03")],
  ["a JPEG file that ends", latin("\xff\xd8\xff\xd9\0\x02\xff\xc0\0\x11\x08\x02\x58\x03\x20\x03")],
  ["a JPEG file with a length that cannot be", latin("\xff\xd8\xff\xe0\0\0\xff\xc0\0\x11\x08\x02\x58\x03\x20\x03")],
  ["a JPEG file that leaves its segments", latin("\xff\xd8\xff\xe0\0\x03\0\0\xff\xc0\0\x11\x08\x02\x58\x03\x20\x03")],
])("%s has no size", (_, bytes) => {
  expect(sizeOf(bytes)).toBeUndefined();
});

test("a JPEG file without an end is given up, after a bounded number of looks of a few bytes", () => {
  let looks = 0;
  let bytesMax = 0;
  const size = imageSizeOf((start, length) => {
    looks += 1;
    bytesMax = Math.max(bytesMax, length);
    return start === 0 ? latin("\xff\xd8\xff\xff") : new Uint8Array(length).fill(0xff);
  });
  expect([size, looks, bytesMax]).toEqual([undefined, 1_001, 30]);
});
