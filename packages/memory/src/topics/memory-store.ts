/** The MemoryStore contract: what is remembered of a project, as files, without a model. */
import type { Contents, StoredTopic } from "./contents/contents.ts";
import type { TopicPlace } from "./directory/store-files.ts";
import type { Topic, TopicDraft, TopicOrigin } from "./topic/topic.ts";

/**
 * One directory. Every change passes one writer: in this process one after the other, between processes under a lock,
 * on the disk as a whole or not at all. What is written was cleaned, redacted and validated before; what anybody reads
 * is data. Nothing is created before the first change.
 */
export interface MemoryStore {
  /** Absolute, without a final separator. */
  readonly directory: string;
  /** Everything that is there, those that wait for the user too. */
  read(): Promise<Contents>;
  save(draft: TopicDraft, source: SaveSource): Promise<Saved>;
  /** All of them in one change: after a crash either every one is there or none. */
  saveAll(drafts: readonly SourcedDraft[]): Promise<readonly Saved[]>;
  /**
   * Merges and tidies up topics in one change, with everything as it was before it for undo. What no topic said before
   * is not taken over: it waits for the user, and nothing is taken away for it.
   */
  consolidate(merges: readonly Merge[], options: ConsolidateOptions): Promise<Consolidated>;
  /**
   * Takes over a topic file that a tool has just written in the directory: it is cleaned, validated, marked with its
   * origin and moved to where it belongs, or refused and put back as it was before. A topic that was emptied is
   * forgotten.
   */
  adopt(slug: string, written: WrittenFile): Promise<Adopted>;
  /** Lets an item of the inbox or the quarantine in. Only ever called for the user. */
  accept(slug: string): Promise<Changed>;
  /** Removes a topic; one that links lead to is named in `linked`. */
  forget(slug: string, options?: ForgetOptions): Promise<Changed & { readonly linked?: readonly string[] }>;
  /** Under a new name, with all links to it. */
  rename(slug: string, to: string): Promise<Changed>;
  /** Ends a dispute, or says which of two counts: the loser is superseded. */
  prefer(winner: string, loser: string): Promise<Changed>;
  /**
   * What a model found about two topics of `Saved.related`. Both become disputed unless one is the successor. Nothing is
   * lost by a verdict: a superseded topic stays in its file.
   */
  settle(newer: string, older: string, verdict: "successor" | "conflict" | "unrelated"): Promise<Changed>;
  /** Keeps all topics as they are now, so that everything that follows in the same group is undone at once. */
  snapshot(group: string, label: string): Promise<void>;
  /** Takes back the newest change or group; refuses over what others changed since, unless forced. */
  undo(options?: UndoOptions): Promise<Undone>;
  /** Repairs form, takes out secrets, moves suspicious topics to the quarantine; gives the paths. */
  repair(): Promise<readonly string[]>;
  /** Makes the index again from the topics, for files that were changed by hand. */
  reindex(): Promise<void>;
}

/** Who says it, by whoever calls: never read from the text itself. */
export type SaveSource = {
  readonly origin: TopicOrigin;
  readonly sessionId?: string;
  /** The tool that the text comes from; plans and task lists are refused. */
  readonly tool?: string;
  /** Changes of one group are undone together; the run, for example. */
  readonly group?: string;
};

export type SourcedDraft = { readonly draft: TopicDraft; readonly source: SaveSource };

/** One topic that a model wants otherwise; without a draft it is to go. */
export type Merge = { readonly slug: string; readonly draft?: TopicDraft };

export type ConsolidateOptions = {
  readonly sessionId?: string;
  readonly group: string;
  /** Only says what would change. */
  readonly isTrial?: boolean;
};

export type Consolidated = {
  /** Every file that changes, with its text before and after. */
  readonly changes: readonly FileChangeText[];
  /** Paths of what waits for the user, because no topic said it before. */
  readonly waiting: readonly string[];
  /** Sentences about what was not done. */
  readonly refused: readonly string[];
};

export type FileChangeText = { readonly path: string; readonly before: string | null; readonly after: string | null };

export type WrittenFile = SaveSource & {
  /** What the tool was given, before it was cleaned; undefined where that is the file itself. */
  readonly raw?: string;
  /** The text before the tool wrote; undefined where there was no file. */
  readonly before: string | undefined;
};

export type Saved =
  | {
      readonly outcome: "saved";
      /** `inbox` and `quarantine` wait for the user. */
      readonly place: TopicPlace;
      readonly slug: string;
      /** In the directory. */
      readonly path: string;
      /** Why it is in quarantine. */
      readonly suspicion?: string;
      /** Topics whose place it took. */
      readonly superseded: readonly string[];
      /** Topics that say otherwise; the user should be asked once. */
      readonly disputed: readonly string[];
      /** Topics about the same thing, for a verdict by a model. */
      readonly related: readonly string[];
    }
  /** It was known already. */
  | { readonly outcome: "known"; readonly slug: string }
  /** A sentence that the writer can act on. */
  | { readonly outcome: "refused"; readonly problem: string };

export type Adopted = Saved | { readonly outcome: "forgotten"; readonly path: string };

export type Changed = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly problem: string };

export type ForgetOptions = { readonly place?: TopicPlace };

export type UndoOptions = {
  /** Also over what others changed since. */
  readonly force?: boolean;
  /** Only if the newest change belongs to one of these groups. */
  readonly groups?: readonly string[];
};

export type Undone =
  | { readonly ok: true; readonly label: string; readonly paths: readonly string[] }
  | { readonly ok: false; readonly reason: "nothing" | "changed"; readonly problem: string };

/** What happened, for whoever records events. Never contains the text of a topic. */
export type MemoryEvent =
  | {
      readonly type: "memory.written";
      readonly path: string;
      readonly origin: TopicOrigin;
      readonly sessionId?: string;
      /** The topic and those about the same thing, where a model could say which one counts. */
      readonly open?: { readonly newer: string; readonly older: readonly string[] };
    }
  | { readonly type: "memory.quarantined"; readonly path: string; readonly why: string; readonly sessionId?: string };

export type MemoryStoreParts = {
  readonly directory: string;
  readonly now: () => number;
  /** Unique among all processes; letters and digits. */
  readonly newToken: () => string;
  readonly redact: (text: string) => string;
  /** What nobody stated is let in without the user. From the user's own or managed settings only. */
  readonly acceptInferred: boolean;
  readonly onEvent?: (event: MemoryEvent) => void;
};

export type { Contents, StoredTopic, Topic, TopicDraft };
