/** A theme of the terminal as CSS variables, for pages of tests. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../../tui/src/theme/builtin");

export function themeCss(name: string): string {
  // Written by ourselves, and checked by the tests of the themes.
  const { vars, colors } = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as {
    readonly vars: { readonly [name: string]: string };
    readonly colors: { readonly [token: string]: string };
  };
  const resolve = (value: string): string => (vars[value] === undefined ? value : resolve(vars[value]));
  const rows = Object.entries(colors).map(([token, value]) => `--${token}: ${resolve(value)};`);
  const scheme = name.endsWith("light") || name === "parchment" ? "light" : "dark";
  return (
    `:root { color-scheme: ${scheme}; ${rows.join(" ")} --pageBg: ${vars["page"]}; }\n` +
    `body { margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--pageBg); color: var(--text); ` +
    `font: 16px/1.5 system-ui, sans-serif; } article { padding: 0.6rem 0; }`
  );
}
