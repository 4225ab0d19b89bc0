/** Lines that the user runs in the shell of a place of work: one at a time in each session. */
import { type CommandAnswer, type CommandOf, refused } from "@kedge/protocol";
import type { HostDeskParts } from "./host-desk.ts";

export interface ShellLines {
  run(command: CommandOf<"shell.run">): Promise<CommandAnswer<"shell.run">>;
  abort(sessionId: string): CommandAnswer<"shell.abort">;
  close(): void;
}

export function createShellLines(runShellLine: HostDeskParts["runShellLine"]): ShellLines {
  const running = new Map<string, AbortController>();
  return {
    async run({ sessionId, command }) {
      if (running.has(sessionId))
        return refused("A shell command is already running in this session.", "Stop it first.");
      const stop = new AbortController();
      running.set(sessionId, stop);
      try {
        const line = { sessionId, signal: stop.signal, onProgress: () => undefined };
        const { end, text: output } = await runShellLine(command, line);
        if (end.kind === "not-started") return refused(`Could not run the command: ${end.problem}`);
        const { exitCode, signal } = end;
        return {
          ok: true,
          value: { output, ...(exitCode !== null && { exitCode }), ...(signal !== null && { signal }) },
        };
      } finally {
        running.delete(sessionId);
      }
    },
    abort(sessionId) {
      running.get(sessionId)?.abort();
      return { ok: true, value: {} };
    },
    close() {
      for (const stop of running.values()) stop.abort();
    },
  };
}
