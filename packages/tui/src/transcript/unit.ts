/** The smallest thing of the transcript that is folded, grouped and cached: mostly one part of a message. */
import type { GroupNoun, ToolStatus } from "@kedge/protocol";
import type { Theme } from "../theme/theme.ts";

export type Look = { readonly width: number; readonly isOpen: boolean; readonly theme: Theme };

export type Unit = {
  /** The same for the same thing, whatever became of it. */
  readonly key: string;
  readonly messageId: string | undefined;
  /** Tight ones stand below each other without a blank line. */
  readonly isTight: boolean;
  /** How it takes part in groups: `between` joins only where calls stand on both sides of it. */
  readonly joins: Joining;
  /** Whether opening it shows more. */
  readonly isFoldable: boolean;
  render(look: Look): readonly string[];
};

export type Joining =
  | { readonly kind: "never" }
  | { readonly kind: "between" }
  | {
      readonly kind: "call";
      readonly status: ToolStatus;
      readonly title: string;
      /** Without it the call is not counted. */
      readonly noun?: GroupNoun;
    };

export const joinsNever: Joining = { kind: "never" };

type Draw = (look: Look) => readonly string[];

/** Draws again only when it is looked at in another way. */
export function createUnit(facts: Omit<Unit, "render">, draw: Draw): Unit {
  let drawn: { readonly look: Look; readonly lines: readonly string[] } | undefined;
  return {
    ...facts,
    render(look) {
      if (drawn === undefined || !isSameLook(drawn.look, look)) drawn = { look, lines: draw(look) };
      return drawn.lines;
    },
  };
}

function isSameLook(left: Look, right: Look): boolean {
  return left.width === right.width && left.isOpen === right.isOpen && left.theme === right.theme;
}
