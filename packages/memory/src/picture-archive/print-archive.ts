/** Prints history on frames within a budget: what came first stays, the oldest rest goes, the newest may wait as text. */
import type { Media } from "@kedge/protocol";
import { cleanSecretless, createTypesetter } from "./clean-text.ts";
import { drawFrame, type Frame } from "./draw-frame.ts";
import { loadFont } from "./font.ts";
import { gridOf, setPages } from "./pages.ts";
import { pngSize } from "./png.ts";
import type { Shape } from "./shape.ts";
import { summaryHeading, withoutTags } from "./tags.ts";
import { noteCharacters, withoutMiddle } from "./without-middle.ts";

/** What an earlier pass left. */
export type Archive = {
  readonly frames: readonly Frame[];
  /** The newest part, for which there was no frame. It is printed in the next pass. */
  readonly tail: string;
  /** How many frames between the first and the second were given up since the beginning. */
  readonly dropped: number;
};

export type ArchiveTexts = {
  /** As `archiveText` writes it. */
  readonly history: string;
  readonly previous?: Archive;
  /** A summary in words that stands for what was before the history. */
  readonly earlierSummary?: string;
};

export type PrintLimits = {
  readonly framesMax: number;
  /** Pixels cannot be searched for secrets later, so everything passes through here first. */
  readonly redact: (text: string) => string;
};

export type PrintedArchive = Archive & {
  /** Characters of this pass that could be printed only by their number. */
  readonly unprintable: number;
};

const tailFrames = 2;

export function printArchive(texts: ArchiveTexts, shape: Shape, { framesMax, redact }: PrintLimits): PrintedArchive {
  const { history, earlierSummary, previous = { frames: [], tail: "", dropped: 0 } } = texts;
  const summary = earlierSummary === undefined ? [] : [summaryHeading, withoutTags(earlierSummary)];
  const text = cleanSecretless([...summary, previous.tail, history].join("\n"), redact);
  const room = Math.max(0, framesMax - Math.min(1, previous.frames.length));
  const font = loadFont(shape.font);
  const typesetter = createTypesetter(font);
  const { pages, printedTo } = setPages(text, shape, typesetter, room);
  const kept = keptFrames(previous.frames, framesMax - pages.length);
  return {
    frames: [...kept, ...pages.map((page) => drawFrame(page, shape, font))],
    tail: tailOf(text.slice(printedTo).trim(), gridOf(shape).characters * tailFrames),
    dropped: previous.dropped + previous.frames.length - kept.length,
    unprintable: typesetter.unprintable(),
  };
}

function keptFrames(frames: readonly Frame[], count: number): readonly Frame[] {
  if (frames.length <= count) return frames;
  return count <= 0 ? [] : [...frames.slice(0, 1), ...frames.slice(frames.length - (count - 1))];
}

/** Together with its note it fits the frames that the next pass has for it. */
function tailOf(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : withoutMiddle(text, charactersMax - noteCharacters);
}

/** As it is recorded and sent. */
export function frameMedia({ png }: Frame, index: number): Media {
  const base64 = Buffer.from(png).toString("base64");
  return { name: `history-${index + 1}.png`, mediaType: "image/png", base64, detail: "original" };
}

/** Undefined when the record holds something else than a PNG file. */
export function frameOf({ base64 }: Media): Frame | undefined {
  const png = new Uint8Array(Buffer.from(base64, "base64"));
  const size = pngSize(png);
  return size === undefined ? undefined : { png, ...size };
}
