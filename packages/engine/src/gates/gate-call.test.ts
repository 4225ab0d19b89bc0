/** What the gates raise, what they show, and that ordinary calls pass without a look at the machine. */
import type { AnalyseShell, FileUse, ShellAnalysis } from "@kedge/protocol";
import { expect, test } from "vitest";
import { analysis, command, createGateWorld, editCall, shellCall } from "../../test/gate-cases.ts";
import { gateCall } from "./gate-call.ts";

const open = { evidence: [], isIrreversible: false };
const notice = "this text will instruct later sessions";

function reads(answer: ShellAnalysis): AnalyseShell {
  return () => answer;
}

function writeTo(path: string): FileUse {
  return { path, text: path, access: "write", by: "redirection", isProtected: false, place: "inside" };
}

test.each([
  ["a read", { ...editCall("/w/AGENTS.md", "read"), needs: [], readOnly: true }],
  ["an edit", editCall("/w/src/a.ts")],
  ["a command", shellCall("npm test")],
  ["a question about a command", shellCall("npm test", { isAsked: true })],
])("%s passes at once, without a look at the machine", (_, call) => {
  const { machine, parts } = createGateWorld();
  expect([gateCall(call, parts), machine.looks()]).toEqual([open, 0]);
});

test.each(["default", "accept-edits", "auto", "plan"] as const)(
  "an edit of a steering file asks in mode %s",
  (mode) => {
    const { parts } = createGateWorld({ mode });
    expect(gateCall(editCall("/w/AGENTS.md"), parts)).toEqual({
      raise: { reason: `/w/AGENTS.md: ${notice}` },
      ...open,
    });
  },
);

test("an edit of a steering file passes in bypass mode", () => {
  const { parts } = createGateWorld({ mode: "bypass" });
  expect(gateCall(editCall("/w/AGENTS.md"), parts)).toEqual(open);
});

test("a rule for the exact path stands for the person only where there is none", () => {
  const rules = [{ source: "user", rules: [{ permission: "edit", pattern: "AGENTS.md", action: "allow" }] }] as const;
  const raised = { raise: { reason: `/w/AGENTS.md: ${notice}` }, ...open };
  const gatedBy = (interactive: boolean) =>
    gateCall(editCall("/w/AGENTS.md"), createGateWorld({ rules, interactive }).parts);
  expect([gatedBy(true), gatedBy(false)]).toEqual([raised, open]);
});

test.each<[string, ShellAnalysis]>([
  ["echo x >> AGENTS.md", { ...analysis("echo x"), files: [writeTo("/w/AGENTS.md")] }],
  ["python3 -c \"open('AGENTS.md', 'a').write('x')\"", analysis("python3 -c open('AGENTS.md', 'a').write('x')")],
  ["tar -xf a.tgz ./AGENTS.md", analysis("tar -xf a.tgz ./AGENTS.md")],
  ["git checkout other -- AGENTS.md", analysis("git checkout other -- AGENTS.md")],
  ["python3 <<E\nopen('AGENTS.md','w')\nE", analysis("python3")],
  ["$X AGENTS.md", { ...analysis(), unknown: "a program from a variable" }],
])("%s changes a steering file", async (text, answer) => {
  const { parts } = createGateWorld({ analyseShell: reads(answer) });
  expect((await gateCall(shellCall(text), parts)).raise).toEqual({ reason: `/w/AGENTS.md: ${notice}` });
});

test.each<[string, ShellAnalysis]>([
  ["cat AGENTS.md", { ...analysis("cat AGENTS.md"), readOnly: true }],
  ["git add AGENTS.md", analysis("git add AGENTS.md")],
  ["git commit -m 'words on AGENTS.md'", analysis("git commit -m words on AGENTS.md")],
])("%s changes none", async (text, answer) => {
  const { parts } = createGateWorld({ analyseShell: reads(answer) });
  expect((await gateCall(shellCall(text), parts)).raise).toBeUndefined();
});

test("a cell of code that names a steering file asks", () => {
  const { parts } = createGateWorld();
  const need = {
    permission: "eval",
    patterns: ["open('.claude/rules/a.md','w')"],
    always: [],
    access: "execute",
  } as const;
  expect(gateCall({ ...editCall(""), needs: [need] }, parts)).toEqual({
    raise: { reason: `/w/.claude/rules/a.md: ${notice}` },
    ...open,
  });
});

test.each([
  ["calm", true, false],
  ["elevated", false, false],
  ["elevated", true, true],
  ["high", true, true],
] as const)("pressure %s with an edit of tests %s raises: %s", async (level, isTestEdit, expected) => {
  const { parts } = createGateWorld({ mode: "bypass", pressure: { level, isTestEdit } });
  expect((await gateCall(editCall("/w/a.test.ts"), parts)).raise !== undefined).toBe(expected);
});

test("an escalation raises and shows the earlier error", () => {
  const { parts } = createGateWorld({ escalation: { command: "git push", error: "rejected:\nnot a fast-forward" } });
  expect(gateCall(shellCall("npm run x --force"), parts)).toEqual({
    raise: { reason: "it repeats a failed command with a check disabled: git push" },
    evidence: ["git push failed earlier: rejected: not a fast-forward"],
    isIrreversible: false,
  });
});

