/** Whatever size the terminal takes, also in the middle of an answer: no line is too wide, and the last drawing is right. */
import type { PartBody } from "@kedge/protocol";
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createAppLook } from "../src/app/app-look.ts";
import { createFooter } from "../src/app/footer.ts";
import { createPrompt } from "../src/prompt/prompt.ts";
import { visibleWidth } from "../src/screen/text-width.ts";
import { parseTuiSettings } from "../src/settings/tui-settings.ts";
import { idleActivity } from "../src/state/activity.ts";
import type { ActivityKind, ClientState } from "../src/state/client-state.ts";
import { statusSegments } from "../src/status/status-line.ts";
import { createFakeEngine } from "./fake-engine.ts";
import { anything, pick } from "./hostile-text.ts";
import { type AppOptions, type OpenApp, openApp, tuiParts } from "./open-app.ts";
import { rowEvents } from "./row-events.ts";
import { callOf, doneOf, failedOf, messageOf, promptOf } from "./transcript-samples.ts";

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));
const timeout = 120_000;

const open: OpenApp[] = [];
afterEach(() => {
  for (const app of open.splice(0)) app.close();
});

function opened(options: AppOptions): OpenApp {
  const app = openApp(options);
  open.push(app);
  return app;
}

function bodyOf(text: () => string): PartBody {
  const bodies: readonly (() => PartBody)[] = [
    () => ({
      type: "text",
      text: `# ${text()}\n\n- ${text()}\n\n> ${text()}\n\n| a | ${text()} |\n|--|--|\n| b | c |\n`,
    }),
    () => ({ type: "text", text: `\`\`\`ts\n${text()}\n\`\`\`\n` }),
    () => ({ type: "reasoning", text: text() }),
    () => doneOf("bash", { command: text() }, { output: text(), metadata: { exitCode: random.below(2) } }),
    () => doneOf("edit", { filePath: text(), oldString: text(), newString: text() }),
    () => failedOf("write", { filePath: text() }, text(), 1),
    () => callOf("bash", { command: text() }, { status: "running", startedAt: 1 }),
    () => doneOf("read", { filePath: text() }, { title: text() }),
    () => ({ type: "patch", before: "t", files: [{ path: text(), status: "added" }] }),
  ];
  return pick(random, bodies)();
}

const kinds: readonly ActivityKind[] = ["idle", "waiting", "responding", "running", "retrying", "permission"];

function randomState(): ClientState {
  const text = () => anything(random);
  const engine = createFakeEngine();
  const todo = () => ({ content: text(), status: "pending" as const, priority: "low" as const });
  return {
    connection: pick(random, ["starting", "ready", "lost"] as const),
    directory: `/home/me/${text()}`,
    session: { ...engine.session, title: text(), model: text(), todos: [todo(), todo()] },
    messages: [promptOf("0", text()), messageOf("1", { bodies: Array.from({ length: 4 }, () => bodyOf(text)) })],
    hasOlder: random.below(2) === 0,
    tails: new Map([["call_bash", { lines: [{ text: text(), stream: "stderr" as const }] }]]),
    notices: [{ id: "n", tone: pick(random, ["info", "error"] as const), text: text() }],
    requests: [],
    tasks: [{ sessionId: "s", taskId: "t", command: text(), status: "running" }],
    activity: {
      ...{ ...idleActivity(0), kind: pick(random, kinds), tool: text(), outputTokens: 99 },
      retry: { until: 9_000, attempt: 2, attemptsMax: 5, reason: text() },
    },
    context: { tokens: random.below(200_000), windowTokens: 200_000, compactAt: 160_000 },
    repository: { branch: text(), staged: 1, changed: 2, untracked: 3 },
    effort: "high",
    isFocused: true,
  };
}

