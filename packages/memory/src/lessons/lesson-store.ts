/** The lessons of a project in one file: lines are appended, of one lesson the last line counts, and the file stays small. */
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { quarantineReason } from "../fence/quarantine.ts";
import { type Lesson, readLesson } from "./lesson.ts";
import { searchLessons } from "./search-lessons.ts";

export type LessonStore = {
  /** Those of other sessions that fit the prompt, as copies. Each counts once per session as retrieved. */
  retrieve(sessionId: string, prompt: string, isKnown: (lessonId: string) => boolean): readonly Lesson[];
  /** `busy` while another process writes; whoever adds may try again. */
  add(lesson: Lesson): "added" | "busy";
};

export type LessonStoreParts = { readonly path: string; readonly now: () => number };

const lessonsMax = 100;
const linesMax = 200;
const bytesMax = 1024 * 1024;
/** From here on the file is written again instead of getting longer. */
const linesBeforeRewrite = 150;
const unusedMs = 30 * 24 * 60 * 60 * 1_000;
/** Nobody holds the lock for longer than it takes to write a few lines. */
const staleLockMs = 10_000;

type Loaded = {
  readonly mark: string;
  readonly lessons: readonly Lesson[];
  readonly lines: number;
  readonly isWhole: boolean;
};

export function openLessonStore({ path, now }: LessonStoreParts): LessonStore {
  let loaded = noLessons;
  /** Counts that the next save writes down; losing one does no harm. */
  const counted = new Map<string, Lesson>();
  const retrievedIn = new Map<string, Set<string>>();

  function current(): Loaded {
    const mark = markOf(path);
    if (mark !== loaded.mark) loaded = mark === "" ? noLessons : { mark, ...readFile(path, now()) };
    return loaded;
  }

  return {
    retrieve(sessionId, prompt, isKnown) {
      // What happened in this session, its conversation tells.
      const lessons = current().lessons.filter(({ session_id }) => session_id !== sessionId);
      if (lessons.length === 0) return [];
      const found = searchLessons(newestOfEach(lessons), prompt).filter((lesson) => !isSuspicious(lesson));
      const known = retrievedIn.get(sessionId) ?? new Set();
      retrievedIn.set(sessionId, known);
      for (const lesson of found) {
        if (known.has(lesson.lesson_id) || isKnown(lesson.lesson_id)) continue;
        known.add(lesson.lesson_id);
        const before = counted.get(lesson.lesson_id) ?? lesson;
        const last_retrieved_at = new Date(now()).toISOString();
        counted.set(lesson.lesson_id, { ...before, relevance_count: before.relevance_count + 1, last_retrieved_at });
      }
      return found;
    },
    add(lesson) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const lock = takeLock(`${path}.lock`, now());
      if (lock === undefined) return "busy";
      try {
        const before = current();
        const changed = [...counted.values(), lesson];
        const isLong = before.lines + changed.length > linesBeforeRewrite || !before.isWhole;
        if (isLong) rewrite(path, withinCap([...merged([...before.lessons, ...counted.values()]), lesson], lesson));
        else {
          append(path, changed);
          // Nobody else writes meanwhile, so what is known stays true without reading the file again.
          const lessons = withinCap(merged([...before.lessons, ...changed]), lesson);
          loaded = { mark: markOf(path), lessons, lines: before.lines + changed.length, isWhole: true };
        }
        counted.clear();
        return "added";
      } finally {
        lock();
      }
    },
  };
}

/** Tells whether the file is still the one that was read; empty without a file. */
function markOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

/** Words that would make a later reader act are not shown. They are looked at here, because the end of a run is short. */
function isSuspicious({ task_summary, lesson }: Lesson): boolean {
  return quarantineReason(`${task_summary}\n${lesson}`) !== undefined;
}

const noLessons: Loaded = { mark: "", lessons: [], lines: 0, isWhole: true };

