/** A view from a function, drawn again only for another width or theme, or when the view inside of it changed. */
import { createRemembered } from "../../screen/remembered.ts";
import type { View } from "../../screen/view.ts";
import type { Theme } from "../../theme/theme.ts";

export type DrawFlowing = (width: number, theme: Theme, inside: readonly string[]) => readonly string[];

export function createFlowingView(theme: () => Theme, draw: DrawFlowing, inside?: View): View {
  const cached = createRemembered<readonly string[]>();
  return {
    render(width) {
      const colours = theme();
      const lines = inside?.render(width) ?? none;
      return cached([width, colours, lines], () => draw(width, colours, lines));
    },
  };
}

const none: readonly string[] = [];
