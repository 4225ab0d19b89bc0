/** Names of other brevity plugins for `/brief`; a command of that name that the user has wins. */
import type { LocalCommand } from "@kedge/engine";

const aliases: { readonly [name: string]: string } = {
  caveman: "",
  "caveman-commit": "commit ",
  "caveman-review": "review ",
  "caveman-compress": "compress ",
};

/** `home` is kedge's own directory. */
export function briefAliases(home: string): readonly LocalCommand[] {
  return Object.entries(aliases).map(([name, prefix]) => ({
    name,
    summary: `Alias of /brief ${prefix}`.trim(),
    run: async (argument, state) => {
      const { runBrief } = await import("./brief-command.ts");
      return runBrief(`${prefix}${argument}`, state, home);
    },
  }));
}
