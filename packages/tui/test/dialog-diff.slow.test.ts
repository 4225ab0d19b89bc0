/** The diff in a dialog as the application makes it: a person judges it, so no line of it may be left out. */
import { expect, test } from "vitest";
import { createAppLook } from "../src/app/app-look.ts";
import { parseTuiSettings } from "../src/settings/tui-settings.ts";
import { createFakeEngine } from "./fake-engine.ts";
import { tuiParts } from "./open-app.ts";
import { stripStyles } from "./painted-lines.ts";
import { stateWith } from "./status-state.ts";

test("a long diff is there to its last line", async () => {
  const { settings } = parseTuiSettings(undefined);
  const look = createAppLook({
    ...{ ...tuiParts(createFakeEngine()), settings, now: () => 0, state: () => stateWith(), redraw: () => {} },
    keys: { expand: "ctrl+o", pager: "ctrl+x o" },
  });
  await look.load();
  const texts = Array.from({ length: 1_000 }, (_, index) => `line ${index};`);
  const added = texts.map((text) => `+${text}\n`).join("");
  const lines = look.createDiff(`--- /dev/null\n+++ b/x\n@@ -0,0 +1,1000 @@\n${added}`, "x").render(80);
  const shown = lines.map((line) => stripStyles(line)).join("\n");
  expect(texts.filter((text) => !shown.includes(text))).toEqual([]);
});
