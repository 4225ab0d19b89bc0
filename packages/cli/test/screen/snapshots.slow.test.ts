/** What a person sees: the screens of a whole conversation and of the dialogs over it, at three sizes and in both themes. */
import {
  bashCall,
  editCall,
  readCall,
  type SceneOptions,
  type ScreenTerminal,
  todoCall,
} from "@kedge/testing/screen-terminal";
import { expect, test } from "vitest";
import { looksText, rowsText } from "./snapshots-text.ts";
import { asked, openStage, send, startTimeoutMs, waitMs } from "./stage.ts";

const open = openStage();
const timeout = 2 * startTimeoutMs;
const quietMs = 150;
const scrollbarThumb = "┃";
const sizes = [
  [80, 24],
  [120, 40],
  [200, 50],
] as const;

const files = {
  "src/till.ts": [
    "export function total(prices) {",
    "  let sum = 0;",
    "  for (const price of prices) sum += Math.round(price);",
    "  return Math.round(sum);",
    "}",
    "",
  ].join("\n"),
  "README.md": "# Shop\n",
  "package.json": "{}\n",
};

const answer = [
  "# What I found",
  "",
  "The **till** rounds *twice*; see `src/till.ts` and [the guide](https://example.org/guide).",
  "",
  "1. First item",
  "   - nested one",
  "2. Second item, ~~gone~~",
  "",
  "> A quote that says why.",
  "",
  "| Name | Price | Note |",
  "|------|------:|------|",
  "| Tea | 2.50 | hot |",
  "| Coffee | 13.75 | 苦い |",
  "",
  "```ts",
  "export const total = (prices: readonly number[]) => prices.length; // once",
  "```",
  "",
  "中文字符和日本語、한국어, 👍 👍🏽 🇩🇪 👨‍👩‍👧 and e\u0301 combined.",
].join("\n");

const steps = ["Read the till", "Mend the rounding", "Write a test that fails before and passes after"];
const todos = Array.from({ length: 15 }, (_, index) => ({
  content: steps[index] ?? `Step ${index + 1} of the work`,
  status: index < 2 ? "completed" : index === 2 ? "in_progress" : "pending",
}));

const script: SceneOptions["script"] = [
  {
    reasoning: "The user wants the till mended. I look at the files first.",
    text: "I look at the files.",
    toolCalls: [readCall("src/till.ts"), readCall("README.md"), readCall("package.json")],
  },
  { toolCalls: [editCall("src/till.ts", "sum += Math.round(price)", "sum += price")] },
  { toolCalls: [bashCall("seq 14; cat nothing.txt")] },
  { toolCalls: [todoCall(todos)] },
  { text: answer },
];

type Look = Pick<SceneOptions, "tuiSettings" | "environment">;

async function converse(look: Look = {}): Promise<ScreenTerminal> {
  const { terminal } = await open({
    ...{ files, script, arguments: ["--permission-mode", "accept-edits"] },
    tuiSettings: { theme: { mode: "dark" }, ...look.tuiSettings },
    ...(look.environment !== undefined && { environment: look.environment }),
  });
  await send(terminal, "Mend the till, please.");
  await terminal.shows("combined.", waitMs);
  await terminal.until((screen) => !screen.join("").includes("esc stops"), "the end of the run", waitMs);
  await terminal.shows(/main \*1/, waitMs);
  return terminal;
}

async function resized(terminal: ScreenTerminal, columns: number, rows: number): Promise<void> {
  terminal.resize(columns, rows);
  await terminal.until((screen) => screen.length === rows, "the new size");
  await calm(terminal);
}

async function pressed(terminal: ScreenTerminal, ...keys: readonly string[]): Promise<readonly string[]> {
  for (const key of keys) terminal.press(key);
  return calm(terminal);
}

/** Everything is drawn, and the scrollbar that came with it is gone again. */
async function calm(terminal: ScreenTerminal): Promise<readonly string[]> {
  const hasScrollbar = (screen: readonly string[]) => screen.join("").includes(scrollbarThumb);
  const drawn = await terminal.settled(quietMs, waitMs);
  if (!hasScrollbar(drawn)) return drawn;
  await terminal.until((screen) => !hasScrollbar(screen), "no scrollbar", waitMs);
  return terminal.settled(quietMs, waitMs);
}

