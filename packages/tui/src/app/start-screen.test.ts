/** What the start screen says: empty, with sessions, narrow, and gone with the first message. */
import { stripTerminalControls } from "@kedge/protocol";
import { expect, test } from "vitest";
import { bareTheme } from "../../test/bare-theme.ts";
import { stateWith } from "../../test/status-state.ts";
import { localTimeText } from "../dialogs/text/local-time.ts";
import { createStartScreen } from "./start-screen.ts";

const now = new Date(2026, 4, 6, 18, 30).getTime();
const theme = bareTheme();

function linesOf(state: Parameters<typeof stateWith>[0], width = 80): readonly string[] {
  const given = { messages: [], directory: "/home/me/shop", ...state };
  const parts = { theme: () => theme, version: "1.2.3", userDirectory: "/home/me", now: () => now };
  return createStartScreen({ ...parts, state: () => stateWith(given) })
    .render(width)
    .map(stripTerminalControls);
}

test("version, model, directory and a tip; recent sessions with their local time", () => {
  const recent = [
    { title: "Fix the \u001b[31mtill", updatedAt: new Date(2026, 4, 6, 9, 5).getTime() },
    { title: "Add receipts", updatedAt: new Date(2026, 4, 5, 23, 59).getTime() },
    { title: "Start", updatedAt: new Date(2025, 11, 31, 1, 2).getTime() },
  ];
  const model = stateWith().session?.model ?? "";
  expect(linesOf({ recent })).toEqual([
    ...["", "  kedge 1.2.3", `  ${model}`, "  ~/shop", ""],
    "  Recent sessions (/sessions shows all)",
    ...["    09:05  Fix the till", "    05-05 23:59  Add receipts", "    2025-12-31  Start", ""],
    ...["  Tip: /undo reverts the changes of the last prompt; /redo restores them.", ""],
  ]);
  expect(linesOf({}).slice(-2)).toEqual([
    "  Tip: / lists commands, @ attaches files, ! runs a shell command, ? shows keys.",
    "",
  ]);
});

test("no line is wider than the screen, and a message takes its place", () => {
  for (const width of [1, 5, 20, 21, 40]) {
    const lines = linesOf({ recent: [{ title: "x".repeat(200), updatedAt: now }] }, width);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
  }
  const message = { id: "m", sessionId: "s", role: "user", createdAt: 1, parts: [] } as const;
  expect(linesOf({ messages: [message] })).toEqual([]);
});

test("times are those of the user's clock", () => {
  expect(localTimeText(new Date(2026, 4, 6, 0, 0).getTime(), now)).toBe("00:00");
});
