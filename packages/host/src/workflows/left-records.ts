/** Records of workflow runs whose session was deleted: nothing of them can be shown or resumed any more. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "@kedge/protocol";
import { openWorkflowRecords } from "./workflow-records.ts";

/** Gives back the runs whose record was removed. A run that just began may not have its session yet. */
export async function removeLeftWorkflowRuns(
  store: Pick<Store, "session">,
  directory: string,
  { startedBefore }: { readonly startedBefore: number },
): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const { runId, sessionId, startedAt } of openWorkflowRecords(directory).list()) {
    if (startedAt > startedBefore || (await store.session(sessionId)) !== undefined) continue;
    rmSync(join(directory, `${runId}.json`), { force: true });
    removed.push(runId);
  }
  return removed;
}
