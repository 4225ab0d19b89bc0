/** Brings the list of models up to date while a person works. */
import type { ConnectedKedge } from "./start-kedge.ts";

/**
 * Awaited only when the conversation is over. The list that is there serves as well, so a failure is not told; what is
 * no failure but a defect is returned, because a rejection that nobody awaits yet would end the conversation.
 */
export async function refreshCatalogue({ modelCatalogue }: ConnectedKedge, signal: AbortSignal): Promise<unknown> {
  try {
    await modelCatalogue.refresh({ signal });
    return undefined;
  } catch (error) {
    const isFromDisk = error instanceof Error && "code" in error;
    return isFromDisk ? undefined : error;
  }
}
