/** Asks the engine again whenever something happened, one question at a time. */
import { FailureError } from "@kedge/protocol";

/** What happens while a question is on its way is asked for once more. */
export function askOneAtATime(ask: () => Promise<void>): () => void {
  let isAsking = false;
  let isStale = false;

  async function run(): Promise<void> {
    while (isStale) {
      isStale = false;
      await ask();
    }
  }

  return () => {
    isStale = true;
    if (isAsking) return;
    isAsking = true;
    void run()
      .catch(leaveForLater)
      .finally(() => {
        isAsking = false;
      });
  };
}

/** Whoever follows the session tells that the engine is gone. */
export function leaveForLater(error: unknown): void {
  if (!(error instanceof FailureError)) throw error;
}
