/** How `bash` runs a command that may only look: never without being confined, and honest about what that changed. */
import type { Look, ToolContext } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { createBashTool } from "./bash.ts";
import type { ConfineLook, LookEnd } from "./process/confined-start.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const look: Look = { hidden: { isHidden: () => false, isClosedByRule: () => false, places: [] }, shown: [] };

type Outcome = { readonly blocked?: string; readonly note?: string };

function openBash(outcomeOf: (end: LookEnd) => Outcome = () => ({})) {
  const ends: LookEnd[] = [];
  let released = 0;
  const confineLook: ConfineLook = async ({ file, args, environment }) => ({
    file,
    args,
    environment: { ...environment, WHERE: "confined" },
    descriptors: [],
    release: async () => {
      released += 1;
    },
    outcomeOf: (end) => {
      ends.push(end);
      return outcomeOf(end);
    },
  });
  const plain = { shellPath: "/bin/bash", childEnvironment: () => ({ PATH: process.env["PATH"] ?? "" }), now: () => 0 };
  return {
    tool: createBashTool({ ...plain, confineLook }),
    bare: createBashTool(plain),
    ends,
    released: () => released,
  };
}

function looking(): ToolContext {
  return { ...workshop.newContext(), look };
}

const input = (command: string, rest = {}) => ({ command, description: "test", ...rest });

test("a look starts confined, and git keeps its hands off the index", async () => {
  const { tool, released } = openBash();
  const { output } = await tool.run(input("echo $WHERE $GIT_OPTIONAL_LOCKS"), looking());
  expect(output).toBe("confined 0\n");
  expect(released()).toBe(1);
  expect((await tool.run(input("echo .$WHERE"), workshop.newContext())).output).toBe(".\n");
});

test("what it printed is told apart, and what follows from it is handed on", async () => {
  const { tool, ends } = openBash(({ complaint }) =>
    complaint.includes("held") ? { blocked: "it tried to write" } : { note: "(not as outside)" },
  );
  expect(await tool.run(input("echo one; echo held >&2; exit 3"), looking())).toMatchObject({
    output: "one\nheld\nCommand exited with code 3",
    blocked: "it tried to write",
  });
  const { output, blocked } = await tool.run(input("cat missing 2>&1"), looking());
  expect([output, blocked]).toEqual([
    "cat: missing: No such file or directory\n(not as outside)\nCommand exited with code 1",
    undefined,
  ]);
  expect(ends).toMatchObject([
    { exitCode: 3, hasOutput: true, complaint: "held\n" },
    { exitCode: 1, hasOutput: false, complaint: "cat: missing: No such file or directory\n" },
  ]);
});

test("where nothing confines it does not start, in front or in the background", async () => {
  const { bare } = openBash();
  for (const background of [false, true]) {
    const ended = await bare.run(input("echo x > made", { background }), looking());
    expect(ended).toMatchObject({
      isError: true,
      blocked: "Commands that only look cannot be confined here.",
    });
  }
  expect(() => workshop.text("made")).toThrow("ENOENT");
});

test("a job that only looks is confined too", async () => {
  const { tool } = openBash();
  const started = await tool.run(input("echo $WHERE", { background: true }), looking());
  expect(started.output).toContain("Started as job_1");
  await workshop.jobs.waitForEnd(["job_1"], new AbortController().signal);
  expect(workshop.jobs.takeOutput("job_1")).toContain("confined");
  await workshop.jobs.close();
});
