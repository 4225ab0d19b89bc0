/** Which instruction files are loaded, in which order, with what they include, and why others are not. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listInstructions } from "../src/instructions/index.ts";
import { loadAll } from "../src/instructions/loaded-instructions.ts";
import { type GivenParts, type InstructionSite, openInstructionSite } from "./instruction-site.ts";

let site: InstructionSite;
beforeEach(() => {
  site = openInstructionSite();
});
afterEach(() => site[Symbol.dispose]());

const load = (given: GivenParts = {}) => site.shown(loadAll(site.parts(given)));

test("tiers in their order; a managed file is there without trust and survives a copy", () => {
  site.put("../etc/KEDGE.md", "Policy.");
  site.put("../etc/rules/more.md", "More policy.");
  site.put("../.kedge/KEDGE.md", "User.");
  site.put("../.codex/AGENTS.md", "Codex.");
  site.put("AGENTS.md", "Project.");
  site.put("KEDGE.md", "Policy.");
  site.put("KEDGE.local.md", "Local.");
  expect(load()).toEqual([
    "etc/KEDGE.md loaded",
    "etc/rules/more.md loaded",
    ".codex/AGENTS.md loaded",
    ".kedge/KEDGE.md loaded",
    "project/AGENTS.md loaded",
    "project/KEDGE.md same content as /etc/KEDGE.md".replace("/etc", join(site.home, "etc")),
    "project/KEDGE.local.md loaded",
  ]);
  const untrusted = "project not trusted; run kedge trust add";
  expect(load({ isTrusted: () => false, settings: { compat: false } })).toEqual([
    "etc/KEDGE.md loaded",
    "etc/rules/more.md loaded",
    ".codex/AGENTS.md disabled by the setting instructions.compat",
    ".kedge/KEDGE.md loaded",
    `project/AGENTS.md ${untrusted}`,
    `project/KEDGE.md ${untrusted}`,
    `project/KEDGE.local.md ${untrusted}`,
  ]);
  expect(load({ settings: { disabledSources: ["native"] } })).toContain(
    ".kedge/KEDGE.md disabled by the setting disabledProviders",
  );
});

test("the walk ends at the root, and passes it only where the user wants it", () => {
  site.put("../AGENTS.md", "Above.");
  site.put("sub/AGENTS.md", "Below.");
  expect(load()).toEqual([]);
  expect(load({ cwd: join(site.root, "sub") })).toEqual(["project/sub/AGENTS.md loaded"]);
  expect(load({ settings: { walkPastRepo: true } })).toEqual(["AGENTS.md loaded"]);
  expect(site.parts().places.userId).toBeDefined();
  const { places, ...others } = site.parts({ settings: { walkPastRepo: true } });
  expect(loadAll({ ...others, places: { ...places, userId: 4_000_000 } })).toEqual([]);
});

test("a bare file in the folder of an agent is that agent's", () => {
  site.put(".foo/AGENTS.md", "Not ours.");
  expect(load({ cwd: join(site.root, ".foo") })).toEqual([]);
});

test("includes stand before the file that includes them, five deep; a circle ends", () => {
  site.put("AGENTS.md", "Zero @d1.md");
  for (let depth = 1; depth <= 7; depth += 1) site.put(`d${depth}.md`, `Depth ${depth} @d${depth + 1}.md @AGENTS.md`);
  const entries = loadAll(site.parts());
  expect(site.shown(entries)).toEqual(
    [5, 4, 3, 2, 1].map((depth) => `project/d${depth}.md loaded`).concat("project/AGENTS.md loaded"),
  );
  expect(entries.flatMap(({ warnings }) => warnings)).toEqual(["@d6.md is not included: more than 5 includes deep"]);
});

test("a circle of two loads each once", () => {
  site.put("AGENTS.md", "A @b.md");
  site.put("b.md", "B @AGENTS.md");
  expect(load()).toEqual(["project/b.md loaded", "project/AGENTS.md loaded"]);
});

test("what is not included is named for the user; the token stays in the text", () => {
  site.put("AGENTS.md", "@none.md @a.png @bin.md @dir.md @../../etc/passwd.md");
  site.put("a.png", "x");
  site.put("bin.md", "a\0b");
  mkdirSync(join(site.root, "dir.md"));
  const [entry] = loadAll(site.parts());
  expect(entry?.text).toContain("@none.md");
  expect(entry?.notes).toEqual([
    "@none.md is not included: missing",
    "@a.png is not included: not a text file",
    "@bin.md is not included: not a text file",
    "@dir.md is not included: a directory, not a file",
    "@../../etc/passwd.md is not included: missing",
  ]);
});

test("outside of the project a link or an include needs an approval of its real path", () => {
  const outside = site.put("../other/x.md", "Outside.");
  symlinkSync(outside, join(site.root, "inner.md"));
  symlinkSync(outside, join(site.root, "CLAUDE.md"));
  site.put("AGENTS.md", "@inner.md");
  const refused = `outside the project and not approved; run kedge instructions approve ${outside}`;
  expect(load()).toEqual(["project/AGENTS.md loaded", `project/CLAUDE.md ${refused}`]);
  expect(load({ isApproved: (target) => target === outside })).toEqual([
    "project/inner.md same content as CLAUDE.md",
    "project/AGENTS.md loaded",
    "project/CLAUDE.md loaded",
  ]);
});

test("files of the user include what lies in the user's directory", () => {
  site.put("../.kedge/KEDGE.md", "@~/notes/a.md @/etc/os-release.md");
  site.put("../notes/a.md", "Mine.");
  expect(load()).toEqual(["notes/a.md loaded", ".kedge/KEDGE.md loaded"]);
});

test("a link and its target, and equal files, are one entry: the nearest", () => {
  site.put("CLAUDE.md", "Same.");
  symlinkSync("CLAUDE.md", join(site.root, "AGENTS.md"));
  expect(load()).toEqual(["project/AGENTS.md same content as CLAUDE.md", "project/CLAUDE.md loaded"]);
  site.put("sub/AGENTS.md", "Same.");
  expect(load({ cwd: join(site.root, "sub") })).toEqual([
    "project/AGENTS.md same content as sub/AGENTS.md",
    "project/CLAUDE.md same content as sub/AGENTS.md",
    "project/sub/AGENTS.md loaded",
  ]);
});

test("a copy that counts for less never takes the place of one that counts", () => {
  const copy = site.put("CLAUDE.md", "Same.");
  site.put("AGENTS.md", "Same.");
  expect(load({ isUnaccepted: (path) => path === copy })).toEqual([
    "project/AGENTS.md loaded",
    "project/CLAUDE.md same content as AGENTS.md",
  ]);
  rmSync(copy);
  symlinkSync("AGENTS.md", copy);
  expect(load({ isUnaccepted: (path) => path === copy })).toEqual([
    "project/AGENTS.md loaded",
    "project/CLAUDE.md same content as AGENTS.md",
  ]);
  rmSync(copy);
  const rule = "---\npaths: src/**\n---\nEverywhere.";
  site.put("AGENTS.md", rule);
  site.put(".claude/rules/copy.md", rule);
  expect(load()).toContain("project/.claude/rules/copy.md same content as AGENTS.md");
});

test("every kind of line end, and an encoding that nobody reads", () => {
  site.put("docs/a.md", "Included.");
  site.put("AGENTS.md", "---\rname: x\r---\rFirst.\r@docs/a.md\u2028Last.");
  writeFileSync(join(site.root, "CLAUDE.md"), Buffer.from("\ufeffWide.", "utf16le"));
  expect(load()).toEqual([
    "project/docs/a.md loaded",
    "project/AGENTS.md loaded",
    "project/CLAUDE.md UTF-16 text; save it as UTF-8",
  ]);
  expect(loadAll(site.parts())[1]?.text).toBe("First.\n@docs/a.md\nLast.");
});

test("files that look like instructions and are not read are listed with what to do", () => {
  for (const path of ["agents.md", "Claude.local.md", ".cursorrules", ".cursor/rules/a.mdc", "AGENT.md", "sub/a.md"])
    site.put(path, "Look-alike.");
  const rows = listInstructions(site.parts()).map(({ path, why }) => `${path.slice(site.root.length + 1)}: ${why}`);
  const others = "not read by kedge: run /init to add it to AGENTS.md";
  expect(rows).toEqual([
    "Claude.local.md: not read by this name: rename it to CLAUDE.local.md",
    "agents.md: not read by this name: rename it to AGENTS.md",
    `.cursorrules: ${others}`,
    `.cursor/rules: ${others}`,
    `AGENT.md: ${others}`,
  ]);
  expect(load()).toEqual([]);
});

test("per-depth: the strongest source of a directory, the nearest native file, one file of the user", () => {
  const settings = { shadowing: "per-depth" } as const;
  const cwd = join(site.root, "package");
  site.put("AGENTS.md", "Root.");
  site.put("package/AGENTS.md", "Package.");
  site.put("package/.github/copilot-instructions.md", "Copilot.");
  site.put("../.claude/CLAUDE.md", "Claude.");
  site.put("../.kedge/KEDGE.md", "Own.");
  const loaded = (given: GivenParts) => load(given).filter((line) => line.endsWith(" loaded"));
  expect(loaded({ cwd })).toHaveLength(5);
  expect(load({ cwd, settings })).toEqual([
    `.claude/CLAUDE.md shadowed by ${join(site.home, ".kedge/KEDGE.md")}`,
    ".kedge/KEDGE.md loaded",
    "project/AGENTS.md loaded",
    "project/package/AGENTS.md shadowed by package/.github/copilot-instructions.md",
    "project/package/.github/copilot-instructions.md loaded",
  ]);
  site.put("KEDGE.md", "Root native.");
  site.put("package/.kedge/AGENTS.md", "Package native.");
  expect(loaded({ cwd, settings })).toEqual([".kedge/KEDGE.md loaded", "project/package/.kedge/AGENTS.md loaded"]);
});

test("sticky rules: the user's, and the nearest of the project that say something", () => {
  site.put(".kedge/RULES.md", "Root rules.");
  site.put("api/.kedge/AGENTS.md", "Native.");
  site.put("api/v1/.kedge/RULES.md", "\n");
  site.put("../.kedge/RULES.md", "x".repeat(4_001));
  const entries = loadAll(site.parts({ cwd: join(site.root, "api/v1") })).filter(({ form }) => form === "sticky");
  expect(site.shown(entries)).toEqual([
    ".kedge/RULES.md loaded",
    "project/.kedge/RULES.md loaded",
    "project/api/v1/.kedge/RULES.md empty",
  ]);
  expect(entries[0]?.cutCharacters).toBe(1);
});

test("a mass of rules is read up to a limit, and the rest is named", () => {
  for (let file = 10; file < 16; file += 1) site.put(`.kedge/rules/${file}.md`, `${file} ${"x".repeat(2_500_000)}`);
  expect(load().map((line) => line.slice("project/.kedge/rules/".length))).toEqual([
    ...["10.md loaded", "11.md loaded", "12.md loaded", "13.md loaded"],
    ...["14.md more than 8 MB of instruction files", "15.md more than 8 MB of instruction files"],
  ]);
});

test("a memory that a model wrote, and what nobody accepted, are data", () => {
  site.put(".github/instructions/memory.instructions.md", "Remember.");
  site.put("AGENTS.md", "By the agent.");
  const isUnaccepted = (path: string) => path.endsWith("AGENTS.md");
  expect(load({ isUnaccepted })).toEqual([
    "project/AGENTS.md data",
    "project/.github/instructions/memory.instructions.md data",
  ]);
});

test("a file that may not be read is named", (context) => {
  if (process.getuid?.() === 0) context.skip("root may read every file");
  chmodSync(site.put("AGENTS.md", "x"), 0);
  expect(load()).toEqual(["project/AGENTS.md unreadable: permission denied"]);
});

test("the list names what is near but not loaded, and how it would be", () => {
  site.put("AGENTS.md", Array.from({ length: 300 }, (_, line) => `## Part ${line % 3}\nline`).join("\n"));
  site.put(".github/copilot-instructions.md", "Copilot.");
  site.put("app/a.ts", "");
  site.put("app/lib/CLAUDE.md", "Lib.");
  site.put("../AGENTS.md", "Above.");
  mkdirSync(join(site.root, ".claude/rules"), { recursive: true });
  const rows = listInstructions(site.parts({ cwd: join(site.root, "app") }));
  expect(rows.map(({ path, status, why }) => `${path.slice(site.home.length + 1)}: ${status}, ${why}`)).toEqual([
    "project/AGENTS.md: loaded, read at startup",
    "project/app/lib/CLAUDE.md: not-loaded, attached when a file in app/lib is first read or edited",
    "project/.github/copilot-instructions.md: not-loaded, not searched: it only applies in the working directory",
    "AGENTS.md: not-loaded, not searched: above the project; include it with the setting instructions.walkPastRepo",
    "project/.claude/rules: not-loaded, directory empty",
  ]);
  expect(rows[0]?.notes).toEqual([expect.stringMatching(/^long: 600 lines, .*sections such as "Part \d"/)]);
  const touched = listInstructions(site.parts({ cwd: join(site.root, "app") }), [join(site.root, "app/lib/x.ts")]);
  expect(touched.find(({ path }) => path.endsWith("lib/CLAUDE.md"))).toMatchObject({ status: "loaded" });
});
