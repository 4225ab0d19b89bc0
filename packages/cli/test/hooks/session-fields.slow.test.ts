/** Proves what hooks are told of a session beside its calls: its name, effort, copies and work in the background. */
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { command, type HookSite, openHookSite, scripts } from "./hook-site.ts";

let site: HookSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const done: MockTurn = { text: "Done." };
const log = { hooks: [command("log.sh")] };
const naming = (event: string, sessionTitle: string) =>
  scripts.bash(`echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: event, sessionTitle } })}'`);

async function titles(): Promise<readonly unknown[]> {
  const { stdout } = (await site?.run(["session", "list", "--json"])) ?? { stdout: "[]" };
  const listed = JSON.parse(stdout) as readonly { readonly title: string }[];
  return listed.map(({ title }) => title);
}

test("hooks name and rename a session, and a name that the user gave stays", async () => {
  site = await openHookSite(() => done);
  site.write(".claude/settings.json", {
    hooks: {
      SessionStart: [{ hooks: [command("start.sh")] }],
      UserPromptSubmit: [{ hooks: [command("prompt.sh")] }],
    },
  });
  site.write("start.sh", naming("SessionStart", "Named at the start"));
  site.write("prompt.sh", scripts.bash(""));
  const first = await site.run(["-p", "hi", "--trust"]);
  expect([first.code, first.stderr.includes("does not use"), await titles()]).toEqual([
    0,
    false,
    ["Named at the start"],
  ]);
  site.write("start.sh", scripts.bash(""));
  site.write("prompt.sh", naming("UserPromptSubmit", "Named \u001b[31mby\n a prompt"));
  await site.run(["--console", "--trust"], { input: "one\n/rename Mine\ntwo\n/exit\n" });
  expect((await titles()).toSorted()).toEqual(["Mine", "Named at the start"]);
  await site.run(["-p", "again", "--trust"]);
  expect(await titles()).toContain("Named by a prompt");
  const starts = site.log().filter(({ hook_event_name: name }) => name === "SessionStart");
  expect(starts.map(({ session_title: title }) => title)).toEqual([undefined, undefined, undefined]);
});

test("a copy starts as a fork with its name, and hooks hear the effort", async () => {
  site = await openHookSite(() => done);
  site.write(".claude/settings.json", { hooks: { SessionStart: [log], UserPromptSubmit: [log], Stop: [log] } });
  site.write("log.sh", scripts.bash(""));
  await site.run(["-p", "hi", "--trust"]);
  await site.run(["-p", "on", "--continue", "--trust"]);
  await site.run(["-p", "beside", "--continue", "--fork-session", "--effort", "high", "--trust"]);
  const events = site.log().map(({ hook_event_name: name, source, session_title: title, effort }) => ({
    ...{ name, source, title, effort },
  }));
  expect(events.filter(({ name }) => name === "SessionStart")).toEqual([
    { name: "SessionStart", source: "startup" },
    { name: "SessionStart", source: "resume", title: "hi" },
    { name: "SessionStart", source: "fork", title: "hi (fork)" },
  ]);
  expect(events.filter(({ name }) => name !== "SessionStart").map(({ effort }) => effort)).toEqual([
    ...[undefined, undefined, undefined, undefined],
    ...[{ level: "high" }, { level: "high" }],
  ]);
});

test("at the end of a run, hooks hear of the commands that go on in the background", async () => {
  const following = { command: "tail -f /dev/null", description: "x", background: true };
  site = await openHookSite([{ toolCalls: [{ name: "bash", input: following }] }, done]);
  site.write(".claude/settings.json", { hooks: { Stop: [log] } });
  site.write("log.sh", scripts.bash(""));
  const ran = await site.run(["-p", "go", "--trust", "--allowed-tools", "bash(tail *)"]);
  const task = {
    id: expect.any(String),
    type: "shell",
    status: "running",
    description: "",
    command: "tail -f /dev/null",
  };
  expect(site.log(), ran.stderr).toMatchObject([{ background_tasks: [task], session_crons: [] }]);
});
