/** The palette has everything once, with its key, and what was chosen last on top. */
import { permissionModes } from "@kedge/protocol";
import { expect, test } from "vitest";
import { summaryOf } from "../../test/command-bench.ts";
import { actionNames, actions as actionTable } from "../keys/actions.ts";
import { createKeybinds } from "../keys/keybinds.ts";
import { slashCommands } from "./command-table.ts";
import { type PaletteParts, type PaletteValue, paletteId, paletteItems } from "./palette-items.ts";
import { rank } from "./rank.ts";

const command = (name: string) => slashCommands.filter((each) => each.name === name);

const small: PaletteParts = {
  commands: [...command("undo"), ...command("model"), ...command("cost")],
  engineCommands: [],
  actions: [
    { name: "undo", summary: "Undo the last turn", keys: ["ctrl+x u", "ctrl+z"] },
    { name: "sidebar", summary: "Show or hide the sidebar", keys: ["ctrl+x b"] },
    { name: "redraw", summary: "Redraw the screen", keys: [] },
  ],
  models: [{ model: "mock/large", name: "Mock\nLarge", contextTokens: 200_000 }],
  sessions: [summaryOf("ses_2", "Fix \u001b[31mthe parser"), summaryOf("ses_3", "")],
  modes: ["plan"],
  themes: ["ember"],
  recent: [],
};

test("every thing has a row, under its group, with its key", () => {
  expect(
    paletteItems(small).map(({ group, label, right = "", value }) => [group, label, right, paletteId(value)]),
  ).toEqual([
    ["Session", "/undo", "ctrl+x u", "command:undo"],
    ["Model", "/model", "", "command:model"],
    ["View", "/cost", "", "command:cost"],
    ["Actions", "Show or hide the sidebar", "ctrl+x b", "action:sidebar"],
    ["Actions", "Redraw the screen", "", "action:redraw"],
    ["Models", "mock/large", "200k", "model:mock/large"],
    ["Sessions", "Fix the parser", "", "session:ses_2"],
    ["Sessions", "ses_3", "", "session:ses_3"],
    ["Modes", "plan", "", "mode:plan"],
    ["Themes", "ember", "", "theme:ember"],
  ]);
});

test("what was chosen last stands first and only there; what is gone is left out", () => {
  const recent = ["theme:ember", "session:ses_gone", "command:cost", "theme:ember"];
  const items = paletteItems({ ...small, recent });
  expect(items.slice(0, 3).map(({ group, label }) => [group, label])).toEqual([
    ["Recent", "ember"],
    ["Recent", "/cost"],
    ["Session", "/undo"],
  ]);
  expect(items).toHaveLength(paletteItems(small).length);
});

test("at most eight are called recent", () => {
  const themes = Array.from({ length: 12 }, (_, index) => `theme-${index}`);
  const recent = themes.map((name) => `theme:${name}`);
  const items = paletteItems({ ...small, themes, recent });
  expect(items.filter(({ group }) => group === "Recent").map(({ label }) => label)).toEqual(themes.slice(0, 8));
});

test("a match comes before recency, and recency before the order of the table", () => {
  const found = (recent: readonly string[], query: string) =>
    rank(paletteItems({ ...small, recent }), query).map(({ value }) => paletteId(value));
  expect(found([], "mo")).toEqual(["command:model", "model:mock/large", "mode:plan"]);
  expect(found(["model:mock/large"], "mo")).toEqual(["model:mock/large", "command:model", "mode:plan"]);
  expect(found(["model:mock/large"], "model")[0]).toBe("command:model");
});

test("every named action of the terminal can be reached, by itself or by the command that does the same", () => {
  const { keybinds } = createKeybinds();
  const actions = actionNames.map((name) => ({
    name,
    summary: actionTable[name].summary,
    keys: keybinds.keysOf(name),
  }));
  const parts = { ...small, commands: slashCommands, actions, modes: permissionModes };
  const values = paletteItems(parts).map(({ value }) => value);
  const reached = new Set(values.flatMap((value) => actionOf(value)));
  expect(actionNames.filter((name) => !reached.has(name))).toEqual([]);
  expect(values.filter(({ kind }) => kind === "command")).toHaveLength(slashCommands.length);
});

function actionOf(value: PaletteValue): readonly string[] {
  if (value.kind === "action") return [value.name];
  return value.kind === "command" ? command(value.name).flatMap(({ action }) => action ?? []) : [];
}

test("commands of the engine are listed behind ours, once each and without controls", () => {
  const engineCommands = [
    { name: "undo", summary: "another undo" },
    { name: "db:migrate", summary: "Migrate\u001b[2J the database" },
  ];
  const items = paletteItems({ ...small, engineCommands }).filter(({ group }) => group === "More commands");
  expect(items.map(({ label, detail }) => [label, detail])).toEqual([["/db:migrate", "Migrate the database"]]);
});
