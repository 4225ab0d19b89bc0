/** What an input means before it is for anybody. */
import { expect, test } from "vitest";
import { keyInput, setUpPrompt } from "../../../test/prompt-harness.ts";
import { createInputIntake } from "./input-intake.ts";

function setUp() {
  const { prompt } = setUpPrompt();
  const clock = { now: 10_000 };
  const left: number[] = [];
  const intake = createInputIntake({ prompt, now: () => clock.now, onLeave: () => left.push(clock.now) });
  return { prompt, clock, left, intake };
}

test("five times ctrl+c within two seconds leaves, and is for nobody else", () => {
  const { intake, clock, left } = setUp();
  const press = () => intake.read(keyInput("ctrl+c"));
  for (let count = 0; count < 4; count += 1) expect(press()).toEqual(keyInput("ctrl+c"));
  clock.now += 2_001;
  for (let count = 0; count < 4; count += 1) expect(press()).toEqual(keyInput("ctrl+c"));
  expect([press(), left]).toEqual([undefined, [clock.now]]);
});

test("a line feed is Enter only as long as it can come from before the screen", () => {
  const { intake, clock } = setUp();
  expect(intake.read(keyInput("ctrl+j"))).toEqual(keyInput("ctrl+j"));
  intake.begin();
  expect(intake.read(keyInput("ctrl+j"))).toMatchObject({ kind: "key", key: { name: "enter", ctrl: false } });
  clock.now += 41;
  expect(intake.read(keyInput("ctrl+j"))).toEqual(keyInput("ctrl+j"));
});

test("a slash takes the place of a text that was offered, not of one that the user wrote", () => {
  const { intake, prompt } = setUp();
  intake.offer("go on");
  intake.read(keyInput("/"));
  expect(prompt.text()).toBe("");
  prompt.setText("either");
  intake.offer("go on");
  intake.read(keyInput("/"));
  expect(prompt.text()).toBe("either");
});

test("looking elsewhere and back is nothing that the user does", () => {
  const { intake, clock } = setUp();
  intake.read({ kind: "focus", isFocused: false });
  expect(intake.lastAt()).toBe(Number.NEGATIVE_INFINITY);
  intake.touch();
  expect(intake.lastAt()).toBe(clock.now);
});
