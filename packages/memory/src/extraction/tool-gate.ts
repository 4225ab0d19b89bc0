/** What a worker on memory may call: looking at the workspace and at topics, and drafting topics. Nothing else. */
import { join, resolve } from "node:path";
import type { BeforeCall, CallPhase, JsonObject, PhasedCall } from "@kedge/protocol";
import { indexFile } from "../topics/directory/store-files.ts";
import { realPath } from "../topics/directory/validate-directory.ts";
import { isTopicPath } from "../topics/session/memory-phase.ts";
import { readPlainLook } from "./plain-look.ts";

export type ToolGateParts = {
  /** Of memory. */
  readonly directory: string;
  /** By its real path: in the workspace or a directory that the user added. */
  readonly isInside: (path: string) => boolean;
};

const lookingTools: ReadonlySet<string> = new Set(["read", "grep", "glob"]);
const draftingTools: ReadonlySet<string> = new Set(["write", "edit"]);
/** Of a command nothing else may be said: an environment can load code, and a background job outlives the worker. */
const commandFields: ReadonlySet<string> = new Set(["command", "workdir", "timeout", "description"]);

/** Refuses whatever it cannot tell; what passes is still judged by the user's own rules. */
export function createToolGate({ directory, isInside }: ToolGateParts): CallPhase {
  function isReadable(path: string): boolean {
    const real = realPath(path);
    if (real === realPath(directory) || real === realPath(join(directory, indexFile))) return true;
    return isInside(path) || isTopicPath(path, directory);
  }

  function judge({ tool, input, needs, cwd, readOnly }: PhasedCall): string | undefined {
    if (draftingTools.has(tool)) {
      const path = input["filePath"];
      return typeof path === "string" && isTopicPath(resolve(cwd, path), directory) ? undefined : onlyTopics;
    }
    const words = tool === "bash" ? commandWords(input) : [];
    if (words === undefined) return onlyLooks;
    if (tool !== "bash" && !lookingTools.has(tool)) return notOffered;
    if (!readOnly) return onlyLooks;
    const { workdir, filePath, path, paths = [] } = input;
    const start = typeof workdir === "string" ? resolve(cwd, workdir) : cwd;
    const named = [filePath, path, ...(Array.isArray(paths) ? paths : [paths])].filter((each) => each !== undefined);
    if (named.some((each) => typeof each !== "string" || each.includes("://"))) return onlyHere;
    const looked = [start, ...[...named, ...words].map((each) => resolve(start, String(each)))];
    return [...looked, ...needs.flatMap((need) => need.paths ?? [])].every(isReadable) ? undefined : onlyHere;
  }

  return {
    name: "memory worker",
    onError: "refuse",
    before(call): BeforeCall | undefined {
      const text = judge(call);
      if (text !== undefined) return { decision: "refuse", text };
      return draftingTools.has(call.tool) ? { decision: "allow", reason: "a draft of a topic" } : undefined;
    },
  };
}

function commandWords(input: JsonObject): readonly string[] | undefined {
  const { command } = input;
  if (typeof command !== "string" || Object.keys(input).some((key) => !commandFields.has(key))) return undefined;
  return readPlainLook(command);
}

const onlyTopics =
  "Only topic files in the memory directory can be written: lower-case words with hyphens, ending in .md.";
const onlyLooks =
  "Only ls, find, grep, cat, stat, wc, head and tail can be run here, joined by pipes, without redirections.";
const onlyHere = "Only files of the workspace and topics of memory can be read here.";
const notOffered = "This tool cannot be used while memory is looked after. Use read, grep, glob, bash, write and edit.";
