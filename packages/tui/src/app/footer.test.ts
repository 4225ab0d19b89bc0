/** Proves what stands below the conversation, and that it is the same as long as nothing changes. */
import { expect, test } from "vitest";
import { bareTheme } from "../../test/bare-theme.ts";
import { stateWith } from "../../test/status-state.ts";
import { visibleWidth } from "../screen/text-width.ts";
import type { ClientState } from "../state/client-state.ts";
import { createFooter } from "./footer.ts";

function setUp() {
  const look: { state: ClientState; hint: string; now: number; own: string | undefined } = {
    ...{ state: stateWith(), hint: "", now: 0, own: undefined },
  };
  const theme = bareTheme();
  const footer = createFooter({
    ...{ state: () => look.state, theme: () => theme, now: () => look.now, userDirectory: "/home/me" },
    prompt: { render: () => ["╭─╮", "╰─╯"], vimMode: () => undefined },
    segments: ["model", "mode"],
    interruptKey: "esc",
    hint: () => look.hint,
    ownStatus: () => look.own,
  });
  return { footer, look };
}

const running = stateWith({ activity: { kind: "running", tool: "bash", since: 0, lastSignAt: 0, outputTokens: 0 } });

test("at rest the prompt and the status, at work the activity above them, and a hint in its place", () => {
  const { footer, look } = setUp();
  const below = ["╭─╮", "╰─╯", "anthropic/opus · plan"];
  expect(footer.render(80)).toEqual(below);
  look.state = running;
  expect(footer.render(80)).toEqual(["⠋ running bash · 0 s · esc stops", ...below]);
  look.hint = "ctrl+x …";
  expect(footer.render(80)).toEqual(["ctrl+x …", ...below]);
  look.own = "mine";
  expect(footer.render(80).at(-1)).toBe("mine");
});

test("a server that is lost is told in the place of what is done, and that it is tried again", () => {
  const { footer, look } = setUp();
  look.state = { ...running, connection: "lost" };
  expect(footer.render(80)[0]).toBe("⠋ connection to the server lost, retrying");
  expect(footer.nextInMs()).toBe(250);
  look.now = 250;
  expect(footer.render(80)[0]).toBe("⠙ connection to the server lost, retrying");
  look.state = running;
  expect(footer.render(80)[0]).toContain("running bash");
});

test("the same lines are the same array", () => {
  const { footer, look } = setUp();
  const first = footer.render(80);
  expect(footer.render(80)).toBe(first);
  look.state = running;
  const second = footer.render(80);
  expect(second).not.toBe(first);
  expect(footer.render(80)).toBe(second);
});

test("no line is wider than the screen", () => {
  const { footer, look } = setUp();
  look.hint = "宽".repeat(80);
  for (const line of footer.render(20).filter((each) => !each.includes("╭"))) {
    expect(visibleWidth(line)).toBeLessThanOrEqual(20);
  }
});

test("it says when it looks different by itself", () => {
  const { footer, look } = setUp();
  expect(footer.nextInMs()).toBeUndefined();
  look.state = running;
  look.now = 10;
  expect(footer.nextInMs()).toBe(70);
});
