/** Who wrote an instruction file: what agents changed is data until the user says yes, and doubt is a no. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadAllInstructions } from "@kedge/memory/instructions";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openHome } from "../machine/home.ts";
import { findProject } from "../machine/project.ts";
import { answerTrust, judgeWorkspace } from "../trust/workspace-trust.ts";
import { acceptInstruction } from "./accept-instruction.ts";
import { recordPath } from "./instruction-record.ts";
import { openInstructions } from "./open-instructions.ts";

let user = "";
beforeEach(() => {
  user = realpathSync(mkdtempSync(join(tmpdir(), "kedge-record-")));
  mkdirSync(join(user, "p/.git"), { recursive: true });
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFileSync(join(user, "p", name), text);

function open(notices: string[] = [], name = "p") {
  const opened = openHome(join(user, ".kedge"));
  if (!opened.ok) throw new Error(opened.failure.message);
  const { home } = opened;
  const project = findProject(join(user, name));
  const settings = { compat: true, shadowing: "none", walkPastRepo: false, urls: [] } as const;
  const trust = { home, root: project.root, userDirectory: user, now: () => 0 };
  const instructions = openInstructions({
    ...{ home, project, userDirectory: user, settings, disabledSources: [], now: () => 0 },
    ...{ redact: (text) => text, onNotice: (sentence) => notices.push(sentence) },
  });
  const statuses = () =>
    loadAllInstructions(instructions.parts()).map(({ path, status }) => `${path.slice(user.length + 3)} ${status}`);
  return { home: home.directory, project, trust, instructions, statuses };
}

const inProject = (name: string) => join(user, "p", name);

test("a change without an answer is data, also through a link, until it is accepted or the user changes it", () => {
  put("AGENTS.md", "mine");
  const { trust, instructions, statuses, home } = open();
  answerTrust(trust, "trusted");
  expect(statuses()).toEqual(["AGENTS.md loaded"]);
  instructions.steeringChanged({ path: inProject("AGENTS.md"), isAccepted: false, isCertain: true });
  expect(statuses()).toEqual(["AGENTS.md loaded"]);
  put("AGENTS.md", "theirs");
  instructions.steeringChanged({ path: inProject("AGENTS.md"), isAccepted: false, isCertain: false });
  expect(statuses()).toEqual(["AGENTS.md data"]);
  symlinkSync("AGENTS.md", inProject("KEDGE.md"));
  expect(statuses()).toEqual(["AGENTS.md not-loaded", "KEDGE.md data"]);
  rmSync(inProject("KEDGE.md"));
  expect(acceptInstruction(inProject("CLAUDE.md"), home)).toMatchObject({ ok: false });
  expect(acceptInstruction(inProject("AGENTS.md"), home)).toEqual({ ok: true, text: "theirs" });
  expect(statuses()).toEqual(["AGENTS.md loaded"]);
  expect(statSync(recordPath(home)).mode & 0o777).toBe(0o600);
});

test("a change that the user accepted keeps the trust in the project", () => {
  put("AGENTS.md", "@more.md");
  put("more.md", "mine");
  const { trust, instructions, statuses } = open();
  answerTrust(trust, "trusted");
  statuses();
  put("more.md", "ours");
  expect(judgeWorkspace(trust).state).toBe("unknown");
  instructions.steeringChanged({ path: inProject("more.md"), isAccepted: true, isCertain: true });
  expect(judgeWorkspace(trust).state).toBe("trusted");
  expect(open().statuses()).toEqual(["more.md loaded", "AGENTS.md loaded"]);
});

test("a command that only speaks of a file that was never loaded changes nothing", () => {
  put("GEMINI.md", "x");
  const { instructions, statuses, trust } = open();
  answerTrust(trust, "trusted");
  instructions.steeringChanged({ path: inProject("GEMINI.md"), isAccepted: false, isCertain: false });
  expect(statuses()).toEqual(["GEMINI.md loaded"]);
});

test("what an agent wrote into a file of the user is data in every project", () => {
  mkdirSync(join(user, ".claude"));
  const path = join(user, ".claude/CLAUDE.md");
  writeFileSync(path, "theirs");
  open().instructions.steeringChanged({ path, isAccepted: false, isCertain: true });
  mkdirSync(join(user, "q/.git"), { recursive: true });
  expect(open([], "q").statuses()).toEqual(["laude/CLAUDE.md data"]);
});

test("a record that cannot be read makes every file data, and is told", () => {
  put("AGENTS.md", "x");
  const notices: string[] = [];
  const { statuses, trust, home } = open(notices);
  answerTrust(trust, "trusted");
  writeFileSync(recordPath(home), '{"format":1,"projects":[]}');
  expect(statuses()).toEqual(["AGENTS.md data"]);
  expect(notices).toEqual([expect.stringContaining("a part of it is missing")]);
});

test("a file that the project's instructions include is part of what is trusted", () => {
  put("AGENTS.md", "@more.md");
  put("more.md", "x");
  const { trust } = open();
  answerTrust(trust, "trusted");
  expect(judgeWorkspace(trust).state).toBe("trusted");
  put("more.md", "y");
  expect(judgeWorkspace(trust)).toMatchObject({ state: "unknown", changes: [{ name: "more.md", change: "changed" }] });
});
