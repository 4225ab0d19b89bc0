/** The usual themes of the terminal as variables of a page that is written once: light, and dark where the reader prefers it. */
import { builtinThemeText, defaultThemes } from "@kedge/tui/themes";

type Named = { readonly [name: string]: string };

export function themeStyle(): string {
  const light = `:root { color-scheme: light dark; ${variables(defaultThemes.light)} }`;
  return `${light}\n@media (prefers-color-scheme: dark) { :root { ${variables(defaultThemes.dark)} } }`;
}

function variables(name: string): string {
  // Written by ourselves.
  const { vars, colors, export: page } = JSON.parse(builtinThemeText(name) ?? "{}") as { [part: string]: Named };
  const resolve = (value: string): string => (vars?.[value] === undefined ? value : resolve(vars[value]));
  const rows = Object.entries({ ...colors, ...page }).map(([token, value]) => `--${token}: ${resolve(value)};`);
  return rows.join(" ");
}
