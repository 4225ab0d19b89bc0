/** Which files a call reads or changes, as its input names them. */
import { isAbsolute, join, normalize } from "node:path";
import { isJsonObject, type ToolCallBlock } from "@kedge/protocol";
import { parseArguments } from "../call/text/call-input.ts";

/** `write` means that the call holds the whole new content, `edit` that it holds only what changes. */
export type FileUse = {
  readonly kind: "read" | "write" | "edit";
  /** Absolute, if the directory is. */
  readonly path: string;
  /** What stood behind the path to choose a part of it. */
  readonly selector?: string;
};

type CallInput = { readonly [key: string]: unknown };

type FileTool = { readonly kind: FileUse["kind"]; readonly paths: (input: CallInput) => readonly unknown[] };

/** By the names that models use; a tool that is not there touches no file that its input names. */
const fileTools: ReadonlyMap<string, FileTool> = new Map<string, FileTool>([
  ["read", { kind: "read", paths: (input) => [input["filePath"] ?? input["path"]] }],
  ["write", { kind: "write", paths: (input) => [input["filePath"]] }],
  ["edit", { kind: "edit", paths: (input) => [input["filePath"]] }],
  ["multi_edit", { kind: "edit", paths: (input) => [input["filePath"]] }],
  ["notebook_edit", { kind: "edit", paths: (input) => [input["path"]] }],
  ["apply_patch", { kind: "edit", paths: ({ patch }) => patchedPaths(patch) }],
  ["edit_lines", { kind: "edit", paths: ({ input }) => pathsIn(input, taggedFile) }],
]);

/** Only some calls inside a call may have worked, so its changes prove nothing, but they name files. */
const callOfCalls = "batch";

const envelopeBegin = /^\*\*\* ?Begin Patch\s*$/im;
const envelopeFile = /^\*\*\* ?(?:(?:Add|Update|Delete) File|Move to) ?:(.+)$/gim;
const diffFile = /^--- (?:a\/)?(.+?)(?:\t.*)?\r?\n\+\+\+ (?:b\/)?(.+?)(?:\t.*)?$/gm;
const noFile = "/dev/null";
const taggedFile = /^\[(.+)#[0-9A-Fa-f]{4}\]\s*$/gm;
const selector = /:(?:raw|conflicts|L?\d[\dL,.+\- ]*)$/;
const address = /^[a-z][a-z0-9+.-]+:\/\//i;

/** Undefined paths, addresses and what is no JSON are left out. */
export function fileUsesOf(
  { tool, inputText }: Pick<ToolCallBlock, "tool" | "inputText">,
  directory: string,
): readonly FileUse[] {
  const known = fileTools.get(tool);
  if (known === undefined) return noUses;
  const input = parseObject(inputText);
  return input === undefined ? noUses : usesOf(known, input, directory);
}

/** The same with the calls inside a call. */
export function namedFilesOf(call: Pick<ToolCallBlock, "tool" | "inputText">, directory: string): readonly FileUse[] {
  if (call.tool !== callOfCalls) return fileUsesOf(call, directory);
  const calls = parseObject(call.inputText)?.["calls"];
  if (!Array.isArray(calls)) return noUses;
  return calls.flatMap((child: unknown) => {
    if (!isJsonObject(child)) return noUses;
    const { tool, input } = child;
    const known = typeof tool === "string" ? fileTools.get(tool) : undefined;
    return known === undefined || !isJsonObject(input) ? noUses : usesOf(known, input, directory);
  });
}

/** The text as the model named it, such as `skill://name`; undefined for anything but a read. */
export function readTarget({ tool, inputText }: Pick<ToolCallBlock, "tool" | "inputText">): string | undefined {
  if (tool !== "read") return undefined;
  const input = parseObject(inputText);
  const target = input?.["filePath"] ?? input?.["path"];
  return typeof target === "string" ? target : undefined;
}

const noUses: readonly FileUse[] = [];

function usesOf({ kind, paths }: FileTool, input: CallInput, directory: string): readonly FileUse[] {
  const part = [input["offset"], input["limit"], input["pages"]]
    .map((value) => value ?? "")
    .join(" ")
    .trim();
  return paths(input).flatMap((named) => {
    if (typeof named !== "string" || named === "" || address.test(named)) return noUses;
    const { path, selected } = kind === "read" ? withoutSelector(named) : { path: named, selected: "" };
    const chosen = [selected, part].filter((text) => text !== "").join(" ");
    return [{ kind, path: absolutePath(path, directory), ...(chosen !== "" && { selector: chosen }) }];
  });
}

/** A range and `raw` may both stand there. */
function withoutSelector(named: string): { readonly path: string; readonly selected: string } {
  const path = named.replace(selector, "").replace(selector, "");
  return path === "" ? { path: named, selected: "" } : { path, selected: named.slice(path.length) };
}

function absolutePath(path: string, directory: string): string {
  return isAbsolute(path) ? normalize(path) : join(directory, path);
}

function patchedPaths(patch: unknown): readonly string[] {
  const isEnvelope = typeof patch === "string" && envelopeBegin.test(patch);
  return pathsIn(patch, isEnvelope ? envelopeFile : diffFile);
}

function pathsIn(text: unknown, pattern: RegExp): readonly string[] {
  if (typeof text !== "string") return [];
  const names = [...text.matchAll(pattern)].flatMap(([, ...found]) => found.map((name) => name.trim()));
  return [...new Set(names)].filter((name) => name !== noFile);
}

/** A call that was cut off has no readable input, and touched what the record says it touched. */
function parseObject(text: string): CallInput | undefined {
  const parsed = parseArguments(text);
  return parsed.ok ? parsed.value : undefined;
}
