/** Opens the inbox of memory: what waits, and the user's answers to it. */
import { createMemoryInboxDialog } from "../../dialogs/list/memory-inbox-dialog.ts";
import { ask } from "./asked.ts";
import type { DialogParts } from "./dialog-parts.ts";

export function openMemoryInbox({ client, dialogs, look, state, desk, redraw }: DialogParts): void {
  const inbox = ask(() => client.ask<"memory.inbox">({ type: "memory.inbox" }), redraw);
  dialogs.open(
    createMemoryInboxDialog({
      topics: () => inbox.value()?.topics,
      problem: inbox.problem,
      theme: look.theme,
      onAnswer(answer, { slug }) {
        const sessionId = state().session?.id ?? "";
        const line = { name: "memory", arguments: `inbox ${answer} ${slug}` };
        void desk()
          .send<"command.run">({ type: "command.run", sessionId, ...line })
          .then(() => inbox.again());
      },
    }),
  );
}
