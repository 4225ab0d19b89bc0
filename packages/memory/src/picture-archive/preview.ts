/** A small sample of a shape, for those who choose one. */
import { textBeside } from "@kedge/protocol/text-file";
import type { Frame } from "./draw-frame.ts";
import { printArchive } from "./print-archive.ts";
import type { Shape } from "./shape.ts";

const sampleWidthPx = 800;

/** The sample has nothing to hide, so nothing is redacted. */
export function previewSample(shape: Shape): Frame {
  const sample = textBeside(import.meta.url, "./preview-sample.txt");
  const small: Shape = { ...shape, widthPx: sampleWidthPx };
  const [frame] = printArchive({ history: sample }, small, { framesMax: 1, redact: (text) => text }).frames;
  if (frame === undefined) throw new Error(`the sample gave no frame in the shape ${shape.name}`);
  return frame;
}
