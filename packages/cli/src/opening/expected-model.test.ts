/** Proves that a model is told early only where nothing else can have a say. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { expectedModel } from "./expected-model.ts";

const folder = mkdtempSync(join(tmpdir(), "kedge-expected-"));
const home = join(folder, "home");
const root = join(folder, "project");

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function place(files: { readonly [name: string]: string }) {
  for (const directory of [home, root]) mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return { home, root };
}

const usual = { "home/config.json": '{"model":"a/usual"}' };

test.each([
  ["the user's settings", {}, usual, "a/usual"],
  ["the command line before them", { model: "a/said" }, usual, "a/said"],
  ["no settings", {}, {}, undefined],
  ["settings with comments", {}, { "home/config.json": '// mine\n{"model":"a/usual"}' }, undefined],
  ["settings without a model", {}, { "home/config.json": "{}" }, undefined],
  ["a model that is no text", {}, { "home/config.json": '{"model":1}' }, undefined],
  ["a project with settings", {}, { ...usual, "project/kedge.json": "{}" }, undefined],
  ["a session that goes on", { continue: true as const }, usual, undefined],
  ["a named session", { resume: "x" }, usual, undefined],
  ["other files of settings", { settings: ["x.json"] }, usual, undefined],
])("%s", (_, flags, files, model) => {
  expect(expectedModel(flags, place(files))).toBe(model);
});
