/** A line that the user typed for the shell, and what becomes of it. */
import type { Artifacts, Redactor } from "@kedge/protocol";
import { runUserShell, type UserShellEnd } from "@kedge/tools";

export type ShellLine = {
  readonly sessionId: string;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
};

/** Runs it as it is, unasked, and unseen by the model. */
export type RunShellLine = (command: string, line: ShellLine) => Promise<UserShellEnd>;

export type ShellLineParts = {
  readonly cwd: string;
  readonly shellPath: string;
  readonly commandEnvironment: () => { readonly [name: string]: string };
  readonly monotonicMs: () => number;
  readonly newArtifacts: (sessionId: string) => Artifacts;
  readonly redactor: Redactor;
};

export function createShellLineRunner(parts: ShellLineParts): RunShellLine {
  const { cwd, shellPath, commandEnvironment, monotonicMs, newArtifacts, redactor } = parts;
  let lines = 0;
  return (command, { sessionId, signal, onProgress }) => {
    lines += 1;
    return runUserShell({
      ...{ command, cwd, shellPath, signal, onProgress },
      environment: commandEnvironment(),
      lineId: `line-${lines}`,
      now: monotonicMs,
      artifacts: newArtifacts(sessionId),
      redactor,
    });
  };
}
