/** Scenes for the tests of this folder: opened against the built program, driven by keys, closed after each test. */
import { join } from "node:path";
import {
  openScene,
  type PacedModel,
  type Scene,
  type SceneOptions,
  type ScreenTerminal,
} from "@kedge/testing/screen-terminal";
import { afterEach } from "vitest";

export const entry = join(import.meta.dirname, "../../../../dist/kedge.js");

/** Processes start in these tests, on machines that may be busy. */
export const startTimeoutMs = 120_000;
export const waitMs = 60_000;

export type StagedScene = Scene & { readonly model: PacedModel };

export type StageOptions = Omit<SceneOptions, "entry"> & {
  /** What is in sight when keys count; the model at the foot unless given. */
  readonly firstShown?: string;
};

export type OpenStage = (options: StageOptions) => Promise<StagedScene>;

/** Called once in a file. Each scene is ready for keys when it is given back. */
export function openStage(): OpenStage {
  const open: Scene[] = [];
  afterEach(async () => {
    for (const scene of open.splice(0)) await scene.close();
  });
  return async ({ firstShown, ...options }) => {
    const scene = await openScene({ entry, projectName: "shop", ...options });
    open.push(scene);
    if (firstShown === undefined) await ready(scene.terminal, options.model);
    else await scene.terminal.shows(firstShown, waitMs);
    // Only a scene whose model runs elsewhere has none, and its test does not look at it.
    return scene as StagedScene;
  };
}

/** The engine is up and a session is open. */
export async function ready(terminal: ScreenTerminal, model = "mock/mock-model"): Promise<void> {
  // The mode is known with the session; the model may be named before that.
  await terminal.shows(new RegExp(`${model}(?: \\w+)? [·|] (?:default|accept-edits|plan|auto|bypass)`), waitMs);
}

/** Typed and sent; resolves when the prompt is empty again. */
export async function send(terminal: ScreenTerminal, text: string): Promise<void> {
  await write(terminal, text);
  terminal.press("enter");
  await promptIs(terminal, "");
}

export async function write(terminal: ScreenTerminal, text: string): Promise<void> {
  terminal.type(text);
  await promptIs(terminal, text);
}

/** Resolves as soon as the prompt holds this text, or nothing for an empty one. */
export async function promptIs(terminal: ScreenTerminal, text: string): Promise<void> {
  await terminal.until(() => promptText(terminal) === text, `the prompt ${JSON.stringify(text)}`, waitMs);
}

const hint = "Describe a change. / commands, @ files, ! shell, ? keys";

/** What stands in the frame at the foot of the screen, row by row; the hint of an empty prompt is no text. */
export function promptText(terminal: ScreenTerminal): string {
  const screen = terminal.screen();
  const end = screen.findLastIndex((row) => row.startsWith("╰"));
  const begin = screen.findLastIndex((row, index) => index < end && row.startsWith("╭"));
  const rows = screen.slice(begin + 1, end).map((row) => row.slice(4).replace(/ *│$/, "").trimEnd());
  const text = rows.join("\n");
  return hint.startsWith(text) && text !== "" ? "" : text;
}

/** A question came up; resolves when its first moments, in which no key counts, are over. */
export async function asked(terminal: ScreenTerminal, text: string | RegExp): Promise<readonly string[]> {
  await terminal.shows(text, waitMs);
  return terminal.settled(earlyKeysMs, waitMs);
}

/** Longer than the first moments of a question. */
export const earlyKeysMs = 700;

export async function closed(terminal: ScreenTerminal, title: string): Promise<void> {
  await terminal.until((screen) => !screen.join("\n").includes(`╭─ ${title}`), `no dialog ${title}`, waitMs);
}

/** The texts of the user's messages that a request carried. */
export function userTexts(request: { readonly body: { readonly messages?: readonly Message[] } }): readonly string[] {
  const users = (request.body.messages ?? []).filter(({ role }) => role === "user");
  return users.map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)));
}

/** What the tools gave back in a request. */
export function toolTexts(request: { readonly body: { readonly messages?: readonly Message[] } }): readonly string[] {
  return (request.body.messages ?? []).filter(({ role }) => role === "tool").map(({ content }) => String(content));
}

type Message = { readonly role: string; readonly content?: unknown };
