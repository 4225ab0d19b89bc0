/** The Tool contract: what the agent can do to the machine, and the narrow services a call is given. */

import type { Media } from "../content.ts";
import type { Jobs } from "../jobs.ts";
import type { JsonObject } from "../json/json.ts";
import type { JsonSchema } from "../json/json-schema.ts";
import type { Need, PermissionMode, PermissionRule } from "../permission.ts";
import type { Addresses } from "./address-scheme.ts";
import type { Artifacts } from "./artifacts.ts";

export type Parsed<Input> =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly report: string };

/** What a run gives back. `isError` is for the model to read; a tool throws only for bugs and broken machines. */
export type ToolOutput = {
  readonly output: string;
  readonly isError?: true;
  /** One line for a person, such as a path or a command. */
  readonly title: string;
  /** Plain data for clients: a diff, an exit code, counts. Never sent to the model. */
  readonly metadata?: JsonObject;
  /** Pictures and documents that go to the model beside the text. */
  readonly media?: readonly Media[];
  /** For a look: why it did not work where it cannot act. The pipeline asks a person whether to run it normally. */
  readonly blocked?: string;
};

/**
 * A tool never asks for permission, publishes events, truncates its output or knows the session: the pipeline does
 * these for all tools, so none can forget.
 */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** The ways of editing in which it is offered; in all of them without this. It runs in any, when a model calls it. */
  readonly editModes?: readonly EditMode[];
  /** With it the tool stays out of requests until the model searches for it, by these words or its name. */
  readonly searchHint?: string;
  /** Every request carries it, whatever its source and its search hint say. */
  readonly alwaysLoad?: true;
  /** Upper limit of what the model sees of one result. */
  readonly resultCharactersMax: number;
  /** It asks a person, so sessions in which nobody can answer do not have it. */
  readonly asksPerson?: true;
  /** A message of the user may end its waiting: the signal is aborted with `steered`, and it returns what it has. */
  readonly interruptible?: true;
  /** A call of it is on its way; what is slow to load may be loaded meanwhile. */
  warmUp?(): void;
  parse(input: unknown): Parsed<Input>;
  /** Looks at the world without changing it; a sentence for the model when the call cannot work. */
  validate?(input: Input, context: ToolContext): Promise<string | undefined>;
  needs(input: Input, cwd: string): readonly Need[];
  /** What a person sees before answering a permission question, such as a diff. No side effects. */
  preview?(input: Input, context: ToolContext): Promise<string | undefined>;
  /** Why a person should look although the mode would let the call pass; a rule or an answer still lets it. */
  caution?(input: Input, context: ToolContext): Promise<string | undefined>;
  readOnly(input: Input): boolean;
  concurrencySafe(input: Input): boolean;
  run(input: Input, context: ToolContext): Promise<ToolOutput>;
  /** The run is over, well or not: forget what was only prepared for it. */
  runEnded?(): void;
}

/** How a model changes files: by pieces of text, by patches, or by line numbers of a tagged version. */
export const editModes = ["replace", "patch", "hashline"] as const;

export type EditMode = (typeof editModes)[number];

export interface ToolContext {
  readonly editMode: EditMode;
  readonly callId: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly files: FileState;
  readonly reading: ReadRights;
  readonly sink: OutputSink;
  readonly artifacts: Artifacts;
  /** Texts that are no files. */
  readonly addresses: Addresses;
  readonly jobs: Jobs;
  readonly todos: Todos;
  readonly dialogue: Dialogue;
  readonly planning: Planning;
  readonly children: Children;
  readonly upkeep: FileUpkeep;
  readonly checkpoints: Checkpoints;
  /** What strangers wrote, as it may enter a prompt, and whether it reads like orders to the model: a sign, never an answer. */
  readonly fence: (text: string) => Promise<FencedText>;
  /** Whether the model will still see the whole result of an earlier call of this session. */
  readonly isShown: (callId: string) => boolean;
  /** Present when the call runs unasked only because it looks: it must run where it cannot act. */
  readonly look?: Look;
}

/** What a call that only looks must not see. */
export type Look = {
  /** The same object for all looks of a session. */
  readonly hidden: HiddenFiles;
  /** Files that the call names and that it may read, although they are hidden from calls that do not name them. */
  readonly shown: readonly string[];
  /** Directories of repositories of which it may show what git keeps: that cannot be hidden file by file. */
  readonly histories?: readonly string[];
  /** It asks git for names alone: a hidden file would count as changed there, and nothing of it is shown. */
  readonly onlyNames?: true;
};

export type HiddenFiles = {
  /** Whether the content of a file needs a permission that looks do not have: it may contain secrets, or a rule says so. */
  readonly isHidden: (path: string) => boolean;
  /** Of those, whether a rule closes it: then what git keeps of it is closed too. */
  readonly isClosedByRule: (path: string) => boolean;
  /** Absolute paths that rules name. Whoever cannot list all files of a machine hides at least these. */
  readonly places: readonly string[];
};

