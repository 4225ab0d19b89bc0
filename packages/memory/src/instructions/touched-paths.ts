/** Which files a conversation has touched: read, edited or written by calls that worked, and mentioned by the user. */
import { resolve, sep } from "node:path";
import { type ConversationItem, isPlainAbsolutePath, type SessionState } from "@kedge/protocol";

export type TouchedPaths = {
  /** Takes in what was said since the last time. True when the conversation is another one, and all was forgotten. */
  look(state: Pick<SessionState, "items" | "queue">): boolean;
  /** Absolute, each once; grows at its end until the conversation is another one. */
  readonly files: readonly string[];
  /** The same and what the user wrote that may be a path. */
  readonly paths: readonly string[];
  /** The id of the last prompt that the conversation shows. */
  lastPrompt(): string | undefined;
};

/** Tools whose calls are about single files. Searches are not. */
const fileTools: ReadonlySet<string> = new Set(
  "read write edit multi_edit edit_lines notebook_edit apply_patch ast_edit batch".split(" "),
);
const pathsMax = 5_000;
const wordsMax = 500;
const wordCharactersMax = 300;
const promptCharactersMax = 100_000;

export function createTouchedPaths(cwd: string): TouchedPaths {
  const files: string[] = [];
  const paths: string[] = [];
  const knownFiles = new Set<string>();
  const knownPaths = new Set<string>();
  /** Paths that the calls of the last answer name, until their results are there. */
  let named = new Map<string, readonly string[]>();
  let looked: readonly ConversationItem[] | undefined;
  let count = 0;
  let lastPrompt: string | undefined;

  function take(item: ConversationItem): void {
    if (item.type === "prompt") {
      lastPrompt = item.id;
      addMentions(item.text);
    } else if (item.type === "answer") {
      named = new Map();
      for (const block of item.content) {
        if (block.type === "tool-call" && fileTools.has(block.tool.toLowerCase()))
          named.set(block.callId, pathsIn(block.inputText));
      }
    } else if (item.type === "results") {
      for (const { callId, outcome } of item.results) {
        if (outcome !== "completed") continue;
        for (const path of named.get(callId) ?? []) addFile(inPlace(path));
      }
    }
  }

  function addMentions(text: string): void {
    const words = text.slice(0, promptCharactersMax).split(/[\s"'`<>()[\]{},;]+/, wordsMax);
    for (const word of words) {
      const path = word.replace(/^@/, "").replace(/[.:!?]$/, "");
      const isPath = path.length <= wordCharactersMax && /[./]/.test(path) && !path.includes("://");
      if (isPath) addPath(inPlace(path));
    }
  }

  function addFile(path: string): void {
    if (knownFiles.size >= pathsMax || knownFiles.has(path)) return;
    knownFiles.add(path);
    files.push(path);
    addPath(path);
  }

  function addPath(path: string): void {
    if (knownPaths.size >= pathsMax || knownPaths.has(path)) return;
    knownPaths.add(path);
    paths.push(path);
  }

  const inPlace = (path: string) => (sep === "/" && isPlainAbsolutePath(path) ? path : resolve(cwd, path));

  return {
    files,
    paths,
    lastPrompt: () => lastPrompt,
    look({ items, queue }) {
      const isOther = looked !== items;
      if (isOther) {
        looked = items;
        count = 0;
        lastPrompt = undefined;
        files.length = 0;
        paths.length = 0;
        knownFiles.clear();
        knownPaths.clear();
      }
      for (; count < items.length; count += 1) {
        const item = items[count];
        if (item !== undefined) take(item);
      }
      // What waits is said with the step that is about to begin.
      for (const { text } of queue) addMentions(text);
      return isOther;
    },
  };
}

const pathField = /"(?:filePath|path|notebookPath)"\s*:\s*("(?:[^"\\]|\\.){1,4096}")/g;
const patchMark = "*** ";
const patchLine = /\*\*\* (?:Add|Update|Delete) File: (.{1,4096}?)(?=\\n|\\r|\n|"|$)/g;

/** From the text of the arguments: inside of a JSON text every quote of a value is escaped, so none can pass for a field. */
function pathsIn(inputText: string): readonly string[] {
  const paths: string[] = [];
  for (const [, written = ""] of inputText.matchAll(pathField)) {
    try {
      const path: unknown = JSON.parse(written);
      // Behind a path may stand which lines are meant.
      if (typeof path === "string") paths.push(path.replace(/:[\d,+\-–]+$|:raw$/, ""));
    } catch {
      // Half a text is no path.
    }
  }
  if (!inputText.includes(patchMark)) return paths;
  for (const [, path = ""] of inputText.matchAll(patchLine)) paths.push(path.trim());
  return paths;
}
