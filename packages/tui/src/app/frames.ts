/** When the screen is drawn: parts ask for a frame from the moment they are made, and get one as soon as there is a screen. */
import { createTicker, type Ticker, type TickerParts } from "./ticker.ts";

export interface Frames {
  /** Draws what changed with the next frame; before `begin`, nothing. */
  redraw(): void;
  begin(drawing: TickerParts & { readonly redraw: () => void }): void;
  stop(): void;
}

export function createFrames(): Frames {
  let begun: { readonly redraw: () => void; readonly ticker: Ticker } | undefined;
  return {
    redraw() {
      begun?.redraw();
      begun?.ticker.schedule();
    },
    begin({ redraw, ...ticking }) {
      begun = { redraw, ticker: createTicker(ticking) };
    },
    stop: () => begun?.ticker.stop(),
  };
}
