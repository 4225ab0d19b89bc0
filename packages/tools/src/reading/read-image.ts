/** A picture as a result: a line of text and the picture itself, if models take one of its size. */
import { basename } from "node:path";
import { imageSizeOf, type ToolOutput } from "@kedge/protocol";
import { sizeInWords } from "./in-words.ts";

export type ImageFile = {
  readonly load: () => Buffer;
  readonly sizeBytes: number;
  readonly path: string;
  readonly title: string;
  readonly name: string;
  readonly mediaType: string;
};

/** In the base64 form that travels, 5 MB is what the strictest vendor takes; more would spoil every later request. */
const imageBytesMax = Math.floor((5 * 1_024 * 1_024 * 3) / 4);
const sidePixelsMax = 8_000;
const advice = "Make a smaller copy with bash (for example: magick IN -resize 1568x1568 OUT.jpg) and read that.";

export function readImage({ load, sizeBytes, path, title, name, mediaType }: ImageFile): ToolOutput {
  const refuse = (problem: string): ToolOutput => ({ output: `${problem} ${advice}`, isError: true, title });
  const size = sizeInWords(sizeBytes);
  if (sizeBytes > imageBytesMax)
    return refuse(`${path} is a ${name} image of ${size}; models take at most ${sizeInWords(imageBytesMax)}.`);
  const bytes = load();
  const pixels = imageSizeOf((start, length) => bytes.subarray(start, start + length));
  if (pixels !== undefined && Math.max(pixels.width, pixels.height) > sidePixelsMax)
    return refuse(
      `${path} is ${pixels.width}x${pixels.height} pixels; models take at most ${sidePixelsMax} on a side.`,
    );
  const words = pixels === undefined ? [size] : [`${pixels.width}x${pixels.height} pixels`, size];
  return {
    output: `(${name} image, ${words.join(", ")})`,
    title,
    metadata: { mediaType, sizeBytes },
    media: [{ name: basename(path), mediaType, base64: bytes.toString("base64") }],
  };
}