test(
  "the start, at three sizes",
  async () => {
    const { terminal } = await open({ files, script: [], tuiSettings: { theme: { mode: "dark" } } });
    await terminal.shows("main", waitMs);
    for (const [columns, rows] of sizes) {
      await resized(terminal, columns, rows);
      expect(rowsText(terminal.screen())).toMatchSnapshot(`${columns} columns`);
    }
  },
  timeout,
);

test(
  "a conversation, at three sizes, folded and unfolded",
  async () => {
    const terminal = await converse();
    for (const [columns, rows] of sizes) {
      await resized(terminal, columns, rows);
      expect(rowsText(terminal.screen())).toMatchSnapshot(`${columns} columns, its end`);
      expect(rowsText(await pressed(terminal, "ctrl+home"))).toMatchSnapshot(`${columns} columns, its beginning`);
      expect(rowsText(await pressed(terminal, "ctrl+x", "a", "ctrl+x", "h", "ctrl+home"))).toMatchSnapshot(
        `${columns} columns, unfolded`,
      );
      await pressed(terminal, "ctrl+x", "a", "ctrl+x", "h", "ctrl+end");
    }
  },
  timeout,
);

const looks: { readonly [name: string]: Look } = {
  dark: {},
  light: { tuiSettings: { theme: { mode: "light" } } },
  "without colours": { environment: { NO_COLOR: "1" } },
  "with 256 colours": { environment: { COLORTERM: "", TERM: "linux" } },
};

test.each(Object.keys(looks))(
  "how a conversation looks: %s",
  async (name) => {
    const terminal = await converse(looks[name]);
    await calm(terminal);
    expect(looksText(terminal)).toMatchSnapshot("its end");
    await pressed(terminal, "ctrl+home");
    expect(looksText(terminal)).toMatchSnapshot("its beginning");
    await pressed(terminal, "ctrl+x", "t");
    expect(looksText(terminal)).toMatchSnapshot("a dialog");
  },
  timeout,
);

/** What is typed makes the long lists short, so that a new command changes no screen here. */
const dialogs = {
  palette: { keys: ["ctrl+k"], filter: "Choose a color theme" },
  models: { keys: ["ctrl+x", "m"], filter: "no such model" },
  sessions: { keys: ["ctrl+x", "l"], filter: "" },
  help: { keys: ["f1"], filter: "scroll" },
} as const;

test(
  "dialogs, at three sizes",
  async () => {
    const terminal = await converse();
    for (const [columns, rows] of sizes) {
      await resized(terminal, columns, rows);
      for (const [name, { keys, filter }] of Object.entries(dialogs)) {
        await pressed(terminal, ...keys);
        terminal.type(filter);
        expect(rowsText(await calm(terminal))).toMatchSnapshot(`${name}, ${columns} columns`);
        await pressed(terminal, "escape");
        await pressed(terminal, "escape");
      }
    }
  },
  timeout,
);

test(
  "a request for permission, an error of the vendor, a shell line of the user and vim keys",
  async () => {
    const { terminal } = await open({
      files,
      tuiSettings: { theme: { mode: "dark" }, vim: { enabled: true } },
      script: [
        { text: "I run the tests.", toolCalls: [bashCall("npm test -- --watch=false", "Runs the tests")] },
        {
          status: 401,
          body: JSON.stringify({ error: { message: "Incorrect API key provided.", type: "invalid_request_error" } }),
        },
      ],
    });
    await terminal.shows("-- NORMAL --", waitMs);
    terminal.press("i");
    await terminal.shows("-- INSERT --", waitMs);
    await send(terminal, "Test it.");
    await asked(terminal, "Allow once");
    for (const [columns, rows] of sizes) {
      await resized(terminal, columns, rows);
      expect(rowsText(terminal.screen())).toMatchSnapshot(`permission, ${columns} columns`);
    }
    await resized(terminal, 80, 24);
    terminal.press("escape");
    await terminal.until((screen) => !screen.join("").includes("Allow once"), "no dialog", waitMs);
    await terminal.settled(quietMs, waitMs);
    await send(terminal, "And now?");
    await terminal.shows("Incorrect API key", waitMs);
    await send(terminal, "!echo seen; exit 3");
    await terminal.shows("exit code 3", waitMs);
    expect(rowsText(await pressed(terminal, "escape"))).toMatchSnapshot("notices and NORMAL");
  },
  timeout,
);
