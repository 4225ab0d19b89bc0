/** Proves that `--resume` without a name takes up the session that is picked as the rest of the command line says. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { openStage, promptIs, send, startTimeoutMs, userTexts, waitMs } from "./stage.ts";

const open = openStage();

test("--resume with the picker takes --fork-session, --model and --permission-mode", {
  timeout: startTimeoutMs,
}, async () => {
  const scene = await open({ script: [{ text: "Of tea." }, { text: "In the copy." }] });
  await send(scene.terminal, "What was it about?");
  await scene.terminal.shows("Of tea.", waitMs);
  await scene.terminal.settled(500, waitMs);
  const wishes = ["--fork-session", "--model", "mock/other-model", "--permission-mode", "plan"];
  const branch = execFileSync("git", ["symbolic-ref", "--short", "HEAD"], { cwd: scene.project, encoding: "utf8" });
  const again = await scene.restart(["--resume", ...wishes]);
  await again.shows(/╭─ Sessions[\s\S]*What was it about\?/, waitMs);
  await again.shows(new RegExp(` messages [·|] \\S+ ${branch.trim()} [·|] mock/mock-model`), waitMs);
  again.press("enter");
  await again.shows("You are in a fork. The original session is unchanged.", waitMs);
  await again.shows(/mock\/other-model [·|] plan/, waitMs);
  await promptIs(again, "");
  await send(again, "And now?");
  await again.shows("In the copy.", waitMs);
  const request = await scene.model.waitForRequest(2);
  expect([request.body.model, userTexts(request).filter((text) => !text.startsWith("<"))]).toEqual([
    "other-model",
    ["What was it about?", "And now?"],
  ]);
  await send(again, "/rename The copy");
  await again.shows("Session renamed to The copy.", waitMs);
  // The one that was copied is as it was.
  const first = await scene.restart(["--resume", "What was"]);
  await first.shows(/Of tea\.[\s\S]*mock\/mock-model [·|] default/, waitMs);
  expect(first.screen().join("\n")).not.toContain("In the copy.");
});
