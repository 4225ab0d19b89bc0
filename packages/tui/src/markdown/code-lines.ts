/** How code looks: a rule with the language above, a rule below, and nothing at the sides, so that it can be copied. */
import { visibleWidth } from "../screen/text-width.ts";
import { type Line, span } from "../syntax/styled-text.ts";
import { wrapAnywhere } from "../syntax/wrap-line.ts";
import type { Symbols } from "../theme/theme.ts";

type Frame = { readonly width: number; readonly symbols: Symbols };

const ruleWidthMax = 60;
const labelWidthMax = 20;
const border = { color: "mdCodeBlockBorder" } as const;
const bare = { color: "mdCodeBlock" } as const;

export function codeTop(label: string, { width, symbols }: Frame): Line {
  const rule = Math.min(width, ruleWidthMax);
  const [name = ""] = label.trim().split(/\s/);
  const shown = Array.from(name)
    .slice(0, Math.min(labelWidthMax, rule - 4))
    .join("");
  if (shown === "" || visibleWidth(shown) > rule - 4) return codeBottom({ width, symbols });
  const head = `${symbols.horizontal.repeat(2)} ${shown} `;
  return [span(head + symbols.horizontal.repeat(Math.max(0, rule - visibleWidth(head))), border)];
}

export function codeBottom({ width, symbols }: Frame): Line {
  return [span(symbols.horizontal.repeat(Math.min(width, ruleWidthMax)), border)];
}

/** What a grammar left without a colour has the one of code. */
export function codeLines(lines: readonly Line[], width: number): readonly Line[] {
  return lines.flatMap((line) =>
    wrapAnywhere(
      line.map((part) => (part.style.color === undefined ? span(part.text, bare) : part)),
      width,
    ),
  );
}
