/** Agents of others, as processes that speak ACP: driven by a session, confined, and under its rules. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

const program = join(import.meta.dirname, "small-agent.mjs");
const entry = join(import.meta.dirname, "../../../../dist/kedge.js");

/** The session starts the agent with the task and repeats its report. */
function leader(name: string, task: string) {
  return ({ body }: MockRequest): MockTurn => {
    const last = body.messages?.at(-1);
    if (last?.role === "tool") return { text: `Report: ${last.content}` };
    return {
      toolCalls: [{ name: "agent", input: { description: "Ask another agent", prompt: task, subagent_type: name } }],
    };
  };
}

async function ask(
  task: string,
  more: { readonly writable?: readonly string[]; readonly argv?: readonly string[] } = {},
) {
  const { writable = [], argv = [] } = more;
  const small = { command: [process.execPath, program], description: "A small agent.", writable };
  bench = await openWorkbench(leader("small", task), { acpAgents: { small } });
  writeFileSync(join(bench.project, "notes.txt"), "some notes\n");
  writeFileSync(join(bench.directory, "outside.txt"), "outside\n");
  return bench.run(["-p", "go", ...argv]);
}

test("an agent reads and says, and its report comes back", async () => {
  const { stdout, stderr } = await ask("read notes.txt\nsay and done");
  expect(stdout, stderr).toContain("(some notes)");
  expect(stdout).toContain("and done");
});

test("what it wants to write or run is asked about, and denied where nobody answers", async () => {
  const { stdout } = await ask("write made.txt hello\nrun echo hi > ran.txt\nsay end");
  expect(stdout).not.toContain("(written)");
  expect(stdout).toContain("(refused)");
  expect(existsSync(join(bench.project, "made.txt"))).toBe(false);
  expect(existsSync(join(bench.project, "ran.txt"))).toBe(false);
});

test("what rules allow is done, recorded and undone", async () => {
  const allow = ["--allow", "edit", "--allow", "Bash(echo hi)"];
  const { stdout, stderr } = await ask("write made.txt hello\nrun echo hi", { argv: allow });
  expect(stdout, stderr).toContain("(ran: hi)");
  expect(readFileSync(join(bench.project, "made.txt"), "utf8")).toBe("hello");
  expect((await bench.run(["undo"])).code).toBe(0);
  expect(existsSync(join(bench.project, "made.txt"))).toBe(false);
});

test("it reads and writes nothing outside of the project, by asking or by itself", async () => {
  const task = [
    `read ${"OUTSIDE"}`,
    `write ${"OUTSIDE"} changed`,
    `sneak ${"OUTSIDE"}`,
    "sneak inside.txt",
    "say end",
  ].join("\n");
  const small = { command: [process.execPath, program], description: "A small agent." };
  let outside = "";
  bench = await openWorkbench((request) => leader("small", task.replaceAll("OUTSIDE", outside))(request), {
    acpAgents: { small },
  });
  outside = join(bench.directory, "outside.txt");
  writeFileSync(outside, "outside\n");
  const { stdout } = await bench.run(["-p", "go", "--allow", "edit"]);
  const shown = await bench.run(["session", "show", /ses_\w+/.exec(stdout)?.[0] ?? ""]);
  expect(shown.stdout).toContain("* acp_read");
  expect(shown.stdout).not.toContain("(outside)");
  // What it wrote by itself went to a directory of its own, which is gone with it.
  expect(readFileSync(outside, "utf8")).toBe("outside\n");
  expect(existsSync(join(bench.project, "inside.txt"))).toBe(false);
});

test("directories that the user named are its own to write", async () => {
  const { stdout } = await ask("sneak inside.txt", { writable: ["."] });
  expect(stdout).toContain("(sneaked)");
  expect(readFileSync(join(bench.project, "inside.txt"), "utf8")).toBe("sneaked");
});

test("an agent that crashes or cannot start is one sentence in the result", async () => {
  expect((await ask("crash")).stdout).toContain("The ACP agent small failed: it exited with code 7.");
  await bench.close();
  bench = await openWorkbench(leader("none", "x"), { acpAgents: { none: { command: ["/no/such/program"] } } });
  const { stdout } = await bench.run(["-p", "go"]);
  expect(stdout).toContain("The ACP agent none failed:");
});

test("kedge itself is such an agent", async () => {
  const other = await openWorkbench(() => ({ text: "Hello from the other kedge." }));
  try {
    const writable = [other.home, join(other.directory, ".kedge")];
    const kedge = {
      command: [process.execPath, entry, "acp"],
      env: { HOME: other.directory, KEDGE_HOME: other.home },
      writable: [...writable, other.directory],
    };
    bench = await openWorkbench(leader("kedge", "Say hello."), { acpAgents: { kedge } });
    const { stdout, stderr } = await bench.run(["-p", "go"]);
    expect(stdout, stderr).toContain("Hello from the other kedge.");
  } finally {
    await other.close();
  }
});
