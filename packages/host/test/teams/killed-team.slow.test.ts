/** A small round of what `killed-team.long.test.ts` does with five panes and four workers in process. */
import { test } from "vitest";
import { killTeam } from "./killed-team.ts";

test("workers and leader killed by -9: no task lost or done twice, no orphan, one end each, a forged approval refused", async () => {
  await killTeam({ panes: 2, inner: 2, tasks: 8, quick: 2 });
});
