/** On a narrow terminal every dialog keeps to its frame: nothing sticks out, and nothing of it is lost below. */
import { bashCall, editCall, readCall, type ScreenTerminal } from "@kedge/testing/screen-terminal";
import { expect, test } from "vitest";
import { earlyKeysMs, openStage, startTimeoutMs, waitMs, write } from "./stage.ts";

const open = openStage();
const columns = 60;
const rows = 24;
const quietMs = 100;

const keys: { readonly [name: string]: readonly string[] } = {
  palette: ["ctrl+k"],
  help: ["f1"],
  models: ["ctrl+x", "m"],
  sessions: ["ctrl+x", "l"],
  tree: ["ctrl+x", "g"],
  rewind: ["ctrl+x", "w"],
  themes: ["ctrl+x", "t"],
  status: ["ctrl+x", "s"],
  tasks: ["ctrl+t"],
  pager: ["ctrl+x", "o"],
};
const lines = ["/context", "/cost", "/stats", "/permissions", "/mode", "/diff"];

type Box = { readonly title: string; readonly broken: readonly string[] };

/** The frame that begins highest; the prompt's own is the last one. */
function boxOf(terminal: ScreenTerminal): Box | undefined {
  const cells = terminal.cells();
  const screen = terminal.screen();
  const top = cells.findIndex((row) => row.some(({ text }) => text === "╭"));
  const topRow = cells[top] ?? [];
  const left = topRow.findIndex(({ text }) => text === "╭");
  const right = topRow.findLastIndex(({ text }) => text === "╮");
  const bottom = cells.findIndex((row, index) => index > top && row[left]?.text === "╰");
  const inside = cells.slice(top + 1, bottom);
  const isKept = (row: (typeof cells)[number]) => row[left]?.text === "│" && row[right]?.text === "│";
  if (right < 0 || bottom < 0) return undefined;
  const title = /─ ([^─]+) ─/.exec(screen[top] ?? "")?.[1] ?? "";
  return {
    title,
    broken: [
      ...inside.flatMap((row, index) => (isKept(row) ? [] : [screen[top + 1 + index] ?? ""])),
      ...(cells[bottom]?.[right]?.text === "╯" ? [] : [screen[bottom] ?? ""]),
    ],
  };
}

test(
  "every dialog at 60 columns",
  async () => {
    const { terminal } = await open({
      ...{ columns, rows, files: { "till.ts": "export const rounding = 2;\n" } },
      arguments: ["--permission-mode", "accept-edits"],
      script: [
        { toolCalls: [readCall("till.ts")] },
        { toolCalls: [editCall("till.ts", "2", "3")] },
        { toolCalls: [bashCall("seq 40")] },
        { text: "It is done." },
        { toolCalls: [bashCall(`npm run build -- ${"--with-a-long-option ".repeat(8)}`)] },
      ],
    });
    const enter = async (text: string) => {
      await write(terminal, text);
      terminal.press("enter");
    };
    await enter("Change the rounding.");
    await terminal.shows("It is done.", waitMs);
    const isOpen = () => (boxOf(terminal)?.title ?? "accept-edits") !== "accept-edits";
    const judge = async (name: string, calmMs = quietMs) => {
      await terminal.until(isOpen, `the dialog ${name}`, waitMs);
      await terminal.settled(calmMs, waitMs);
      expect({ name, broken: boxOf(terminal)?.broken }).toEqual({ name, broken: [] });
      expect(Math.max(...terminal.screen().map((row) => [...row].length))).toBeLessThanOrEqual(columns);
      terminal.press("escape");
      await terminal.until(() => !isOpen(), `the end of ${name}`, waitMs);
    };
    for (const [name, pressed] of Object.entries(keys)) {
      for (const key of pressed) terminal.press(key);
      await judge(name);
    }
    for (const line of lines) {
      await enter(line);
      await judge(line);
    }
    await enter("Build it.");
    await judge("permission", earlyKeysMs);
  },
  2 * startTimeoutMs,
);
