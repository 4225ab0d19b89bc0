/** What the terminal UI is given: the engine behind a client, the user's files, and the terminal itself. */
import type { Client, Failure, Media, PermissionMode, RunOptions, Scope } from "@kedge/protocol";

export type TrustAsked = {
  readonly root: string;
  /** One for each thing that the project brings, or that changed. */
  readonly lines: readonly string[];
  readonly isChanged: boolean;
};

export type TrustAnswer = "trusted" | "refused" | undefined;

/** How the engine came up; a session is open unless no model is configured. */
export type EngineUp = {
  readonly directory: string;
  readonly mode: PermissionMode;
  /** What this client may do; everything without it. */
  readonly scope?: Scope;
  readonly runOptions: RunOptions;
  readonly attachments: readonly Media[];
  readonly session?: {
    readonly sessionId: string;
    readonly model: string;
    readonly interrupted: boolean;
    readonly notice?: string;
  };
};

export type EngineStart =
  | { readonly ok: true; readonly up: EngineUp }
  | { readonly ok: false; readonly failure: Failure; readonly isUsage: boolean };

/** Asked and told while the engine comes up and works. */
export type EngineListener = {
  readonly onTrustAsked: (asked: TrustAsked) => Promise<TrustAnswer>;
  readonly onNotice: (sentence: string) => void;
};

export interface TuiEngine {
  readonly client: Client;
  /** Never rejects. */
  readonly up: Promise<EngineStart>;
  /** Resolves when the engine is gone, with the reason if nobody asked it to go. Never rejects. */
  readonly gone: Promise<string | undefined>;
  /** Set before the engine asks anything; what it told until then is told at once. */
  listen(listener: EngineListener): void;
  /** Resolves when everything is stored. */
  close(): Promise<void>;
}

export interface ThemeFiles {
  /** Of the user's own themes. */
  list(): readonly string[];
  read(name: string): string | undefined;
  watch(name: string, listener: () => void): () => void;
}

/** What is kept of the user between two starts. */
export interface TuiFiles {
  readonly themes: ThemeFiles;
  readSettings(): string | undefined;
  /** Gives back why it could not be written. */
  writeSettings(text: string): string | undefined;
  readonly history: { entries(): readonly string[]; add(text: string): void };
  /** What was chosen before, for lists that show it first. */
  readChoices(): string | undefined;
  saveChoices(text: string): void;
  readDraft(): string | undefined;
  /** Undefined removes it. */
  saveDraft(text: string | undefined): void;
  /** A file that the user pasted or dropped; a sentence when it cannot be attached. */
  readAttachment(path: string): Promise<Media | string>;
}

/** How a stored session is taken up where that is not to be as it was left. */
export type TakeUpWish = {
  /** A copy of it is taken up. */
  readonly isForked?: true;
  readonly mode?: PermissionMode;
  readonly model?: string;
};

export type TuiParts = {
  readonly engine: TuiEngine;
  readonly files: TuiFiles;
  readonly version: string;
  readonly directory: string;
  readonly userDirectory: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly now: () => number;
  /** What the model will be, where it can be told before the engine is up. */
  readonly expectedModel?: string;
  /** Sent as soon as the session is open. */
  readonly prompt: string;
  /** The list of sessions is the first thing that is shown, and the one that is chosen there is taken up so. */
  readonly pick?: TakeUpWish;
  /** Has the text changed in the user's own editor; the screen is out of the way while it runs. */
  readonly editText: (
    text: string,
  ) => Promise<{ readonly ok: true; readonly text: string } | { readonly ok: false; readonly sentence: string }>;
  /** The picture that the clipboard holds, or a sentence why there is none. */
  readonly readClipboardImage: () => Promise<Media | string>;
  /** Writes a file of the user's, such as an export; gives back the sentence to tell. */
  readonly writeFile: (path: string, text: string) => Promise<{ readonly ok: boolean; readonly sentence: string }>;
  /** Writes a file about a problem, outside every project; gives back the sentence to tell. */
  readonly writeReport: (name: string, text: string) => Promise<{ readonly ok: boolean; readonly sentence: string }>;
  /** Runs the user's command for the status line, in a trusted project only. */
  readonly runStatusCommand?: (command: string, input: string) => Promise<string | undefined>;
  readonly onReady: () => void;
  /** Tells when somebody ends kedge by a signal; `onForced` is called when it ends without waiting for anything. */
  readonly onEndSignal: (onEnd: () => void, options: { readonly onForced: () => void }) => Disposable;
};

export type TuiExit = {
  readonly exitCode: number;
  /** Why it could not start, or had to end. */
  readonly failure?: Failure;
  /** The user wants to see the demo first. */
  readonly isDemoWanted?: true;
  /** Written below the user's own screen when ours is gone. */
  readonly farewell: string;
};
