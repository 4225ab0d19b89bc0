/** Proves that docs/keybinds.md has every action with the keys it starts with, and that its example can be used. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseTuiSettings } from "../settings/tui-settings.ts";
import { actionGroups, actionNames, actions } from "./actions.ts";
import { createKeybinds } from "./keybinds.ts";
import { opencodeActions } from "./opencode-actions.ts";

const text = readFileSync(join(import.meta.dirname, "../../../../docs/keybinds.md"), "utf8");
const rows = text.split("\n").filter((line) => line.startsWith("| `"));

test("the tables have every action in its group, and every foreign name", () => {
  const own = actionGroups.flatMap((group) =>
    actionNames
      .filter((name) => actions[name].group === group)
      .map((name) => {
        const { keys, summary } = actions[name];
        return `| \`${name}\` | ${keys
          .split(",")
          .map((one) => `\`${one}\``)
          .join(" ")} | ${summary} |`;
      }),
  );
  const foreign = Object.entries(opencodeActions).map(([name, action]) => `| \`${name}\` | \`${action}\` |`);
  expect(rows).toEqual([...own, ...foreign]);
});

test("the example is read and bound without a warning", () => {
  const example = /^```json tui\n([\s\S]*?)^```$/m.exec(text)?.[1];
  const { settings, warnings } = parseTuiSettings(example);
  const { keybinds, warnings: others } = createKeybinds(settings);
  expect([warnings, others]).toEqual([[], []]);
  expect(keybinds.keysOf("scroll_top")).toEqual(["ctrl+home", "ctrl+b g g"]);
  expect(keybinds.keysOf("tree")).toEqual([]);
});
