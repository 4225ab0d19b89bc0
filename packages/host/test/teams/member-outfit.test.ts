/** What every member of a team has, whatever its definition says: tools, texts in their order, and planning where it is wanted. */
import type { SessionProfile } from "@kedge/protocol";
import { expect, test } from "vitest";
import { memberProfile } from "../../src/teams/member-outfit.ts";

const outfit = { name: "ann", team: "tea", questionMs: 1_000, plansFirst: false };
const teamTools = [
  ...["send_message", "team_create", "team_delete"],
  ...["task_create", "task_get", "task_list", "task_update"],
];

/** Only what an outfit looks at. */
function profileWith(given: Partial<SessionProfile>): SessionProfile {
  return { prompt: {}, toolSources: [], rules: [], ...given } as unknown as SessionProfile;
}

test("a list of tools is widened by those of teams, each once, and none of them is excluded", () => {
  const { toolNames, excludedTools } = memberProfile(
    profileWith({ toolNames: ["read", "task_list"], excludedTools: ["send_message", "plan_exit", "bash"] }),
    outfit,
  );
  expect(toolNames?.toSorted()).toEqual(["read", ...teamTools].toSorted());
  expect(excludedTools).toEqual(["plan_exit", "bash"]);
  expect(memberProfile(profileWith({}), outfit)).not.toHaveProperty("toolNames");
});

test("the base text comes first, then that of a teammate, and the definition last", () => {
  const agent = { name: "general", text: "You are careful." };
  const { prompt } = memberProfile(profileWith({ prompt: { agent } as SessionProfile["prompt"] }), outfit);
  expect(prompt).not.toHaveProperty("override");
  expect(prompt.append).toContain("You are ann, a teammate in the team tea.");
  for (const said of ["send_message", "in_progress", "Never wait by polling", "blocker", "shut down"])
    expect(prompt.append).toContain(said);
  expect(prompt.agent).toEqual(agent);
});

test("one that plans first is in plan mode, has the way out of it, and is told so", () => {
  const { mode, toolNames, excludedTools, prompt } = memberProfile(
    profileWith({ toolNames: ["read"], excludedTools: ["plan_enter", "plan_exit"], mode: "bypass" }),
    { ...outfit, plansFirst: true },
  );
  expect(mode).toBe("plan");
  expect(toolNames).toContain("plan_exit");
  expect(excludedTools).toEqual(["plan_enter"]);
  expect(prompt.append).toContain(".kedge/plans/ann.md");
});
