/** Texts of folds that are kept of long sessions: each the work of one program, up to one fact. */
import { isJsonObject } from "@kedge/protocol";
import type { FoldFiles } from "../fold-files.ts";
import { parseText } from "../state-texts.ts";
import type { Connection } from "./sqlite-connection.ts";

/** Written again once the session has grown by this share, so that all writing stays a small multiple of what is kept. */
const growthMin = 1 / 8;

const hashSql = "SELECT hash FROM fact WHERE session = ? AND seq = ?";

/** The session's own fold, and that of its messages and parts. */
export type KeptKind = "state" | "view";

const kinds: readonly KeptKind[] = ["state", "view"];

export type KeptTexts = {
  /** The last fact that is in it; 0 when there is none, or none that is surely of these facts and this program. */
  seq(key: number, kind: KeptKind): number;
  texts(key: number, kind: KeptKind): Iterable<string>;
  /** Whether a fold up to this fact is worth its writing. */
  isWorth(seq: number, key: number, kind: KeptKind): boolean;
  /** In a transaction of the caller, so that it does not cross with a removal of content. */
  keep(key: number, kind: KeptKind, fold: { readonly seq: number; readonly texts: Iterable<string> }): void;
  /** In the transaction that removes content, and before it: what is kept holds that content a second time. */
  drop(key: number): void;
  dropAll(): void;
  bytes(): number;
};

export type KeptTextOptions = {
  /** Another for every program that might fold otherwise: what one of them kept is nothing to the others. */
  readonly mark: string;
  /** The least number of facts of a session whose folds are kept. */
  readonly factsMin?: number;
};

/**
 * Reading so many facts takes about 20 ms for a state and 10 ms for a view. A state is as long as all texts of the
 * session together, a view a tenth of it.
 */
const factsMinByDefault: { readonly [Kind in KeptKind]: number } = { state: 4_000, view: 400 };

/** Without options nothing is kept, and nothing that was kept is looked at. */
export function createKeptTexts(
  connection: Connection,
  files: FoldFiles,
  options: KeptTextOptions | undefined,
): KeptTexts {
  /** With the hash of the last record it stands for, and so for all before it. */
  function markOf(key: number, seq: number): string | undefined {
    const hash = connection.get(hashSql, key, seq)?.["hash"];
    return options === undefined || hash === undefined ? undefined : `${options.mark} ${hash}`;
  }

  function seqOf(key: number, kind: KeptKind): number {
    if (options === undefined) return 0;
    // The first text says what the others are; no other one is read for it.
    const [text = ""] = files.texts(nameOf(key, kind));
    const head = parseText(text);
    if (!isJsonObject(head)) return 0;
    const { seq, mark } = head;
    return typeof seq === "number" && mark === markOf(key, seq) ? seq : 0;
  }

  return {
    seq: seqOf,
    *texts(key, kind) {
      const texts = files.texts(nameOf(key, kind));
      texts.next();
      yield* texts;
    },
    isWorth(seq, key, kind) {
      if (options === undefined) return false;
      const factsMin = options.factsMin ?? factsMinByDefault[kind];
      return seq >= factsMin && seq - seqOf(key, kind) >= Math.max(factsMin, seq * growthMin);
    },
    keep(key, kind, { seq, texts }) {
      files.write(nameOf(key, kind), withHead(JSON.stringify({ seq, mark: markOf(key, seq) }), texts));
    },
    drop(key) {
      for (const kind of kinds) files.remove(nameOf(key, kind));
    },
    dropAll: files.removeAll,
    bytes: files.bytes,
  };
}

function nameOf(key: number, kind: KeptKind): string {
  return `${key}.${kind}`;
}

function* withHead(head: string, texts: Iterable<string>): Generator<string> {
  yield head;
  yield* texts;
}
