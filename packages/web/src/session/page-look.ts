/** How the page draws parts: where links to files and sessions lead, and what a running call wrote so far. */
import type { MessageView } from "@kedge/protocol";
import { useMemo } from "preact/hooks";
import { sessionAddress, viewAddress } from "../app/router.ts";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import type { Look } from "../parts/look.ts";
import { createPageLook } from "../parts/part.tsx";
import { views } from "../views/index.ts";

export function usePageLook(message: MessageView): Look {
  const page = usePage();
  const directory = useSelected(page.state, (state) => state.directory);
  const isRunning = message.parts.some((part) => part.type === "tool" && part.state.status === "running");
  // Only a message with a running call looks otherwise when output comes in.
  const tails = useSelected(page.store, (state) => (isRunning ? state.tails : undefined));
  return useMemo(() => {
    const hasFiles = views.some(({ path }) => path === "files");
    return createPageLook({
      directory,
      sessionHref: (sessionId) => sessionAddress(sessionId),
      ...(tails !== undefined && { tailOf: (callId: string) => tails.get(callId)?.lines }),
      ...(hasFiles && { fileHref: (path: string, line?: number) => fileAddress(path, directory, line) }),
    });
  }, [directory, tails]);
}

function fileAddress(path: string, directory: string, line: number | undefined): string {
  const inside = path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path;
  return `${viewAddress("files", inside)}${line === undefined ? "" : `#L${line}`}`;
}
