/** History printed on pictures: what the rest of the engine may use. Load it when something is printed, not before. */
export { type ArchiveCaps, archiveText, defaultArchiveCaps } from "./archive-text.ts";
export type { Frame } from "./draw-frame.ts";
export { framesMaxFor, frameTokens } from "./frame-tokens.ts";
export { previewSample } from "./preview.ts";
export {
  type Archive,
  type ArchiveTexts,
  frameMedia,
  frameOf,
  type PrintedArchive,
  type PrintLimits,
  printArchive,
} from "./print-archive.ts";
export { readingGuide } from "./reading-guide.ts";
export { type FrameModel, type Shape, shapeFor, shapeNames } from "./shape.ts";
