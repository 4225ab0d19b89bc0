/** The user's own lines in the shell. */
import { userShellText } from "@kedge/protocol";
import type { DeskSending } from "./desk-sending.ts";

export type UserShellParts = DeskSending & { readonly onFilesChanged?: () => void };

export interface UserShell {
  /** The model reads it with the next prompt, unless it is kept from it. */
  runShell(command: string, options: { readonly isPrivate: boolean }): Promise<void>;
  isShellRunning(): boolean;
  abortShell(): Promise<void>;
}

export function createUserShell({ send, sessionId, notice, onFilesChanged }: UserShellParts): UserShell {
  let shellSession: string | undefined;
  return {
    async runShell(command, { isPrivate }) {
      // Where it was said, wherever the user is when it ends.
      const where = sessionId();
      shellSession = where;
      const ran = await send<"shell.run">({ type: "shell.run", sessionId: where, command });
      shellSession = undefined;
      if (!ran.ok) return;
      onFilesChanged?.();
      const text = userShellText(command, ran.value);
      if (isPrivate) notice(ran.value.exitCode === 0 ? "info" : "warning", text);
      else await send<"message.add">({ type: "message.add", sessionId: where, text });
    },
    isShellRunning: () => shellSession !== undefined,
    async abortShell() {
      if (shellSession !== undefined) await send<"shell.abort">({ type: "shell.abort", sessionId: shellSession });
    },
  };
}
