/** A user's directory with a project in it, for tests of instruction files. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { InstructionEntry, InstructionParts, InstructionSettings } from "../src/instructions/index.ts";

export type InstructionSite = {
  readonly home: string;
  readonly root: string;
  /** Relative to the root of the project. */
  put(path: string, text: string): string;
  parts(given?: GivenParts): InstructionParts;
  /** By path from the user's directory. */
  shown(entries: readonly InstructionEntry[]): readonly string[];
  [Symbol.dispose](): void;
};

export type GivenParts = Partial<Omit<InstructionParts, "settings" | "places">> & {
  readonly cwd?: string;
  readonly settings?: Partial<InstructionSettings>;
};

export function openInstructionSite(): InstructionSite {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "kedge-instructions-")));
  const root = join(home, "project");
  mkdirSync(root);
  return {
    home,
    root,
    put(path, text) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    parts({ cwd = root, settings, ...given } = {}) {
      const places = { cwd, root, home, kedgeHome: join(home, ".kedge"), managed: join(home, "etc") };
      return {
        places: { ...places, userId: process.getuid?.() },
        settings: { compat: true, shadowing: "none", walkPastRepo: false, disabledSources: [], ...settings },
        isTrusted: () => true,
        isApproved: () => false,
        isUnaccepted: () => false,
        redact: (text) => text,
        ...given,
      };
    },
    shown: (entries) =>
      entries.map(
        ({ path, status, why }) => `${path.slice(home.length + 1)} ${status === "not-loaded" ? why : status}`,
      ),
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}
