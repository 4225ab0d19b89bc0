/** Lets text that arrives in bursts appear evenly: how much of it may be shown at this moment. */
import { graphemeSegmenter } from "../screen/segmenters.ts";

export interface Reveal {
  /** What to show of the text now. All of it once `isEnded`, and where nothing is smoothed. */
  shown(id: string, text: string, options: { readonly isEnded: boolean }): string;
  /** When the next piece is due; undefined while nothing waits. */
  nextFrameAt(): number | undefined;
}

/** Thirty a second. */
const frameMs = 33;
const graphemesMin = 3;
/** This part of what waits is shown with one frame, so that a long wait does not grow longer. */
const backlogShare = 8;
/** After a pause of the program it does not catch up on more frames than this. */
const framesAtOnceMax = 8;
const textsMax = 128;

type Revealed = {
  text: string;
  /** Where each grapheme that waits ends. */
  readonly waiting: number[];
  /** The first of them that is not shown. */
  next: number;
  shownEnd: number;
  frameAt: number;
};

export function createReveal({ isOn, now }: { readonly isOn: () => boolean; readonly now: () => number }): Reveal {
  const texts = new Map<string, Revealed>();

  function begin(id: string, time: number): Revealed {
    const [oldest] = texts.keys();
    if (texts.size >= textsMax && oldest !== undefined) texts.delete(oldest);
    const revealed: Revealed = { text: "", waiting: [], next: 0, shownEnd: 0, frameAt: time - frameMs };
    texts.set(id, revealed);
    return revealed;
  }

  /** Only the end is counted again: the last grapheme may have grown. */
  function take(revealed: Revealed, text: string): void {
    const { waiting } = revealed;
    if (text === revealed.text) return;
    if (!text.startsWith(revealed.text)) {
      // Something else took its place; half of it would make no sense.
      Object.assign(revealed, { text, next: 0, shownEnd: text.length });
      waiting.length = 0;
      return;
    }
    revealed.text = text;
    if (waiting.length > revealed.next) waiting.pop();
    else waiting.length = revealed.next = 0;
    const from = waiting.length > revealed.next ? (waiting.at(-1) ?? 0) : revealed.shownEnd;
    for (const { index, segment } of graphemeSegmenter().segment(text.slice(from)))
      waiting.push(from + index + segment.length);
  }

  function advance(revealed: Revealed, time: number): void {
    const frames = Math.floor((time - revealed.frameAt) / frameMs);
    if (frames < 1) return;
    revealed.frameAt = time;
    for (let frame = 0; frame < Math.min(frames, framesAtOnceMax); frame += 1) {
      const backlog = revealed.waiting.length - revealed.next;
      if (backlog === 0) return;
      revealed.next += Math.min(backlog, Math.max(graphemesMin, Math.ceil(backlog / backlogShare)));
      revealed.shownEnd = revealed.waiting[revealed.next - 1] ?? revealed.shownEnd;
    }
  }

  return {
    shown(id, text, { isEnded }) {
      if (isEnded || !isOn()) {
        texts.delete(id);
        return text;
      }
      const time = now();
      const revealed = texts.get(id) ?? begin(id, time);
      take(revealed, text);
      advance(revealed, time);
      return revealed.shownEnd >= text.length ? text : text.slice(0, revealed.shownEnd);
    },
    nextFrameAt() {
      let due: number | undefined;
      for (const { waiting, next, frameAt } of texts.values()) {
        if (waiting.length === next) continue;
        due = Math.min(due ?? Number.POSITIVE_INFINITY, frameAt + frameMs);
      }
      return due;
    },
  };
}
