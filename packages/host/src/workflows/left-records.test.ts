/** Which records of workflow runs go when their session is gone. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeLeftWorkflowRuns } from "./left-records.ts";
import { openWorkflowRecords } from "./workflow-records.ts";

test("a run goes with its session, except one that just began", async () => {
  const directory = mkdtempSync(join(tmpdir(), "kedge-runs-"));
  try {
    const records = openWorkflowRecords(directory);
    const run = { name: "tea", file: "tea.js", digest: "d", args: null, status: "completed" } as const;
    records.write({ ...run, runId: "wfr_kept", sessionId: "ses_there", startedAt: 1 });
    records.write({ ...run, runId: "wfr_left", sessionId: "ses_gone", startedAt: 1 });
    records.write({ ...run, runId: "wfr_new", sessionId: "ses_none", startedAt: 9 });
    const store = { session: async (id: string) => (id === "ses_there" ? ({} as never) : undefined) };
    expect(await removeLeftWorkflowRuns(store, directory, { startedBefore: 5 })).toEqual(["wfr_left"]);
    expect(records.list().map(({ runId }) => runId)).toEqual(["wfr_new", "wfr_kept"]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
