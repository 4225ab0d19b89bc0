/** What kedge knows of a language server before it runs: which files it serves, how it is started, what it is told. */
import type { JsonObject } from "@kedge/protocol";

export type ServerDefinition = {
  readonly name: string;
  /** File extensions with their dot, each with the language id that the server knows it by. */
  readonly languages: { readonly [extension: string]: string };
  /** Programs with their arguments; the first that is installed is used. */
  readonly commands: readonly (readonly string[])[];
  /** Files that mark the root of what the server works on. The nearest directory with one counts. */
  readonly markers: readonly string[];
  /** Without a marker the server is not started: its answers would be guesses. */
  readonly needsMarker?: true;
  /** It runs what a project says, such as build scripts or an interpreter: only where a person trusted the project. */
  readonly runsProjectCode?: true;
  /** What other files say does not matter to it, so it is not told when they change. */
  readonly looksAtOneFile?: true;
  /** Answers to what the server asks about its configuration, nested by section. */
  readonly settings?: JsonObject;
  readonly initialization?: JsonObject;
  readonly environment?: { readonly [name: string]: string };
  /** Who described it: `kedge`, a settings file, `.lsp.json` or a plugin. */
  readonly origin: string;
  /** From a file of the project: nothing of it runs unless a person trusted the project. */
  readonly isOfProject?: true;
  /** Where the server starts looking, in place of what the markers say. */
  readonly workspaceFolder?: string;
  readonly startMsMax?: number;
  readonly stopMsMax?: number;
  readonly restartsMax?: number;
  /** False for one whose diagnostics are not wanted after edits. */
  readonly diagnoses?: boolean;
};

/** The extension in lower case with its dot; the whole name for files such as `Dockerfile`. */
export function extensionOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const dot = name.lastIndexOf(".");
  return (dot > 0 ? name.slice(dot) : name).toLowerCase();
}
