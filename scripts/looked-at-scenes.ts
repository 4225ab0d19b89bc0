/** Scenes that no document shows, to be looked at: the first start, help, and the list of sessions. */
import { dark, type PictureScene, ready } from "./terminal-scenes.ts";

export const lookedAtScenes: { readonly [name: string]: PictureScene } = {
  welcome: {
    title: "The first start",
    options: { ...dark, settings: { model: undefined } },
    turns: [],
    async play({ terminal }) {
      await terminal.shows("Welcome to kedge");
    },
  },
  help: {
    title: "Help",
    options: dark,
    turns: [],
    async play({ terminal }) {
      await terminal.shows(ready);
      terminal.type("?");
      await terminal.shows("Help");
    },
  },
  sessions: {
    title: "Sessions",
    options: dark,
    turns: [{ text: "It sums prices times counts." }, { text: "Two files." }],
    async play({ terminal }) {
      for (const [prompt, answer] of [
        ["What does the cart do?", "It sums prices"],
        ["How many files are there?", "Two files"],
      ] as const) {
        await terminal.shows(ready);
        terminal.type(prompt);
        await terminal.shows(prompt);
        terminal.press("enter");
        await terminal.shows(answer);
        terminal.type("/clear");
        terminal.press("enter");
        await terminal.shows("kedge 0.");
      }
      terminal.type("/sessions");
      terminal.press("enter");
      await terminal.shows("type to filter");
    },
  },
};
