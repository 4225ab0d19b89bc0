/** Says what a set of changes does or did: diffs for people, sentences for the model, plain data for clients. */
import { resolve } from "node:path";
import type { JsonObject, ToolOutput } from "@kedge/protocol";
import { shortPath } from "../tool-path.ts";
import type { FileWish, MadeSet, PlannedFile } from "./file-change-set.ts";
import { diffTexts, type FileDiff, firstChangedLine } from "./file-diff.ts";
import { withUpkeep } from "./file-upkeep.ts";

/** The diffs of all files, one below the other. */
export async function diffChangeSet(files: readonly PlannedFile[], cwd: string): Promise<string> {
  const diffs = await Promise.all(files.map((file) => diffFile(file, cwd)));
  return diffs.map(({ text }) => text).join("\n");
}

export async function reportChangeSet(
  { files, upkeep }: Extract<MadeSet, { ok: true }>,
  cwd: string,
): Promise<ToolOutput> {
  const reports = await Promise.all(files.map((file) => reportFile(file, cwd)));
  const warnings = files.flatMap((file) => file.warnings);
  const sum = (count: (diff: FileDiff) => number) => reports.reduce((total, { diff }) => total + count(diff), 0);
  const [first] = reports;
  const output = {
    output: [...reports.map(({ sentence }) => sentence), ...warningLines(warnings)].join("\n"),
    title: titleOf(
      files.map(({ wish }) => wish),
      cwd,
    ),
    metadata: {
      diff: reports.map(({ diff }) => diff.text).join("\n"),
      additions: sum(({ additions }) => additions),
      deletions: sum(({ deletions }) => deletions),
      firstChangedLine: first?.result["firstChangedLine"] ?? 1,
      op: reports.every(({ result }) => result["op"] === "create") ? "create" : "update",
      perFileResults: reports.map(({ result }) => result),
    },
  };
  return withUpkeep(output, upkeep);
}

export function titleOf(wishes: readonly FileWish[], cwd: string): string {
  const [first] = wishes;
  if (first === undefined) return "no files";
  const name = shortPath(resolve(cwd, first.filePath), cwd);
  return wishes.length === 1 ? name : `${name} and ${wishes.length - 1} more`;
}

/** The end of a result, for what the model should look at again. */
export function warningLines(warnings: readonly string[]): readonly string[] {
  return warnings.length === 0 ? [] : ["Warnings:", ...warnings.map((warning) => `- ${warning}`)];
}

type FileReport = { readonly sentence: string; readonly diff: FileDiff; readonly result: JsonObject };

async function reportFile(file: PlannedFile, cwd: string): Promise<FileReport> {
  const { step } = file;
  const { name, targetName } = namesOf(file, cwd);
  const diff = await diffFile(file, cwd);
  const { additions, deletions } = diff;
  const counts = `(+${additions} -${deletions} lines)`;
  const result = (op: string, firstChangedLine: number) => ({ path: name, op, additions, deletions, firstChangedLine });
  switch (step.kind) {
    case "create":
      return { sentence: `Created ${name} ${counts}.`, diff, result: result("create", 1) };
    case "replace": {
      const line = firstChangedLine(step.before.text, step.after);
      return { sentence: `Changed ${name} ${counts}.`, diff, result: result("update", line) };
    }
    case "move": {
      const line = firstChangedLine(step.before.text, step.after);
      const moved = { ...result("move", line), movedTo: targetName };
      return { sentence: `Moved ${name} to ${targetName} ${counts}.`, diff, result: moved };
    }
    case "remove":
      return { sentence: `Deleted ${name} ${counts}.`, diff, result: result("delete", 1) };
  }
}

function namesOf({ wish }: PlannedFile, cwd: string) {
  const short = (path: string) => shortPath(resolve(cwd, path), cwd);
  const name = short(wish.filePath);
  return { name, targetName: wish.kind === "update" && wish.moveTo !== undefined ? short(wish.moveTo) : name };
}

async function diffFile(file: PlannedFile, cwd: string): Promise<FileDiff> {
  const { step } = file;
  const { name, targetName } = namesOf(file, cwd);
  switch (step.kind) {
    case "create":
      return diffTexts(name, undefined, step.after);
    case "replace":
      return diffTexts(name, step.before.text, step.after);
    case "remove":
      return withNewName(await diffTexts(name, step.before.text, ""), "/dev/null");
    case "move": {
      const head = `diff --git a/${name} b/${targetName}\nrename from ${name}\nrename to ${targetName}`;
      if (step.after === step.before.text) return { text: head, additions: 0, deletions: 0 };
      const diff = withNewName(await diffTexts(name, step.before.text, step.after), `b/${targetName}`);
      return { ...diff, text: `${head}\n${diff.text}` };
    }
  }
}

/** The second line of a diff names the new side. */
function withNewName(diff: FileDiff, name: string): FileDiff {
  const lines = diff.text.split("\n");
  lines[1] = `+++ ${name}`;
  return { ...diff, text: lines.join("\n") };
}
