/** Output styles: texts that say how the model writes and works, chosen by name. */
import type { WritingStyle } from "@kedge/protocol";
import type { Definition } from "../definitions/definition.ts";

const frame = (name: string, body: string) =>
  `Output style "${name}". Where it differs from what you were told about style before, it counts.\n\n${body}`;

/** Undefined where there is none of this name, in any case. */
export function styleText(name: string, styles: readonly Definition[]): WritingStyle | undefined {
  const wanted = plain(name);
  const style = styles.find((each) => plain(each.name) === wanted);
  return style === undefined ? undefined : { name: style.name, text: frame(style.name, style.body) };
}

function plain(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, "-");
}
