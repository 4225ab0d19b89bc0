/** Proves that links of the documents lead to pages and headings, that named files exist, and that shown commands parse. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parseArguments } from "../src/arguments/arguments.ts";
import { findCommand } from "../src/commands/command-table.ts";

const root = join(import.meta.dirname, "../../..");
const manual = ["README.md", ...globSync("docs/*.md", { cwd: root })].sort();
const documents = [
  ...manual,
  ...globSync(["*.md", "docs/decisions/*.md", "packages/*/AGENTS.md"], { cwd: root }).filter(
    (file) => file !== "README.md",
  ),
].sort();

const textOf = (file: string) => readFileSync(join(root, file), "utf8");
const withoutCode = (text: string) => text.replaceAll(/^ *```.*\n[\s\S]*?^ *```$/gm, "").replaceAll(/`[^`\n]*`/g, "");

/** A heading as GitHub makes an anchor of it. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function anchorsOf(file: string): readonly string[] {
  const text = textOf(file).replaceAll(/^ *```.*\n[\s\S]*?^ *```$/gm, "");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

function isBroken(file: string, target: string): boolean {
  const [path = "", anchor] = target.split("#");
  const found = path === "" ? file : join(dirname(file), path);
  if (!existsSync(resolve(root, found))) return true;
  return anchor !== undefined && found.endsWith(".md") && !anchorsOf(found).includes(anchor);
}

test("every link leads to a file, and to a heading where it names one", () => {
  const broken = documents.flatMap((file) =>
    [...withoutCode(textOf(file)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && isBroken(file, target))
      .map((target) => `${file}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test("the index leads to every page of the manual", () => {
  const index = textOf("docs/README.md");
  const pages = globSync("*.md", { cwd: join(root, "docs") }).filter((name) => name !== "README.md");
  expect(pages.filter((name) => !index.includes(`](${name})`))).toEqual([]);
});

test("every picture is shown somewhere, and has a text for those who do not see it", () => {
  const shown = manual.flatMap((file) => [...textOf(file).matchAll(/!\[([^\]]*)\]\((?:docs\/)?img\/([^)]+)\)/g)]);
  expect(shown.filter(([, text]) => text === "")).toEqual([]);
  const pictures = globSync("docs/img/*", { cwd: root }).map((path) => path.replace("docs/img/", ""));
  expect(pictures.filter((name) => !shown.some(([, , picture]) => picture === name))).toEqual([]);
});

test("every row of a table has as many cells as its head", () => {
  const cells = (row: string) => row.replaceAll("\\|", "").split("|").length;
  const wrong = documents.flatMap((file) => {
    const tables = textOf(file)
      .replaceAll(/^ *```.*\n[\s\S]*?^ *```$/gm, "")
      .matchAll(/(?:^\|.*\|$\n?)+/gm);
    return [...tables].flatMap(([table]) => {
      const [head = "", ...rows] = table.trimEnd().split("\n");
      return rows.filter((row) => cells(row) !== cells(head)).map((row) => `${file}: ${row}`);
    });
  });
  expect(wrong).toEqual([]);
});

test("every file of the sources that the manual names exists", () => {
  const missing = manual.flatMap((file) =>
    [...textOf(file).matchAll(/`((?:packages|scripts|examples|docs)\/[\w./-]+)`/g)]
      .map(([, path = ""]) => path)
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${file}: ${path}`),
  );
  expect(missing).toEqual([]);
});

/** Words as a shell would split them, with a value in the place of each thing that the reader chooses. */
function wordsOf(line: string): readonly string[] {
  const filled = line
    .replaceAll("<command>", "session")
    .replaceAll(/<[^>]*>/g, "value")
    .replaceAll(/\[[^\]]*\]/g, "")
    .replace(/\s#\s.*$/, "")
    .replace(/\s*[|&;<>].*$/, "");
  return [...filled.matchAll(/'([^']*)'|"([^"]*)"|[^\s'"]+/g)].map(
    ([word, single, double]) => single ?? double ?? word,
  );
}

function isWrong(line: string): boolean {
  const [, ...words] = wordsOf(line);
  const [first = ""] = words;
  // The name alone, in a table of all of them.
  if (words.length === 1 && findCommand(first) !== undefined) return false;
  const parsed = parseArguments(words);
  if (!parsed.ok) return true;
  // A prompt of several words would hide a command that does not exist.
  return parsed.invocation.kind === "console" && /^[a-z]+$/.test(first) && findCommand(first) === undefined;
}

const shownCommands = manual.flatMap((file) => {
  const text = textOf(file);
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, code = ""]) => code.split("\n"));
  const inline = [...text.matchAll(/`(kedge [^`]+)`/g)].map(([, line = ""]) => line);
  return [...blocks.filter((line) => line.startsWith("kedge ")), ...inline].map((line) => ({ file, line }));
});

test("every command that the manual shows is one that kedge accepts", () => {
  expect(shownCommands.length).toBeGreaterThan(150);
  // "…" and "|" between words stand for a choice of the reader.
  const whole = shownCommands.filter(({ line }) => !line.includes("…") && !/\w\\?\|\w/.test(line));
  expect(whole.filter(({ line }) => isWrong(line)).map(({ file, line }) => `${file}: ${line}`)).toEqual([]);
});

/** Slash commands in a text, such as `/undo` in "`/undo`, `/redo [force]`". */
function slashCommandsIn(text: string): readonly string[] {
  return [...text.matchAll(/`\/([a-z-]+)[^`]*`/g)].map(([, name = ""]) => name);
}

test("the pages for people coming from other agents name commands that exist", () => {
  const known = new Set(slashCommandsIn(textOf("docs/commands.md")));
  const wrong = globSync("docs/from-*.md", { cwd: root }).flatMap((file) =>
    [...textOf(file).matchAll(/^\| (.+) \| (.+) \|$/gm)]
      .flatMap(([, there = "", here = ""]) => slashCommandsIn(here.startsWith("the same") ? there + here : here))
      .filter((name) => !known.has(name))
      .map((name) => `${file}: /${name}`),
  );
  expect(wrong).toEqual([]);
});
