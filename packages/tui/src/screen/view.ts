/** What is drawn, and what is told to it: the words between our views and the library that paints them. */
import type { Input } from "./input.ts";

/**
 * A column of text. Lines are at most `width` columns wide and hold nothing but clean text and our own styles; what came
 * from a model, a tool, a file or a peer was cleaned before (`cleanText`). The same array is given back as long as
 * nothing changed, so that an unchanged view costs nothing.
 */
export interface View {
  render(width: number): readonly string[];
}

/** A view over the others that takes the keys until it is closed. */
export interface Dialog {
  readonly title: string;
  /** Columns it would like to have; it gets what the screen has. */
  readonly widthWished: number;
  /** Its inside, at most `height` lines; frame and title are drawn around it. */
  render(width: number, height: number): readonly string[];
  /** Escape is given to it first; false lets it be closed. */
  handle(input: Input): boolean;
  /** Told once, when it leaves the stack, however that came. */
  closed?(): void;
}
