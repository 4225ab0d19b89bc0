/** What the terminal UI keeps of the user in kedge's directory: settings, themes, what was typed, and what was not sent. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unwatchFile,
  watchFile,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { replaceFile } from "@kedge/host";
import type { Media } from "@kedge/protocol";
import type { TuiFiles } from "@kedge/tui";
import { readAttachments } from "../attachments/attachments.ts";
import { terminalTexts } from "../texts/terminal.ts";

export type TerminalPlace = {
  /** kedge's directory; it may not exist yet. */
  readonly home: string;
  readonly projectId: string;
  readonly directory: string;
};

const historyEntriesMax = 1_000;
const historyBytesMax = 2 * 1024 * 1024;
/** A prompt longer than this is somebody's file, and is not offered again. */
const historyEntryCharactersMax = 20_000;
/** A link to a shared session contains its key. */
const holdsKey = /^\s*\/join\s/;
const watchEveryMs = 500;
const privateFile = 0o600;
const privateDirectory = 0o700;

export function openTerminalFiles({ home, projectId, directory }: TerminalPlace): TuiFiles {
  const settingsFile = join(home, "tui.json");
  const choicesFile = join(home, "data", "choices.json");
  const themes = join(home, "themes");
  const project = join(home, "projects", projectId);
  const historyFile = join(project, "prompts.jsonl");
  const draftFile = join(project, "draft.json");
  let entries: string[] | undefined;

  return {
    themes: {
      list: () =>
        existsSync(themes)
          ? readdirSync(themes)
              .filter((name) => name.endsWith(".json"))
              .map((name) => name.slice(0, -".json".length))
          : [],
      read: (name) => readText(themeFile(themes, name)),
      watch(name, listener) {
        const file = themeFile(themes, name);
        watchFile(file, { interval: watchEveryMs, persistent: false }, listener);
        return () => unwatchFile(file, listener);
      },
    },
    readSettings: () => readText(settingsFile),
    writeSettings: (text) => trying(() => replaceFile(settingsFile, text)),
    history: {
      entries() {
        entries ??= readHistory(historyFile);
        return entries;
      },
      add(text) {
        entries ??= readHistory(historyFile);
        if (text.length > historyEntryCharactersMax || entries.at(-1) === text || holdsKey.test(text)) return;
        entries.push(text);
        // What was typed before is a comfort; a full disk is told where it matters.
        trying(() => {
          mkdirSync(project, { recursive: true, mode: privateDirectory });
          if ((statSync(historyFile, { throwIfNoEntry: false })?.size ?? 0) > historyBytesMax) {
            replaceFile(historyFile, encodeHistory((entries ?? []).slice(-historyEntriesMax / 2)));
          } else appendFileSync(historyFile, encodeHistory([text]), { mode: privateFile });
        });
      },
    },
    readChoices: () => readText(choicesFile),
    saveChoices: (text) =>
      void trying(() => {
        writeFileSync(`${choicesFile}.new`, text, { mode: privateFile });
        renameSync(`${choicesFile}.new`, choicesFile);
      }),
    readDraft: () => readText(draftFile),
    saveDraft: (text) =>
      void trying(() => {
        if (text === undefined) return rmSync(draftFile, { force: true });
        mkdirSync(project, { recursive: true, mode: privateDirectory });
        // Without the wait for the disk: it is written while somebody types, and a crash of kedge does not need it.
        writeFileSync(`${draftFile}.new`, text, { mode: privateFile });
        renameSync(`${draftFile}.new`, draftFile);
      }),
    async readAttachment(path): Promise<Media | string> {
      const read = readAttachments([resolve(directory, path)], directory);
      if (!read.ok) return read.sentence;
      return read.attachments[0] ?? terminalTexts.notAttached(path);
    },
  };
}

/** A name is never a way to elsewhere. */
function themeFile(themes: string, name: string): string {
  return join(themes, `${name.replaceAll(/[^\w.-]/g, "_")}.json`);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function readHistory(file: string): string[] {
  const lines = (readText(file) ?? "").split("\n").slice(-historyEntriesMax - 1);
  return lines.flatMap((line) => {
    try {
      const text: unknown = JSON.parse(line);
      return typeof text === "string" ? [text] : [];
    } catch {
      // The last line of a killed kedge may be half written, and the one after the last is empty.
      return [];
    }
  });
}

function encodeHistory(texts: readonly string[]): string {
  return texts.map((text) => `${JSON.stringify(text)}\n`).join("");
}

/** Why the file system refused, if it did. */
function trying(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error) return error.message;
    throw error;
  }
}
