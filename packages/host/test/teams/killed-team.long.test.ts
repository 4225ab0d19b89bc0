/** Five panes of tmux and four workers in process on one list of tasks, killed by -9 one after the other. */
import { test } from "vitest";
import { killTeam } from "./killed-team.ts";

test("five panes and four in process: no task lost or done twice, no orphan, one end each, a forged approval refused", async () => {
  await killTeam({ panes: 5, inner: 4, tasks: 24, quick: 8 });
});