/** Reads a bounded beginning, whatever the size of the file: a gigabyte or one endless line stops nothing. */
function readFile(path: string, now: number): Omit<Loaded, "mark"> {
  const { text, isWhole } = readStart(path);
  const lines = text.split("\n");
  // What stands after the last line feed is cut off, or still being written.
  const rest = lines.pop() ?? "";
  const read = lines.slice(0, linesMax);
  const lessons = merged(read.flatMap((line) => readLesson(line) ?? [])).filter((lesson) => !isForgotten(lesson, now));
  return {
    lessons: withinCap(lessons),
    lines: read.length,
    isWhole: isWhole && rest === "" && lines.length <= linesMax,
  };
}

/** A task that is repeated every day would fill all places. The file has the older ones first. */
function newestOfEach(lessons: readonly Lesson[]): readonly Lesson[] {
  const wordsOf = ({ outcome, task_summary, lesson }: Lesson) => JSON.stringify([outcome, task_summary, lesson]);
  return [...new Map(lessons.map((lesson) => [wordsOf(lesson), lesson])).values()];
}

/** Of a lesson that stands there twice the last line counts. */
function merged(lessons: readonly Lesson[]): readonly Lesson[] {
  return [...new Map(lessons.map((lesson) => [lesson.lesson_id, lesson])).values()];
}

function isForgotten({ created_at, last_retrieved_at }: Lesson, now: number): boolean {
  return last_retrieved_at === undefined && now - Date.parse(created_at) > unusedMs;
}

/** The least useful go first, of those the oldest; never the one that was just added. */
export function withinCap(lessons: readonly Lesson[], added?: Lesson): readonly Lesson[] {
  const tooMany = lessons.length - lessonsMax;
  if (tooMany <= 0) return lessons;
  const gone = lessons
    .filter((lesson) => lesson !== added)
    .sort(
      (left, right) =>
        left.relevance_count - right.relevance_count || Date.parse(left.created_at) - Date.parse(right.created_at),
    )
    .slice(0, tooMany);
  const leaving = new Set(gone);
  return lessons.filter((lesson) => !leaving.has(lesson));
}

function readStart(path: string): { readonly text: string; readonly isWhole: boolean } {
  // Neither a link nor a pipe that somebody put there is opened.
  const file = attempt(() => openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
  if (file === undefined) return { text: "", isWhole: true };
  try {
    const found = fstatSync(file);
    if (!found.isFile()) return { text: "", isWhole: true };
    const bytes = Buffer.alloc(Math.min(found.size, bytesMax));
    return {
      text: bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, 0)),
      isWhole: found.size <= bytesMax,
    };
  } finally {
    closeSync(file);
  }
}

function append(path: string, lessons: readonly Lesson[]): void {
  const flags =
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  write(openSync(path, flags, 0o600), lessons);
}

function rewrite(path: string, lessons: readonly Lesson[]): void {
  const next = `${path}.new`;
  rmSync(next, { force: true });
  write(openSync(next, "wx", 0o600), lessons);
  renameSync(next, path);
}

function write(file: number, lessons: readonly Lesson[]): void {
  try {
    writeSync(file, lessons.map((lesson) => `${JSON.stringify(lesson)}\n`).join(""));
  } finally {
    closeSync(file);
  }
}

/** Gives the way to release it. */
function takeLock(path: string, now: number): (() => void) | undefined {
  const file = attempt(() => openSync(path, "wx", 0o600)) ?? takeStaleLock(path, now);
  if (file === undefined) return undefined;
  return () => {
    closeSync(file);
    attempt(() => unlinkSync(path));
  };
}

/** A process that died with the lock in its hand does not come back for it. */
function takeStaleLock(path: string, now: number): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || now - found.mtimeMs <= staleLockMs) return undefined;
  attempt(() => unlinkSync(path));
  return attempt(() => openSync(path, "wx", 0o600));
}

function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
