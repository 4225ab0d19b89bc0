/** Instruction files that the settings of another agent name by path or pattern. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listInstructions, type NamedFiles } from "../src/instructions/index.ts";
import { promptNames } from "../src/instructions/instruction-places.ts";
import { loadAll } from "../src/instructions/loaded-instructions.ts";
import { promptEntries, promptFile } from "../src/instructions/prompt-files.ts";
import { type GivenParts, type InstructionSite, openInstructionSite } from "./instruction-site.ts";

let site: InstructionSite;
beforeEach(() => {
  site = openInstructionSite();
});
afterEach(() => site[Symbol.dispose]());

function named(tier: NamedFiles["tier"], ...patterns: readonly string[]): GivenParts {
  return { settings: { named: [{ file: "opencode.json", tier, source: "opencode", patterns }] } };
}
const load = (given: GivenParts) => site.shown(loadAll(site.parts(given)));

test("paths and patterns, from every directory of the walk, before the files that are found by name", () => {
  site.put("AGENTS.md", "Found.");
  site.put("CONTRIBUTING.md", "Root.");
  site.put("docs/b.md", "B.");
  site.put("docs/a.md", "A.");
  site.put("docs/deep/c.md", "C.");
  site.put("docs/node_modules/x/d.md", "D.");
  site.put("sub/CONTRIBUTING.md", "Sub.");
  expect(load(named("project", "CONTRIBUTING.md", "./docs/*.md"))).toEqual([
    "project/CONTRIBUTING.md loaded",
    "project/docs/a.md loaded",
    "project/docs/b.md loaded",
    "project/AGENTS.md loaded",
  ]);
  expect(load(named("project", "docs/**/*.md"))).toContain("project/docs/deep/c.md loaded");
  expect(load(named("project", "docs/**/*.md")).join()).not.toContain("node_modules");
  expect(load({ ...named("project", "CONTRIBUTING.md"), cwd: join(site.root, "sub") })).toEqual([
    "project/CONTRIBUTING.md loaded",
    "project/sub/CONTRIBUTING.md loaded",
    "project/AGENTS.md loaded",
  ]);
  expect(load(named("project", "docs/{a,b}.md", "AGENTS.md"))).toEqual([
    "project/docs/a.md loaded",
    "project/docs/b.md loaded",
    "project/AGENTS.md loaded",
  ]);
});

test("what names nothing, leads out or comes from the network is listed with the reason", () => {
  site.put("../outside.md", "Outside.");
  site.put("../secrets/key.md", "Key.");
  mkdirSync(join(site.root, "docs"));
  symlinkSync(join(site.home, "secrets"), join(site.root, "docs/linked"));
  symlinkSync(join(site.home, "outside.md"), join(site.root, "docs/linked.md"));
  const outside = join(site.home, "outside.md");
  const notApproved = `outside the project and not approved; run kedge instructions approve ${outside}`;
  const patterns = [
    "missing.md",
    "none/*.md",
    outside,
    "~/outside.md",
    "../*.md",
    "docs/**/*.md",
    "https://x.org/a.md",
  ];
  expect(load(named("project", ...patterns))).toEqual([
    "project/missing.md not found",
    "project/none/*.md not found",
    `outside.md ${notApproved}`,
    `outside.md ${notApproved}`,
    "*.md not found",
    `project/docs/linked.md ${notApproved}`,
    // Cut in the same place as the others.
    `${"https://x.org/a.md".slice(site.home.length + 1)} remote; add it to instructions.urls`,
  ]);
});

test("those of a project wait for trust; those of the user are the user's where they lie elsewhere", () => {
  site.put("../mine/style.md", "Mine.");
  site.put("guide.md", "Guide.");
  const given = named("user", "~/mine/*.md", "guide.md");
  expect(load(given)).toEqual(["mine/style.md loaded", "project/guide.md loaded"]);
  expect(load({ ...given, isTrusted: () => false })).toEqual([
    "mine/style.md loaded",
    "project/guide.md project not trusted; run kedge trust add",
  ]);
  expect(load({ settings: { ...given.settings, compat: false } })).toEqual([
    "mine/style.md disabled by the setting instructions.compat",
    "project/guide.md disabled by the setting instructions.compat",
  ]);
  expect(load({ settings: { ...given.settings, disabledSources: ["opencode"] } })).toContain(
    "project/guide.md disabled by the setting disabledProviders",
  );
});

test("files of omp come from the folder that is given", () => {
  site.put("../.omp/agent/AGENTS.md", "Usual.");
  site.put("../.omp/profiles/work/agent/AGENTS.md", "Work.");
  site.put("../.omp/profiles/work/agent/RULES.md", "Short.");
  expect(load({})).toEqual([".omp/agent/AGENTS.md loaded"]);
  const { places, ...others } = site.parts();
  const work = { ...others, places: { ...places, ompFolder: ".omp/profiles/work/agent" } };
  expect(site.shown(loadAll(work))).toEqual([
    ".omp/profiles/work/agent/AGENTS.md loaded",
    ".omp/profiles/work/agent/RULES.md loaded",
  ]);
});

test("prompts of omp's user count behind kedge's own and those of the project, unless they are switched off", () => {
  site.put("../.omp/agent/SYSTEM.md", "Base of omp.");
  site.put("../.omp/agent/TITLE_SYSTEM.md", "Title of omp.");
  site.put(".omp/TITLE_SYSTEM.md", "Title of the project.");
  const found = (settings: GivenParts["settings"] = {}) =>
    promptNames.map((name) => promptFile(name, site.parts({ settings })) ?? "none");
  expect(found()).toEqual(["Base of omp.", "none", "Title of the project."]);
  expect(found({ compat: false })).toEqual(["none", "none", "Title of the project."]);
  expect(found({ disabledSources: ["omp"] })).toEqual(["none", "none", "none"]);
  site.put("../.kedge/SYSTEM.md", "Base of kedge.");
  expect(found()[0]).toBe("Base of kedge.");
  expect(site.shown(promptEntries("SYSTEM.md", site.parts()))).toEqual([
    ".omp/agent/SYSTEM.md overridden by a nearer SYSTEM.md",
    ".kedge/SYSTEM.md loaded",
  ]);
});

test("the list says who named a file, and none of them has a rival", () => {
  site.put("AGENTS.md", "Found.");
  site.put("guide.md", "Guide.");
  const parts = site.parts({ settings: { ...named("project", "guide.md").settings, shadowing: "per-depth" } });
  expect(listInstructions(parts).map(({ status, why }) => `${status}: ${why}`)).toEqual([
    "loaded: named in opencode.json",
    "loaded: read at startup",
  ]);
});
