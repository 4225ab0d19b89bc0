/** Reads what is not simply a path: a path with a selector, an artifact, or a path that lacks its beginning. */
import { closeSync, existsSync, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { nearNames, type ToolContext, type ToolOutput } from "@kedge/protocol";
import { openRegularFile } from "../file-content.ts";
import { describeFileError, isFileError } from "../file-error.ts";
import { shortPath } from "../tool-path.ts";
import { splitContained } from "./contained.ts";
import { findBySuffix } from "./find-by-suffix.ts";
import { nameInWords } from "./in-words.ts";
import { readContained } from "./read-contained.ts";
import { readOpened } from "./read-opened.ts";
import { isPartial, type ReadCall } from "./read-parts.ts";
import { mixingProblem, selectBy, selectLines, type Target } from "./selection.ts";
import { type SelectedPath, splitSelector } from "./selector.ts";
import { listConflicts } from "./text/read-conflicts.ts";

export const artifactPrefix = "artifact://";
const nearNamesMax = 3;
const numbersMax = 20;
/** Results inside of a call have no attachments, so what would need one is only named. */
const attachedNames = /\.(?:png|jpe?g|gif|webp|pdf)$/i;

/** For a path that does not exist as it is written. */
export async function readMissing(call: ReadCall): Promise<ToolOutput> {
  const { input, context } = call;
  const { filePath } = input;
  const contained = splitContained(filePath);
  const inside = contained === undefined ? undefined : await readContained(contained, input, context);
  if (inside !== undefined) return inside;
  const splits = splitSelector(filePath);
  for (const { path: named, selector } of splits) {
    const path = resolve(context.cwd, named);
    const opened = openRegularFile(path);
    if (opened.kind === "missing") continue;
    const title = shortPath(path, context.cwd);
    const selected: SelectedPath["selector"] = isPartial(input) ? { ok: false, problem: mixingProblem } : selector;
    if (!selected.ok) {
      if (opened.kind === "file") closeSync(opened.descriptor);
      return { output: selected.problem, isError: true, title };
    }
    if (selected.value.kind === "conflicts") return listConflicts(opened, { path, title }, call);
    const selection = selectBy(selected.value, named);
    return readOpened(opened, { path, title, selection, pages: input.pages, isRemembered: true }, call);
  }
  return readBySuffix(call, contained?.container ?? splits.at(-1)?.path ?? filePath);
}

/** `artifact://N`, with a selector or with offset and limit. */
export async function readArtifact(call: ReadCall): Promise<ToolOutput> {
  const { input, context } = call;
  const { filePath } = input;
  const split = splitSelector(filePath).at(-1);
  const title = split?.path ?? filePath;
  const refuse = (problem: string): ToolOutput => ({ output: problem, isError: true, title });
  const number = /^\d{1,9}$/.exec(title.slice(artifactPrefix.length))?.[0];
  if (number === undefined)
    return refuse(`Artifacts have numbers, and ${title} has none. ${describeArtifacts(context)}`);
  const path = context.artifacts.pathOf(Number(number));
  if (path === undefined) return refuse(`${title} does not exist. ${describeArtifacts(context)}`);
  if (split !== undefined && isPartial(input)) return refuse(mixingProblem);
  if (split?.selector.ok === false) return refuse(split.selector.problem);
  if (split?.selector.value.kind === "conflicts")
    return refuse(`${title} has no conflicts; read it without :conflicts.`);
  const opened = openRegularFile(path);
  if (opened.kind === "missing") return refuse(`${title} was removed. ${describeArtifacts(context)}`);
  const selection =
    split === undefined ? { ...selectLines(input), continueWith: `${title}:` } : selectBy(split.selector.value, title);
  const target: Target = { path, title, selection, pages: input.pages, isRemembered: false };
  return readOpened(opened, target, call);
}

function describeArtifacts({ artifacts }: ToolContext): string {
  const numbers = artifacts.numbers();
  if (numbers.length === 0) return "There are no artifacts in this session.";
  const more = numbers.length > numbersMax ? `the last ${numbersMax}: ` : "";
  return `There are ${more}${numbers
    .slice(-numbersMax)
    .map((number) => artifactPrefix + number)
    .join(", ")}`;
}

/** Another file is another permission: it is read by a call of its own. */
async function readBySuffix({ input, context, parts }: ReadCall, named: string): Promise<ToolOutput> {
  const path = resolve(context.cwd, named);
  const title = shortPath(path, context.cwd);
  const found =
    parts === undefined ? [] : await findBySuffix(parts, { path, cwd: context.cwd, signal: context.signal });
  // A link that leads nowhere is found again and again.
  const mayShow = context.reading.below(context.cwd);
  const hits = found.filter((hit) => {
    const place = resolve(context.cwd, hit);
    return hit !== title && mayShow(place) && existsSync(place);
  });
  const [only] = hits;
  if (only === undefined) return { output: describeMissing(path, context), isError: true, title };
  if (hits.length === 1 && !attachedNames.test(only)) {
    const filePath = only + input.filePath.slice(named.length);
    const [result] = await context.children.run([{ tool: "read", input: { ...input, filePath } }]);
    if (result !== undefined) {
      const output = `(${named} does not exist; this is ${only})\n${result.output}`;
      return { output, title: only, ...(result.isError && { isError: true }) };
    }
  }
  const list = hits.map((hit) => `\n${nameInWords(hit)}`).join("");
  return { output: `${path} does not exist. Read one of these instead:${list}`, isError: true, title };
}

function describeMissing(path: string, { reading }: ToolContext): string {
  let names: readonly string[];
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      return `${path} is a broken symbolic link.`;
    const mayShow = reading.below(dirname(path));
    names = readdirSync(dirname(path)).filter((name) => mayShow(join(dirname(path), name)));
  } catch (error) {
    if (isFileError(error, "ENOENT", "ENOTDIR")) return `${path} does not exist, and neither does its directory.`;
    const problem = describeFileError(error, path);
    if (problem === undefined) throw error;
    return problem;
  }
  const near = nearNames(basename(path), names, { countMax: nearNamesMax }).map(nameInWords);
  return near.length === 0
    ? `${path} does not exist.`
    : `${path} does not exist. Similar names there: ${near.join(", ")}`;
}
