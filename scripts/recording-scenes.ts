/** The scenes of the recordings in the documents: what is typed, and how long each moment is shown. */
import type { MockTurn } from "@kedge/testing";
import type { Scene } from "@kedge/testing/screen-terminal";
import { conversation, dark, editing, type PictureScene, question, ready } from "./terminal-scenes.ts";

/** Takes a frame of what the screen shows now, for so long. */
export type Beat = (milliseconds: number) => void;

export type RecordingScene = Omit<PictureScene, "play"> & {
  readonly play: (scene: Scene, beat: Beat) => Promise<unknown>;
};

const quietMs = 900;
const keyMs = 70;
const lookMs = 1_300;
const readMs = 2_600;
const endMs = 4_500;

async function typeText({ terminal }: Scene, text: string, beat: Beat): Promise<void> {
  for (let end = 3; end < text.length + 3; end += 3) {
    terminal.type(text.slice(end - 3, end));
    await terminal.shows(text.slice(0, end).slice(-12).trim());
    beat(3 * keyMs);
  }
}

async function answerQuestion({ terminal }: Scene, words: string, beat: Beat): Promise<void> {
  await terminal.shows(words);
  await terminal.settled(quietMs);
  beat(readMs);
  terminal.type("y");
  await terminal.settled(quietMs);
  beat(lookMs / 2);
  terminal.press("enter");
}

const noTurns: readonly MockTurn[] = [];

export const recordingScenes: { readonly [name: string]: RecordingScene } = {
  demo: {
    title: "kedge demo",
    options: {
      ...{ ...dark, columns: 116, rows: 34, arguments: ["demo"] },
      // The project of the demo is made in the home of the scene, which is drawn as `~`.
      through: ["/bin/sh", "-c", 'TMPDIR="$HOME" exec "$@"', "sh"],
    },
    turns: noTurns,
    async play(scene, beat) {
      const { terminal } = scene;
      await terminal.shows("2. Prompt");
      beat(lookMs);
      await answerQuestion(scene, "Edit average.js?", beat);
      await answerQuestion(scene, "Run this command?", beat);
      await terminal.shows("hash chain");
      await terminal.settled(quietMs);
      beat(endMs);
    },
  },
  undo: {
    title: "A change, and its undo",
    options: { ...dark, columns: 96, rows: 32, arguments: editing },
    turns: conversation,
    async play(scene, beat) {
      const { terminal } = scene;
      await terminal.shows(ready);
      await terminal.settled(quietMs);
      beat(lookMs);
      await typeText(scene, question, beat);
      terminal.press("enter");
      await terminal.shows("Let me look");
      beat(lookMs);
      await terminal.shows("An empty cart costs");
      await terminal.settled(quietMs);
      beat(readMs);
      await typeText(scene, "/undo", beat);
      terminal.press("enter");
      await terminal.shows("Undone");
      await terminal.settled(quietMs);
      beat(endMs);
    },
  },
};
