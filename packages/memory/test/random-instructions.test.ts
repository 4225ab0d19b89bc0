/** Proves over random trees of files: nothing of a project without trust, nothing from outside, each text once, always an end. */
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { createSeededRandom, rounds, type SeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { listInstructions } from "../src/instructions/index.ts";
import { loadAll } from "../src/instructions/loaded-instructions.ts";
import { type InstructionSite, openInstructionSite } from "./instruction-site.ts";

const names = [
  ...["AGENTS.md", "CLAUDE.md", "GEMINI.md", "KEDGE.md", "CONTEXT.md", "KEDGE.local.md", "docs/a.md", "docs/b.md"],
  ...[".kedge/KEDGE.md", ".kedge/AGENTS.md", ".kedge/RULES.md", ".kedge/rules/x.md", ".claude/CLAUDE.md"],
  ...[".claude/rules/y.md", ".omp/AGENTS.md", ".agents/AGENTS.md", ".github/copilot-instructions.md"],
  ...[".github/instructions/z.instructions.md", ".gemini/GEMINI.md"],
];
const directories = ["", "app", "app/lib", "../outer", "../.claude", "../.kedge", "../etc"];
const includes = [
  "@docs/a.md",
  "@../outer/AGENTS.md",
  "@~/outer/docs/b.md",
  "@/etc/hostname",
  "@AGENTS.md",
  "@app/KEDGE.md",
];
const heads = ["", "---\npaths: app/**\n---\n", "---\npaths: [\n---\n", "<!-- c -->", "---\n"];

function pick<Item>(random: SeededRandom, items: readonly Item[]): Item {
  // Never empty.
  return items[random.below(items.length)] as Item;
}

function fill(site: InstructionSite, random: SeededRandom): void {
  for (let file = 0; file < 12; file += 1) {
    const path = join(pick(random, directories), pick(random, names));
    try {
      const kind = random.below(10);
      if (kind === 0) mkdirSync(join(site.root, path), { recursive: true });
      else if (kind === 1) {
        mkdirSync(dirname(join(site.root, path)), { recursive: true });
        symlinkSync(join(site.root, pick(random, directories), pick(random, names)), join(site.root, path));
      } else {
        const words = Array.from({ length: random.below(4) }, () => pick(random, includes)).join(" ");
        site.put(path, `${pick(random, heads)}Text ${random.below(8)} ${words}`);
      }
    } catch {
      // Something else lies there already, such as a link that leads to itself.
    }
  }
}

test("random projects", () => {
  const random = createSeededRandom();
  for (let round = 0; round < rounds({ usual: 20, long: 2_000 }); round += 1) {
    using site = openInstructionSite();
    fill(site, random);
    mkdirSync(join(site.root, "app/lib"), { recursive: true });
    const cwd = join(site.root, pick(random, ["", "app", "app/lib"]));
    const settings = { shadowing: pick(random, ["none", "per-depth"] as const), walkPastRepo: random.below(4) === 0 };
    const about = `seed ${random.seed}, round ${round}`;
    const isOfProject = ({ tier }: { readonly tier: string }) => tier === "project" || tier === "local";

    const untrusted = loadAll(site.parts({ cwd, settings, isTrusted: () => false }));
    expect(
      untrusted.filter((entry) => isOfProject(entry) && (entry.text !== "" || entry.hash !== "")),
      about,
    ).toEqual([]);

    const entries = loadAll(site.parts({ cwd, settings }));
    const present = entries.filter(({ status }) => status !== "not-loaded");
    const ofProject = present.filter((entry) => isOfProject(entry) && !settings.walkPastRepo);
    const outside = ofProject.filter(({ path }) => !realpathSync(path).startsWith(`${site.root}/`));
    expect(
      outside.map(({ path }) => path),
      about,
    ).toEqual([]);
    const hashes = present.filter(({ tier }) => tier !== "managed").map(({ hash }) => hash);
    expect(new Set(hashes).size, about).toBe(hashes.length);
    const rows = listInstructions(site.parts({ cwd, settings }), [join(site.root, "app/lib/x.ts")]);
    expect(
      rows.filter(({ why }) => why === ""),
      about,
    ).toEqual([]);
    expect(new Set(rows.map(({ path }) => path)).size, about).toBe(rows.length);
  }
});
