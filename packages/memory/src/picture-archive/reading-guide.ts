/** The words that go with printed history: how to read it, and its newest part where that was not printed yet. */
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import type { Archive } from "./print-archive.ts";
import type { Shape } from "./shape.ts";

/** The same for the same archive, so that it costs no call. */
export function readingGuide({ frames, dropped, tail }: Archive, shape: Shape): string {
  const guide = fillSlots(textBeside(import.meta.url, "./reading-guide.md"), {
    count:
      frames.length === 1
        ? "the picture of this message"
        : `the ${frames.length} pictures of this message, the oldest first`,
    gap: gapText(dropped),
    order: orderText(shape),
  });
  return tail === "" ? guide : `${guide}\n\nThis follows after the last picture:\n\n${tail}`;
}

function gapText(dropped: number): string {
  if (dropped === 0) return "";
  const what = dropped === 1 ? "One picture was" : `${dropped} pictures were`;
  return ` ${what} left out after the first.`;
}

function orderText({ columns, copies }: Shape): string {
  const rows =
    columns === 2
      ? "Each has two columns: read the left one to its end, then the right one."
      : "Read each row from left to right; a word that meets the end of a row goes on in the next.";
  return copies === 2 ? `${rows} Every row is printed twice.` : rows;
}
