/** Proves that kedge can be driven in a terminal, and that it gives the terminal back as it found it. */
import { join } from "node:path";
import {
  bashCall,
  openScene,
  paced,
  type Scene,
  type SceneOptions,
  tooManyRequests,
} from "@kedge/testing/screen-terminal";
import { afterEach, expect, test } from "vitest";

const entry = join(import.meta.dirname, "../../../../dist/kedge.js");

let scene: Scene | undefined;

afterEach(async () => {
  await scene?.close();
  scene = undefined;
});

async function open(options: Omit<SceneOptions, "entry">): Promise<Scene> {
  scene = await openScene({ entry, projectName: "shop", ...options });
  return scene;
}

/** Tells the settings of the terminal before and after, and stays until a line is typed. */
const witness = `trap : INT; echo "before $(stty -g)"; "$@"; echo "ended with $?"; echo "after $(stty -g)"; read line`;

test("what is typed is shown, and ctrl+c twice gives the terminal back", async () => {
  const { terminal } = await open({ script: [], through: ["sh", "-c", witness, "sh"], columns: 120 });
  await terminal.shows("mock/mock-model · default");
  expect(terminal.state()).toMatchObject({ isAlternateScreen: true, isBracketedPaste: true, isFocusTold: true });
  terminal.type("add a test");
  await terminal.shows("❯ add a test");
  terminal.press("ctrl+c");
  await terminal.until((screen) => !screen.join("").includes("add a test"), "an empty prompt");
  terminal.press("ctrl+c");
  await terminal.shows("press ctrl+c again to exit");
  terminal.press("ctrl+c");
  const screen = await terminal.shows(/after \S+/);
  const told = (word: string) => screen.find((row) => row.startsWith(`${word} `))?.slice(word.length + 1);
  expect({ code: told("ended with"), settings: told("after") }).toEqual({ code: "130", settings: told("before") });
  expect({ ...terminal.state(), cursor: terminal.state().cursor.isShown }).toEqual({
    isAlternateScreen: false,
    isBracketedPaste: false,
    isFocusTold: false,
    isMouseTaken: false,
    isInFrame: false,
    cursor: true,
  });
  terminal.press("enter");
  expect(await terminal.ended()).toBe(0);
});

test("a conversation: an answer at its pace, a question about a command, its output", async () => {
  const { terminal, model } = await open({
    script: [
      tooManyRequests(0),
      { text: "I shall run it.", toolCalls: [bashCall("printf 'made by %s' printf > made.txt; cat made.txt")] },
      paced({ text: "It was **made**.", deltaCharacters: 1 }, 200),
    ],
  });
  await terminal.shows("mock/mock-model · default");
  terminal.type("Make it.");
  terminal.press("enter");
  await terminal.shows("I shall run it.");
  await terminal.shows(/cat made\.txt/);
  await terminal.shows("Allow once");
  // Keys of its first moments are nobody's.
  await terminal.settled(700);
  terminal.press("enter");
  await terminal.shows("It was made.");
  expect(model?.requests.length).toBe(3);
});

test("a paste arrives whole, the screen follows its size, and a killed program tells its signal", async () => {
  const { terminal } = await open({ script: [] });
  await terminal.shows("mock/mock-model · default");
  terminal.paste("two\nlines");
  await terminal.shows(/❯ two *│?\n.*lines/);
  terminal.resize(60, 15);
  const screen = await terminal.until(
    (rows) => rows.some((row) => row.length === 60 && row.endsWith("╯")),
    "60 columns",
  );
  expect(screen.length).toBe(15);
  terminal.kill("SIGKILL");
  expect(await terminal.ended()).toBe(137);
});
