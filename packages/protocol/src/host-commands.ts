/** Commands that the host answers: about the place of work, its settings and its terminals, not about a conversation. */
import type { Json } from "./json.ts";
import type { PermissionRule } from "./permission.ts";
import type { LogLevel, TerminalSummary } from "./queries.ts";

export type HostCommand =
  /** Runs a command of the prompt line, such as `help`, by its name without the slash. */
  | {
      readonly type: "command.run";
      readonly sessionId: string;
      readonly name: string;
      readonly arguments?: string;
    }
  /** Runs a line of the user's own in the shell: as it is, unasked, and unseen by the model. */
  | { readonly type: "shell.run"; readonly sessionId: string; readonly command: string }
  | { readonly type: "shell.abort"; readonly sessionId: string }
  /** What is stored can be used, and never be read again. */
  | { readonly type: "credential.set"; readonly providerId: string; readonly key: string }
  | { readonly type: "credential.remove"; readonly providerId: string }
  /** Asks the vendor once whether it knows this key, or without one the key that is used now. Nothing is stored. */
  | { readonly type: "credential.check"; readonly providerId: string; readonly key?: string }
  /** Ends the wait of the session before it asks its vendor again. */
  | { readonly type: "retry.hasten"; readonly sessionId: string }
  /** Writes one setting, named by its path (`titles.enabled`); `null` takes it out of the file. */
  | {
      readonly type: "config.set";
      readonly layer: "user" | "local";
      readonly key: string;
      readonly value: Json;
    }
  /** Reads the files again, also what otherwise stays as it was at the start. */
  | { readonly type: "config.reload" }
  /** A rule for one session until this kedge ends, or for the user in this project. */
  | {
      readonly type: "rule.add";
      readonly rule: PermissionRule;
      readonly sessionId?: string;
    }
  | { readonly type: "rule.remove"; readonly ruleId: string }
  | {
      readonly type: "pty.open";
      /** Inside the project; its root without this. */
      readonly directory?: string;
      /** The user's shell without this. */
      readonly command?: string;
      readonly columns?: number;
      readonly rows?: number;
    }
  | { readonly type: "pty.close"; readonly ptyId: string }
  | { readonly type: "task.stop"; readonly sessionId: string; readonly taskId: string }
  | { readonly type: "log.write"; readonly level: LogLevel; readonly text: string }
  /** Ends what runs in the place of work and gives its sessions free. */
  | { readonly type: "instance.dispose" }
  /** A word for one connection, for a browser that cannot send a header with it. */
  | { readonly type: "ticket.issue" }
  /** A word that a browser trades once for a cookie with the right to approve. */
  | { readonly type: "code.issue" };

export type HostCommandType = HostCommand["type"];

export type HostAnswers = {
  "command.run": { readonly runId: string };
  "shell.run": {
    /** Absent when it was ended by a signal. */
    readonly exitCode?: number;
    readonly signal?: string;
    /** The end of what it wrote. */
    readonly output: string;
  };
  "shell.abort": Record<never, never>;
  "credential.set": Record<never, never>;
  "credential.remove": Record<never, never>;
  "credential.check": {
    readonly isGood: boolean;
    readonly sentence: string;
    /** The vendor could not be asked, so that the key may be right all the same. */
    readonly isUnchecked?: true;
  };
  "retry.hasten": Record<never, never>;
  "config.set": { readonly file: string };
  "config.reload": { readonly changed: readonly string[]; readonly warnings: readonly string[] };
  "rule.add": { readonly ruleId: string };
  "rule.remove": Record<never, never>;
  "pty.open": TerminalSummary;
  "pty.close": Record<never, never>;
  "task.stop": Record<never, never>;
  "log.write": Record<never, never>;
  "instance.dispose": Record<never, never>;
  "ticket.issue": { readonly ticket: string; readonly expiresAt: number };
  "code.issue": {
    readonly code: string;
    readonly expiresAt: number;
    /** To be opened in the browser: the server's own address, with the code where no server and no log sees it. */
    readonly url: string;
  };
};

const hostCommandTypes: { readonly [Type in HostCommandType]: true } = {
  "command.run": true,
  "shell.run": true,
  "shell.abort": true,
  "credential.set": true,
  "credential.remove": true,
  "credential.check": true,
  "retry.hasten": true,
  "config.set": true,
  "config.reload": true,
  "rule.add": true,
  "rule.remove": true,
  "pty.open": true,
  "pty.close": true,
  "task.stop": true,
  "log.write": true,
  "instance.dispose": true,
  "ticket.issue": true,
  "code.issue": true,
};

/** Everything else is for the engine. */
export function isHostCommand(command: { readonly type: string }): command is HostCommand {
  return Object.hasOwn(hostCommandTypes, command.type);
}