test("an irreversible command that is allowed is not raised, and nothing is gathered", async () => {
  const { machine, parts } = createGateWorld();
  expect(await gateCall(shellCall("rm -rf build"), parts)).toEqual({ evidence: [], isIrreversible: true });
  expect(machine.looks()).toBe(0);
});

test("a changed state file raises a command of its family, and no other", async () => {
  const { machine, premise, parts, setTime } = createGateWorld();
  machine.write("/w/infra/terraform.tfstate", "old", 1);
  const unpacking = await premise.before({ text: "tar -xf old.tgz", step: 12 });
  machine.write("/w/infra/terraform.tfstate", "older", 1_000_000);
  await unpacking.ended();
  setTime(1_240_000);
  const line = "state file /w/infra/terraform.tfstate changed 4 minutes ago by: tar -xf old.tgz (step 12)";
  expect(await gateCall(shellCall("cd infra; terraform destroy"), parts)).toEqual({
    raise: { reason: line },
    evidence: [
      line,
      "terraform destroy: it destroys real infrastructure",
      "working directory: /w/infra",
      "terraform workspace: default (none selected)",
      "state file: /w/infra/terraform.tfstate, 5 bytes, modified 4 minutes ago",
      "changed in this session: terraform.tfstate, 4 minutes ago by: tar -xf old.tgz (step 12)",
    ],
    isIrreversible: true,
  });
  expect(await gateCall(shellCall("kubectl get pods"), parts)).toEqual(open);
});

test("of many changed state files the latest are told, the others counted", async () => {
  const { machine, premise, parts } = createGateWorld();
  await (await premise.before({ text: "ls", step: 1 })).ended();
  for (let index = 1; index <= 8; index += 1) machine.write(`/w/${index}/terraform.tfstate`, "x", 1_000_000 + index);
  const lines = (await gateCall(shellCall("terraform plan"), parts)).raise?.reason.split("; ") ?? [];
  expect([lines.length, lines[0]?.slice(0, 34), lines[5]]).toEqual([
    6,
    "state file /w/8/terraform.tfstate ",
    "and 3 more state files changed",
  ]);
});

test("the question shows which cluster, account and database are meant, without secrets", async () => {
  const { machine, parts } = createGateWorld();
  machine.write("/home/dev/.kube/config", "apiVersion: v1\ncurrent-context: prod-eu\n", 1_000_000);
  machine.write("/home/dev/.config/gcloud/active_config", "work\n", 1_000_000);
  machine.write("/home/dev/.config/gcloud/configurations/config_work", "[core]\nproject = shop\n", 1_000_000);
  machine.write("/w/.env", "DATABASE_URL=postgres://admin:se@cr/et@db.example:5432/shop?token=x\n", 1_000_000);
  const none = "no file in that directory changed in this session, as far as known";
  const shown = async (text: string) =>
    (await gateCall(shellCall(text, { isAsked: true }), { ...parts, analyseShell: reads(analysis(text)) })).evidence;
  expect(await shown("kubectl -n shop delete pod a")).toEqual([
    "kubectl -n shop delete pod a: it changes a real cluster",
    "working directory: /w",
    "kubernetes context: prod-eu (from /home/dev/.kube/config)",
    "kubernetes namespace: shop",
    "state file: /home/dev/.kube/config, 40 bytes, modified 0 seconds ago",
    none,
  ]);
  expect((await shown("gcloud compute instances delete a"))[2]).toBe(
    "gcloud configuration: work, project shop, account not set",
  );
  expect((await shown("rails db:drop"))[2]).toBe("DATABASE_URL: postgres://db.example:5432/shop (from /w/.env)");
});

test("what leaves the machine is shown whole with the place it goes to", async () => {
  const { machine, parts } = createGateWorld();
  machine.write("/w/.git/HEAD", "ref: refs/heads/main\n", 1);
  machine.write(
    "/w/.git/config",
    '[remote "origin"]\n\turl = https://me:token@host.example/a.git\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n',
    1,
  );
  const push = { ...command("git push"), outward: "pushes to a remote" };
  const analyseShell = reads({ ...analysis(), commands: [push] });
  expect(await gateCall(shellCall("git push", { isAsked: true }), { ...parts, analyseShell })).toEqual({
    evidence: ["git push: pushes to a remote", "git branch: main, upstream origin/main at https://host.example/a.git"],
    isIrreversible: false,
  });
});

test("files of the record are named where the machine no longer tells", async () => {
  const { parts } = createGateWorld({ changedFiles: () => ["/w/build/a.js", "/elsewhere/b.js"] });
  expect((await gateCall(shellCall("rm -rf build", { isAsked: true }), parts)).evidence).toEqual([
    "rm -rf build: it deletes directories and their contents",
    "working directory: /w",
    "target: /w/build does not exist",
    "changed in this session: build/a.js",
  ]);
});

test("no text of a command or a name can forge a line", async () => {
  const { machine, premise, parts } = createGateWorld();
  machine.write("/w/a\nstate file: fine.tfstate", "x", 1);
  await (await premise.before({ text: "ls\nworking directory: /safe", step: 1 })).ended();
  machine.write("/w/a\nstate file: fine.tfstate", "y!", 1_000_000);
  const { evidence } = await gateCall(shellCall("terraform destroy"), parts);
  expect(evidence.filter((line) => line.includes("\n"))).toEqual([]);
});
