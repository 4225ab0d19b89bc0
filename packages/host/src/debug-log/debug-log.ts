/** The debug log: a file per session, only where the user wants one, with one line per event and without secrets. */
import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "@kedge/engine";
import { debugAreas } from "@kedge/protocol";
import { replaceFile } from "../machine/replace-file.ts";
import { debugLines } from "./debug-line.ts";

/** Beyond this the older half is dropped. */
const bytesMax = 20 * 1024 * 1024;

export type DebugLogParts = {
  /** kedge's own directory. */
  readonly home: string;
  readonly now: () => number;
  readonly redact: (text: string) => string;
  /** `1` for all areas, or their names; nothing is written without it until it is turned on. */
  readonly wish: string | undefined;
  readonly bytesMax?: number;
};

export interface DebugLog {
  follow(engine: Pick<Engine, "subscribeAll">): void;
  pathOf(sessionId: string): string;
  isOn(): boolean;
  turn(on: boolean): void;
}

export function createDebugLog(parts: DebugLogParts): DebugLog {
  const { home, now, redact } = parts;
  let areas = wishedAreas(parts.wish);
  let followed: Pick<Engine, "subscribeAll"> | undefined;
  let unsubscribe: (() => void) | undefined;

  function update(): void {
    if (areas === undefined) {
      unsubscribe?.();
      unsubscribe = undefined;
    } else if (followed !== undefined && unsubscribe === undefined) {
      unsubscribe = followed.subscribeAll((sessionId, event) => {
        const time = new Date(now()).toISOString();
        const lines = debugLines(event).filter(({ area }) => areas === "all" || areas?.has(area) === true);
        const text = lines.map((line) => `${time} [${line.area}] ${oneLine(redact(line.text))}\n`).join("");
        if (text !== "") write(sessionId, text);
      });
    }
  }

  /** A disk that is full costs lines, never the work. */
  function write(sessionId: string, text: string): void {
    const path = pathOf(home, sessionId);
    try {
      mkdirSync(join(home, "log", "debug"), { recursive: true, mode: 0o700 });
      appendFileSync(path, text, { mode: 0o600 });
      shorten(path, parts.bytesMax ?? bytesMax);
    } catch {
      areas = undefined;
      update();
    }
  }

  return {
    follow(engine) {
      followed = engine;
      update();
    },
    pathOf: (sessionId) => pathOf(home, sessionId),
    isOn: () => areas !== undefined,
    turn(on) {
      areas = on ? (areas ?? "all") : undefined;
      update();
    },
  };
}

export function removeDebugLog(home: string, sessionId: string): void {
  rmSync(pathOf(home, sessionId), { force: true });
}

function pathOf(home: string, sessionId: string): string {
  return join(home, "log", "debug", `${sessionId.replaceAll(/[^\w-]/g, "_")}.txt`);
}

/** Anything but names of areas, such as `1` or `true`, means all of them. */
function wishedAreas(wish: string | undefined): ReadonlySet<string> | "all" | undefined {
  if (wish === undefined || wish === "" || wish === "0") return undefined;
  const names = wish.split(",").map((name) => name.trim());
  return names.every((name) => debugAreas.some((area) => area === name)) ? new Set(names) : "all";
}

function shorten(path: string, max: number): void {
  if (statSync(path).size <= max) return;
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const kept = Buffer.alloc(Math.floor(max / 2));
    readSync(file, kept, 0, kept.length, size - kept.length);
    replaceFile(path, kept.subarray(kept.indexOf("\n") + 1).toString("utf8"));
  } finally {
    closeSync(file);
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}
