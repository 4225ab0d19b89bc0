/** Draws a recorded terminal as an animated SVG: every row once for each content it had, shown while it had it. */
import type { Cell } from "@kedge/testing/screen-terminal";
import { drawRow, drawWindow, type PictureLook } from "./terminal-picture.ts";

export type Frame = {
  readonly cells: readonly (readonly Cell[])[];
  /** How long the frame is shown. */
  readonly milliseconds: number;
};

export function drawRecording(frames: readonly Frame[], look: PictureLook): string {
  const [first] = frames;
  const rows = first?.cells.length ?? 0;
  const styles = createStyles(frames);
  const drawn = Array.from({ length: rows }, (_, index) => drawVersions(index, frames, look, styles.classOf)).flat();
  return drawWindow([styles.text(), ...drawn], { columns: first?.cells[0]?.length ?? 0, rows }, look);
}

/** One group for each content that a row had in the whole recording. */
function drawVersions(
  index: number,
  frames: readonly Frame[],
  look: PictureLook,
  classOf: (isShown: readonly boolean[]) => string | undefined,
): readonly string[] {
  const contents = frames.map(({ cells }) => drawRow(cells[index] ?? [], index, look).join(""));
  return [...new Set(contents)]
    .filter((content) => content !== "")
    .map((content) => {
      const name = classOf(contents.map((each) => each === content));
      return name === undefined ? content : `<g class="${name}">${content}</g>`;
    });
}

type Styles = {
  /** Undefined for what is always shown. */
  classOf(isShown: readonly boolean[]): string | undefined;
  text(): string;
};

function createStyles(frames: readonly Frame[]): Styles {
  const total = frames.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const starts = frames.map((_, index) =>
    frames.slice(0, index).reduce((sum, { milliseconds }) => sum + milliseconds, 0),
  );
  const names = new Map<string, { readonly name: string; readonly isShown: readonly boolean[] }>();

  function rulesOf(name: string, isShown: readonly boolean[]): string {
    const steps = isShown.flatMap((isNow, index) => {
      if (index > 0 && isShown[index - 1] === isNow) return [];
      return [`${percent(starts[index] ?? 0, total)}{visibility:${isNow ? "visible" : "hidden"}}`];
    });
    // A viewer that does not animate, or must not, shows the last frame.
    const still = isShown.at(-1) === true ? "visible" : "hidden";
    const rule = `.${name}{visibility:${still};animation:${name} ${total / 1_000}s step-end infinite}`;
    return `${rule}@keyframes ${name}{${steps.join("")}}`;
  }

  return {
    classOf(isShown) {
      if (isShown.every(Boolean)) return undefined;
      const key = isShown.map(Number).join("");
      const known = names.get(key) ?? { name: `f${names.size}`, isShown };
      names.set(key, known);
      return known.name;
    },
    text() {
      const rules = [...names.values()].map(({ name, isShown }) => rulesOf(name, isShown));
      return `<style>${rules.join("")}@media (prefers-reduced-motion){g[class]{animation:none}}</style>`;
    },
  };
}

function percent(part: number, whole: number): string {
  return `${Math.round((part / whole) * 10_000) / 100}%`;
}