test(
  `no view has a line that is wider than it may be, from 1 to 200 columns (seed ${random.seed})`,
  async () => {
    const parts = tuiParts(createFakeEngine());
    for (let round = 0; round < rounds({ usual: 3, long: 6 }); round += 1) {
      const state = randomState();
      const { settings } = parseTuiSettings(undefined);
      const look = createAppLook({
        ...{ ...parts, settings, now: () => 5_000, state: () => state, redraw: () => {} },
        keys: { expand: "ctrl+o", pager: "ctrl+x o" },
      });
      await look.load();
      look.setThinking(round % 2 === 0);
      look.update();
      const prompt = createPrompt({
        ...{
          theme: look.theme,
          now: () => 5_000,
          history: parts.files.history,
          onChange: () => {},
          saveDraft: () => {},
        },
        complete: async () => [],
        readAttachment: async () => "no",
      });
      prompt.setText(anything(random));
      const footer = createFooter({
        ...{ state: () => state, theme: look.theme, prompt, now: () => 5_000, userDirectory: "/home/me" },
        ...{ segments: statusSegments, interruptKey: "escape", ownStatus: () => undefined },
        hint: () => (round % 3 === 0 ? "press ctrl+c again to exit" : ""),
      });
      const views = { transcript: look.transcriptView, sidebar: look.sidebar, footer };
      for (let width = 1; width <= 200; width += 1) {
        for (const [name, view] of Object.entries(views)) {
          const wide = view.render(width).filter((line) => visibleWidth(line) > width);
          expect(wide, `${name} at ${width}`).toEqual([]);
        }
      }
      look.themes.close();
      prompt.close();
    }
  },
  timeout,
);

test(
  `a storm of sizes in the middle of an answer ends in the drawing that a new screen has (seed ${random.seed})`,
  async () => {
    const now = () => 5_000_000;
    const app = opened({ now });
    await app.shows("mock/model");
    const { completedAt: _, ...answer } = messageOf("1", { bodies: [{ type: "text", text: "" }] });
    app.engine.tell(...rowEvents(promptOf("0", "Speak."), answer));
    const partId = answer.parts[0]?.id ?? "";
    let said = "";
    for (let count = 0; count < 100; count += 1) {
      app.terminal.resize(1 + random.below(300), 1 + random.below(100));
      const delta = `word${count} **bold** \`code\` 日本語 👍 ${count % 7 === 0 ? "\n\n- item\n" : ""}`;
      said += delta;
      app.engine.tell({ type: "message.part.delta", messageId: answer.id, partId, field: "text", delta });
      // A letter, a page up, the palette and its end.
      if (count % 10 === 0)
        for (const key of pick(random, [["a"], ["\u001b[5~"], ["\u000b", "\u001b"]])) app.terminal.send(key);
      await new Promise((resolve) => setTimeout(resolve, random.below(12)));
    }
    const size = { columns: 60 + random.below(120), rows: 20 + random.below(40) };
    app.terminal.resize(size.columns, size.rows);
    await app.drawn();
    // A dialog that its keys left open is closed, and the prompt emptied.
    while ((await app.terminal.screen()).some((row) => row.includes("╭─ "))) {
      app.terminal.send("\u0003");
      await app.drawn();
    }
    for (const key of ["a", "\u0003"]) app.terminal.send(key);
    const part = { id: partId, messageId: answer.id, time: 1_000, type: "text", text: said } as const;
    app.engine.tell({ type: "message.part.updated", part });
    app.terminal.send("\u001b[1;5F");
    await app.until((screen) => screen.join("").includes("word99"), "the last word");
    await new Promise((resolve) => setTimeout(resolve, scrollbarMs));
    await app.drawn();

    const fresh = opened({ now, size });
    await fresh.shows("mock/model");
    fresh.engine.tell(...rowEvents(promptOf("0", "Speak."), { ...answer, parts: [part] }));
    await fresh.until((screen) => screen.join("").includes("word99"), "the last word");
    await new Promise((resolve) => setTimeout(resolve, scrollbarMs));
    await fresh.drawn();
    expect(await app.terminal.screen()).toEqual(await fresh.terminal.screen());
  },
  timeout,
);

/** It hides after a while without a move. */
const scrollbarMs = 1_500;
