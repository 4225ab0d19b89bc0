/** Mailboxes: one file for each member, an array of messages that several processes append to, one at a time. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isJsonObject } from "@kedge/protocol";

/** One message as it lies in a mailbox. Who sent it is what `seal` proves, not what `from` says. */
export type Letter = {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Words for the model, or a message of the protocol as JSON. */
  readonly text: string;
  readonly seal?: string;
  readonly read: boolean;
};

export type MailboxParts = {
  /** Runs the work while no other process is inside for the same path; gives up with an error instead of waiting on. */
  readonly lock: <Result>(path: string, work: () => Promise<Result>) => Promise<Result>;
  readonly now: () => number;
  /** Another one each time. */
  readonly newId: () => string;
};

export interface Mailboxes {
  put(path: string, letter: Omit<Letter, "read">): Promise<void>;
  /** Those that nobody has dealt with, oldest first. A mailbox that is not there is empty. */
  unread(path: string): readonly Letter[];
  /** After they were dealt with: what is cut off before this is met again under the same id. */
  markRead(path: string, ids: readonly string[]): Promise<void>;
  /** Makes no mailbox where there is none. */
  clear(path: string): Promise<void>;
}

const keptMs = 24 * 60 * 60 * 1_000;
const keptMax = 500;

export function createMailboxes({ lock, now, newId }: MailboxParts): Mailboxes {
  async function change(path: string, work: (letters: readonly Letter[]) => readonly Letter[]): Promise<void> {
    await lock(path, async () => {
      const before = readLetters(path, () => renameSync(path, `${path}.damaged`));
      const after = work(before);
      if (after !== before) replace(path, after);
    });
  }

  function replace(path: string, letters: readonly Letter[]): void {
    const temporary = `${path}.${newId()}.tmp`;
    try {
      writeFileSync(temporary, `${JSON.stringify(letters, undefined, 1)}\n`, { mode: 0o600, flag: "wx" });
      renameSync(temporary, path);
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  /** What was read goes after a day, or when there is too much of it. */
  function pruned(letters: readonly Letter[]): readonly Letter[] {
    const oldest = now() - keptMs;
    const read = letters.filter((letter) => letter.read && letter.time >= oldest);
    const kept = new Set(read.slice(-keptMax));
    return letters.filter((letter) => !letter.read || kept.has(letter));
  }

  return {
    async put(path, letter) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      await change(path, (letters) => [...pruned(letters), { ...letter, read: false }]);
    },
    unread: (path) => readLetters(path).filter(({ read }) => !read),
    async markRead(path, ids) {
      if (ids.length === 0 || !existsSync(path)) return;
      const done = new Set(ids);
      await change(path, (letters) =>
        pruned(letters.map((each) => (done.has(each.id) ? { ...each, read: true } : each))),
      );
    },
    async clear(path) {
      if (existsSync(path)) await change(path, () => []);
    },
  };
}

/** What is not a letter is left out: anybody of this user can write there. */
function readLetters(path: string, onDamaged: () => void = () => undefined): readonly Letter[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isLetter) : [];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Whoever writes next keeps what somebody else left there.
    onDamaged();
    return [];
  }
}

function isLetter(value: unknown): value is Letter {
  if (!isJsonObject(value)) return false;
  const { id, from, to, time, text, read, seal } = value;
  const texts = [id, from, to, text].every((each) => typeof each === "string");
  return (
    texts && typeof time === "number" && typeof read === "boolean" && ["string", "undefined"].includes(typeof seal)
  );
}