export type ReadAnswer =
  | { readonly answer: "allow" }
  /** `why` is a sentence part for the model. */
  | { readonly answer: "ask" | "deny"; readonly why: string };

/**
 * Whether a file may be read, by rules, secrets and places: the one answer for every way of reading. Nobody is asked;
 * what the call names itself was judged before it ran, and what it comes upon besides is shown only if allowed.
 */
export interface ReadRights {
  /** For any path, links followed. */
  of(path: string): ReadAnswer;
  /**
   * For files that a search comes upon below a directory without following links: true for those it may show. Only the
   * directory is looked at, so that a file costs no look at the disk.
   */
  below(directory: string): (path: string) => boolean;
}

export type FencedText = { readonly text: string; readonly isSuspicious: boolean };

/** The reason of an aborted signal when a waiting tool makes room for a message of the user. */
export const steered = "steered";

/** What follows a write: formatters that may change the file again, and checkers that look at it. */
export interface FileUpkeep {
  /** Runs what is set up for the file; a line to report, such as a formatter that failed. The file is there before and after. */
  format(path: string, signal: AbortSignal): Promise<string | undefined>;
  /** Errors in the files as lines for the model, none if nothing checks them or nothing came in time. */
  diagnose(paths: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
}

/** The one place of the conversation that the model marked, to come back to with a report. */
export interface Checkpoints {
  /** The open one; it stays open until the conversation has gone back. */
  current(): { readonly goal: string; readonly startedAt: number } | undefined;
  open(goal: string): Promise<void>;
  /** At the end of the step the conversation goes back to the mark and continues with the report. */
  rewind(report: string): Promise<void>;
}

export type Todo = {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed" | "cancelled";
  readonly priority: "high" | "medium" | "low";
};

/** The session's list of what is to be done. */
interface Todos {
  list(): readonly Todo[];
  replace(todos: readonly Todo[]): Promise<void>;
}

export type Question = {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly multiSelect?: boolean;
};

/** Questions to the person in front of the screen. */
export interface Dialogue {
  /**
   * One answer per question, in words; undefined when nobody can answer, the run was stopped, or `withdrawn` says that
   * an answer is no longer needed.
   */
  ask(questions: readonly Question[], withdrawn?: AbortSignal): Promise<readonly string[] | undefined>;
}

/** The switch between planning and working. */
interface Planning {
  mode(): PermissionMode;
  enter(): Promise<void>;
  /** Back to the mode before. */
  leave(): Promise<void>;
}

export type ChildCall = { readonly tool: string; readonly input: unknown };

export type ChildResult = { readonly tool: string; readonly output: string; readonly isError: boolean };

export type ChildOptions = {
  /** Allow rules that hold for these calls alone. They are the weakest of all: any other rule, guard or concern wins. */
  readonly allow?: readonly PermissionRule[];
  /** Ends these calls, and withdraws what they ask; they end with the call around them without it. */
  readonly signal?: AbortSignal;
};

/** Calls inside a call: each goes through the whole pipeline, with its own permission. */
export interface Children {
  run(calls: readonly ChildCall[], options?: ChildOptions): Promise<readonly ChildResult[]>;
}

/** Remembers what the model has seen of each file, so that nothing is overwritten blindly. */
export interface FileState {
  /** Call after reading or writing: this content is what the model knows. */
  remember(path: string, contentHash: string): void;
  /** The hash of the content the model knows, under the file's true path; undefined if it never read the file. */
  known(path: string): string | undefined;
  /** Runs alone among the calls that change the same path. */
  exclusively<Result>(path: string, work: () => Promise<Result>): Promise<Result>;
}

/** Takes output as it arrives, shows progress live, keeps a bounded head and tail of it, and all of it as an artifact. */
export interface OutputSink {
  write(chunk: string, stream: "stdout" | "stderr"): void;
  /** Everything kept so far; says in the middle how much was left out. */
  text(): string;
  /** The same text, with what became of the whole. */
  dump(): OutputDump;
}

/** What was kept of an output and what was left out. */
export type OutputDump = {
  readonly output: string;
  readonly truncated: boolean;
  readonly totalLines: number;
  readonly totalBytes: number;
  readonly outputLines: number;
  readonly outputBytes: number;
  /** The number of the artifact that holds everything, once something was left out. */
  readonly artifactId?: number;
  /** Bytes of `output` that came from standard error: from the first to the one after the last. */
  readonly stderrRanges: readonly (readonly [number, number])[];
  readonly cut?: OutputCut;
};

export type OutputCut = {
  /** Where something is missing. */
  readonly direction: "head" | "tail" | "middle";
  readonly truncatedBy: "bytes" | "columns";
  /** The lines of the whole output that are shown, in one or two pieces, both ends included. */
  readonly shownRange: readonly (readonly [number, number])[];
};
