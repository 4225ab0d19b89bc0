/** Remembers what the premise files of a session were like at its start, and tells which of them changed and by whom. */
import { type CallCause, clockToleranceMs, createCallTimes } from "./call-times.ts";
import type { FileLook, HashedFile, Listed, MachineLook } from "./machine-look.ts";
import { ageText, plainText } from "./plain-text.ts";
import { familiesOfPath, premiseFamilies, premiseFilesOfHome } from "./premise-files.ts";

export type PremiseChange = {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted";
  readonly changedMs: number;
  /** A command or a tool with its step, or `outside kedge`. */
  readonly by: string;
};

export interface WatchedChange {
  ended(options?: { readonly isStillAtWork: boolean }): Promise<void>;
}

export interface PremiseWatch {
  /** For a call that may change something, just before it runs; the first one notes the state of all files. */
  before(cause: CallCause): Promise<WatchedChange>;
  /** The files of these families that are not what they were. */
  changes(families: ReadonlySet<string>): Promise<readonly PremiseChange[]>;
  /** The files of these families that exist now. */
  files(families: ReadonlySet<string>): Promise<Listed<FileLook>>;
  /** When the state was noted; undefined before that. */
  notedMs(): number | undefined;
  /** Who changed the file, in words. */
  causeOf(file: FileLook): string;
}

export type PremiseWatchParts = {
  readonly machine: MachineLook;
  readonly root: string;
  readonly home: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

type Noted = {
  readonly files: ReadonlyMap<string, HashedFile>;
  readonly isComplete: boolean;
  readonly atMs: number;
};

/** What was last seen of a file, and who changed it since the state was noted. */
type Seen = { readonly signature: string; readonly changedMs: number; readonly by?: string };

const gone = "gone";

export function createPremiseWatch({ machine, root, home, now }: PremiseWatchParts): PremiseWatch {
  const times = createCallTimes(now);
  const seen = new Map<string, Seen>();
  let noting: Promise<Noted> | undefined;
  let noted: Noted | undefined;

  function list(): Promise<Listed<HashedFile>> {
    const isWanted = (folder: string, name: string) => premiseFamilies(folder, name).length > 0;
    return machine.list({ directory: root, isWanted, others: premiseFilesOfHome(home) });
  }

  async function note(): Promise<Noted> {
    const { items, isComplete } = await list();
    for (const file of items) seen.set(file.path, { signature: signatureOf(file), changedMs: file.changedMs });
    noted = { files: new Map(items.map((file) => [file.path, file])), isComplete, atMs: now() };
    return noted;
  }

  function noteOnce(): Promise<Noted> {
    noting ??= note();
    return noting;
  }

  /** Only files known already are looked at: most workspaces have none, and then this costs nothing. */
  async function lookAgain(): Promise<void> {
    if (seen.size === 0) return;
    const paths = [...seen.keys()];
    const found = new Map((await machine.lookAt(paths)).map((file) => [file.path, file]));
    for (const path of paths) {
      const file = found.get(path);
      const signature = file === undefined ? gone : signatureOf(file);
      if (seen.get(path)?.signature === signature) continue;
      // Nothing tells when a file went away; it was there at the last look.
      const changedMs = file?.changedMs ?? now();
      // Every call looks when it ends, so what is seen only now was done by one still at work, or by nobody of ours.
      seen.set(path, { signature, changedMs, by: times.causeNow(changedMs) });
    }
  }

  function changeOf(path: string, before: HashedFile | undefined, after: HashedFile | undefined): PremiseChange {
    const status = before === undefined ? "added" : after === undefined ? "deleted" : "modified";
    const known = seen.get(path);
    const changedMs = known?.by === undefined ? (after?.changedMs ?? now()) : known.changedMs;
    return { path, status, changedMs, by: known?.by ?? times.causeAt(changedMs) };
  }

  return {
    causeOf: ({ path, changedMs }) => seen.get(path)?.by ?? times.causeAt(changedMs),
    notedMs: () => noted?.atMs,
    async before(cause) {
      // What the user did since the last call is seen now, so that it is not laid at this one's door.
      if (noting === undefined) await noteOnce();
      else await noting.then(lookAgain);
      const call = times.started(cause);
      return {
        async ended(options) {
          await lookAgain();
          call.ended(options);
        },
      };
    },
    async changes(families) {
      if (noting === undefined) return [];
      const { files, isComplete, atMs } = await noteOnce();
      await lookAgain();
      const current = await list();
      const after = new Map(current.items.map((file) => [file.path, file]));
      const missing = [...files.keys()].filter((path) => !after.has(path));
      const stillThere = new Set(
        current.isComplete ? [] : (await machine.lookAt(missing)).map(({ path }: FileLook) => path),
      );
      const paths = [...new Set([...files.keys(), ...after.keys()])].filter((path) => belongsTo(path, families));
      return paths.flatMap((path) => {
        const [old, young] = [files.get(path), after.get(path)];
        if (young === undefined ? stillThere.has(path) : young.hash === old?.hash) return [];
        // A file that was never listed is new only if it came later, unless all there was had been listed.
        const isUnlisted = old === undefined && !isComplete && (young?.changedMs ?? 0) < atMs - clockToleranceMs;
        return isUnlisted ? [] : [changeOf(path, old, young)];
      });
    },
    async files(families) {
      const { items, isComplete } = await list();
      return { items: items.filter(({ path }) => belongsTo(path, families)), isComplete };
    },
  };
}

/** The line that a person must see before a command of the family runs. */
export function premiseLine({ path, status, changedMs, by }: PremiseChange, nowMs: number): string {
  const what = status === "modified" ? "changed" : status === "added" ? "was created" : "was deleted";
  return `state file ${plainText(path)} ${what} ${ageText(changedMs, nowMs)} by: ${by}`;
}

function belongsTo(path: string, families: ReadonlySet<string>): boolean {
  return familiesOfPath(path).some((family) => families.has(family));
}

/** Of what a write changes; a change of owner or mode leaves the content and its author alone. */
function signatureOf({ sizeBytes, modifiedMs }: FileLook): string {
  return `${sizeBytes} ${modifiedMs}`;
}
