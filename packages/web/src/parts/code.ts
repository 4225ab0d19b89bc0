/** Code with its colours: one element per line, so that lines can be numbered, linked and marked. */
import type { Line } from "@kedge/tui/drawing";
import { type ComponentChildren, h, type JSX } from "preact";
import * as texts from "../texts/parts.ts";
import type { Look } from "./look.ts";
import { visibleCode, visibleLine } from "./visible-text.ts";

export type CodeProps = {
  readonly code: string;
  /** What stands behind the fence, or the name of a language. */
  readonly label: string;
  readonly look: Look;
  /** It still grows, and is coloured when it is whole. */
  readonly isOpen?: boolean;
};

export function CodeBlock({ code, label, look, isOpen = false }: CodeProps): JSX.Element {
  const text = visibleCode(code);
  const name = visibleLine(label);
  const lines = isOpen ? undefined : look.highlight.spans(text, label);
  const inside = lines === undefined ? text : codeLines(lines);
  return h(
    "figure",
    { class: "code-block" },
    name === "" ? undefined : h("figcaption", {}, name),
    h("pre", { tabIndex: 0, "aria-label": name === "" ? texts.code : texts.codeIn(name) }, h("code", {}, inside)),
  );
}

/** Lines with line feeds between them, so that what is copied is the code. */
export function codeLines(lines: readonly Line[]): ComponentChildren[] {
  return lines.flatMap((line, index) => (index === 0 ? coloured(line) : ["\n", ...coloured(line)]));
}

export function coloured(line: Line): ComponentChildren[] {
  return line.map(({ text, style }) => {
    const content = style.isInverse ? h("mark", {}, text) : text;
    return style.color === undefined || style.isInverse ? content : h("span", { class: style.color }, content);
  });
}
