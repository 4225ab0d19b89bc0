import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRedactorDouble, createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { copyArtifacts, createArtifacts } from "./artifacts.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const open = (redact?: (text: string) => string) =>
  createArtifacts({ directory: workshop.at("kept"), redactor: createRedactorDouble(redact) });

test("numbers files from 0, for their owner only, and goes on after what an earlier process left", () => {
  const artifacts = open();
  expect(artifacts.numbers()).toEqual([]);
  const first = artifacts.create("bash");
  const second = artifacts.create("../we ird");
  expect([first.path, second.path]).toEqual([workshop.at("kept/0.bash.log"), workshop.at("kept/1.___we_ird.log")]);
  expect(statSync(first.path).mode & 0o777).toBe(0o600);
  writeFileSync(workshop.at("kept/9.grep.log"), "");
  writeFileSync(workshop.at("kept/notes.txt"), "");
  const later = open();
  expect(later.numbers()).toEqual([0, 1, 9]);
  expect(later.create("bash").number).toBe(10);
  expect([later.pathOf(9), later.pathOf(2)]).toEqual([workshop.at("kept/9.grep.log"), undefined]);
});

test("a copy reads what its history names, and never gives a number twice", () => {
  const first = open().create("bash");
  first.write("long output");
  first.close();
  // A folder in the place of a file can be neither linked nor copied.
  mkdirSync(workshop.at("kept/4.grep.log"));
  copyArtifacts(workshop.at("kept"), workshop.at("copy"));
  copyArtifacts(workshop.at("nothing"), workshop.at("none"));
  rmSync(workshop.at("kept"), { recursive: true });
  const copy = createArtifacts({ directory: workshop.at("copy"), redactor: createRedactorDouble() });
  expect(readFileSync(copy.pathOf(0) ?? "", "utf8")).toBe("long output");
  expect(readFileSync(copy.pathOf(4) ?? "", "utf8")).toMatch(/could not be copied/);
  expect(copy.create("bash").number).toBe(5);
});

test("sessions that work for another one share its numbers, and each reads what the others made", () => {
  const top = open();
  const below = (name: string) =>
    createArtifacts({ directory: workshop.at(name), above: workshop.at("kept"), redactor: createRedactorDouble() });
  const [one, two] = [below("one"), below("two")];
  expect(two.numbers()).toEqual([]);
  const made = [top, one, two, one, top].map((artifacts) => artifacts.create("bash"));
  expect(made.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4]);
  made[1]?.write("of one");
  for (const artifacts of [top, one, two]) {
    expect(artifacts.numbers()).toEqual([0, 1, 2, 3, 4]);
    expect(readFileSync(artifacts.pathOf(1) ?? "", "utf8")).toBe("of one");
  }
  // Its own folder has what it made itself, and what is left elsewhere stays there.
  expect(one.pathOf(3)).toBe(workshop.at("one/3.bash.log"));
  rmSync(workshop.at("one"), { recursive: true });
  expect(readFileSync(open().pathOf(1) ?? "", "utf8")).toBe("of one");
});

test("a secret cut into pieces is hidden, wherever the pieces end", () => {
  const { seed } = createSeededRandom();
  const secret = "secret-of-many-letters\nand-two-lines";
  const artifact = open((text) => text.replaceAll(secret, "[hidden]")).create("bash");
  const text = `${"🙂padding ".repeat(700)}${secret} and more, `.repeat(40);
  let state = seed;
  for (let start = 0; start < text.length; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    const end = start + 1 + ((state >> 8) % 3_000);
    artifact.write(text.slice(start, end));
    start = end;
  }
  artifact.close();
  artifact.write("too late");
  artifact.close();
  const written = readFileSync(artifact.path, "utf8");
  expect(written === text.replaceAll(secret, "[hidden]"), `seed ${seed}`).toBe(true);
});
