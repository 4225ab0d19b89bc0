/** The themes that come with the program; each is read when it is first asked for. */
import { textBeside } from "@kedge/protocol/text-file";

export const defaultThemes = { dark: "kedge-dark", light: "kedge-light" } as const;

const texts: { readonly [name: string]: () => string } = {
  "kedge-dark": () => textBeside(import.meta.url, "./builtin/kedge-dark.json"),
  "kedge-light": () => textBeside(import.meta.url, "./builtin/kedge-light.json"),
  "high-contrast-dark": () => textBeside(import.meta.url, "./builtin/high-contrast-dark.json"),
  "high-contrast-light": () => textBeside(import.meta.url, "./builtin/high-contrast-light.json"),
  "colorblind-dark": () => textBeside(import.meta.url, "./builtin/colorblind-dark.json"),
  "colorblind-light": () => textBeside(import.meta.url, "./builtin/colorblind-light.json"),
  ember: () => textBeside(import.meta.url, "./builtin/ember.json"),
  fjord: () => textBeside(import.meta.url, "./builtin/fjord.json"),
  parchment: () => textBeside(import.meta.url, "./builtin/parchment.json"),
  terminal: () => textBeside(import.meta.url, "./builtin/terminal.json"),
};

export const builtinThemeNames: readonly string[] = Object.keys(texts);

export function builtinThemeText(name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name]?.() : undefined;
}
