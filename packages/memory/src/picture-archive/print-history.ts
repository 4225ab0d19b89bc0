/** Prints the older part of a conversation on pictures that a model can read, in the place of a summary in words. */
import type { HistoryToPrint, PrintedHistory, PrintOptions } from "@kedge/protocol";
import { archiveText, defaultArchiveCaps } from "./archive-text.ts";
import { framesMaxFor, frameTokens } from "./frame-tokens.ts";
import { frameMedia, frameOf, printArchive } from "./print-archive.ts";
import { readingGuide } from "./reading-guide.ts";
import { shapeFor } from "./shape.ts";

/** Where more of a text than this can be printed only by its numbers, nobody reads it from a picture. */
const unprintableShareMax = 0.05;

/** Undefined where too much of the history has no printable form. */
export function printHistory(
  { items, previous, earlierSummary }: HistoryToPrint,
  { model, redact, settings = {} }: PrintOptions,
): PrintedHistory | undefined {
  const { shape: forced, framesMax: framesWanted = Number.POSITIVE_INFINITY, ...given } = settings;
  const history = archiveText(items, { redact, caps: { ...defaultArchiveCaps, ...given } });
  const shape = shapeFor(model, forced);
  const printed = printArchive(
    {
      history,
      ...(earlierSummary !== undefined && { earlierSummary }),
      ...(previous !== undefined && {
        previous: { ...previous, frames: previous.frames.flatMap((media) => frameOf(media) ?? []) },
      }),
    },
    shape,
    { framesMax: Math.min(framesMaxFor(model), framesWanted), redact },
  );
  if (printed.unprintable > history.length * unprintableShareMax) return undefined;
  const { frames, tail, dropped } = printed;
  return {
    guide: readingGuide(printed, shape),
    frames: frames.map(frameMedia),
    archive: { tail, dropped },
    frameTokens: frames.reduce((sum, frame) => sum + frameTokens(frame, model), 0),
  };
}
