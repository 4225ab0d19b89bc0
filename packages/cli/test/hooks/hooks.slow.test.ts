/** Proves hooks in the whole program: scripts written for Claude Code run unchanged, in bash, Python and Node. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { command, type HookSite, openHookSite, scripts } from "./hook-site.ts";

let site: HookSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const bash = (text: string): MockTurn => ({
  toolCalls: [{ name: "bash", input: { command: text, description: "x" } }],
});
const write = (filePath: string): MockTurn => ({
  toolCalls: [{ name: "write", input: { filePath, content: "new\n" } }],
});
const group = (matcher: string, path: string) => ({ matcher, hooks: [command(path)] });

const allow = ["--trust", "--permission-mode", "accept-edits", "--allowed-tools", "bash(echo *)"];

test("a guard in bash that exits with 2 stops the call, and the model reads its words", async () => {
  site = await openHookSite([bash("echo secret"), { text: "I stop." }]);
  site.write(".claude/settings.json", { hooks: { PreToolUse: [group("Bash", "guard.sh")] } });
  site.write("guard.sh", scripts.bash('echo "echo is not allowed here" >&2; exit 2'));
  const { stdout, stderr } = await site.run(["-p", "go", ...allow]);
  expect([stdout.trim(), stderr]).toEqual(["I stop.", expect.any(String)]);
  expect(JSON.stringify(site.model.requests.at(-1)?.body)).toContain("echo is not allowed here");
  expect(site.log()).toMatchObject([
    {
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "echo secret" },
      cwd: site.project,
      permission_mode: "acceptEdits",
      session_id: expect.stringMatching(/^ses_/),
      transcript_path: expect.stringMatching(/\.jsonl$/),
    },
  ]);
});

test("a guard in Python sees absolute paths and fields of its own world, and denies with JSON", async () => {
  site = await openHookSite([write("src/keep.txt"), { text: "I stop." }]);
  site.write(".claude/settings.json", { hooks: { PreToolUse: [group("Write|Edit", "guard.py")] } });
  const answer = `if event["tool_input"]["file_path"].endswith("/src/keep.txt"):
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "keep it"}}))`;
  site.write("guard.py", scripts.python(answer));
  await site.run(["-p", "go", ...allow]);
  expect(existsSync(join(site.project, "src/keep.txt"))).toBe(false);
  expect(site.log()).toMatchObject([
    { tool_name: "Write", tool_input: { file_path: join(site.project, "src/keep.txt") } },
  ]);
  expect(JSON.stringify(site.model.requests.at(-1)?.body)).toContain("keep it");
});

test("a hook in Node changes the input, and what it changed is what is judged and runs", async () => {
  site = await openHookSite([bash("echo one"), { text: "Done." }]);
  site.write(".claude/settings.json", { hooks: { PreToolUse: [group("Bash", "change.js")] } });
  const answer = `console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { ...event.tool_input, command: "echo two" } } }));`;
  site.write("change.js", scripts.node(answer));
  await site.run(["-p", "go", ...allow]);
  const shown = JSON.stringify(site.model.requests.at(-1)?.body);
  expect(shown).toContain("two");
  expect(shown).toContain("changed the input of this call");
});

test("a changed input that a rule denies does not run", async () => {
  site = await openHookSite([bash("echo one"), { text: "Done." }], { permission: { bash: { "touch *": "deny" } } });
  site.write(".claude/settings.json", { hooks: { PreToolUse: [group("Bash", "change.sh")] } });
  const changed = JSON.stringify({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
      updatedInput: { command: "touch canary" },
    },
  });
  site.write("change.sh", scripts.bash(`echo '${changed}'`));
  await site.run(["-p", "go", ...allow]);
  expect(existsSync(join(site.project, "canary"))).toBe(false);
});

test("prompts are refused, rewritten and extended; a run is made to continue; the end is heard", async () => {
  site = await openHookSite([{ text: "First." }, { text: "Second." }]);
  site.write(".claude/settings.json", {
    hooks: {
      SessionStart: [group("startup", "start.sh")],
      UserPromptSubmit: [{ hooks: [command("prompt.sh")] }],
      Stop: [{ hooks: [command("stop.sh")] }],
      SessionEnd: [{ hooks: [command("end.sh")] }],
    },
  });
  site.write("start.sh", scripts.bash("echo 'The build is green.'"));
  site.write(
    "prompt.sh",
    scripts.bash(`case "$line" in *forbidden*) echo "not here" >&2; exit 2;; esac; echo "Ticket T-1"`),
  );
  site.write(
    "stop.sh",
    scripts.bash(`case "$line" in *'"stop_hook_active":false'*) echo "write the tests" >&2; exit 2;; esac`),
  );
  site.write("end.sh", scripts.bash("true"));
  const { stdout } = await site.run(["-p", "go", ...allow]);
  expect(stdout.trim()).toBe("Second.");
  const [first, second] = site.model.requests.map(({ body }) => JSON.stringify(body));
  expect(first).toContain("The build is green.");
  expect(first).toContain("Ticket T-1");
  expect(second).toContain("write the tests");
  expect(site.log().map(({ hook_event_name: name }) => name)).toEqual([
    "SessionStart",
    "UserPromptSubmit",
    "Stop",
    "Stop",
    "SessionEnd",
  ]);
  const checked = await site.run(["session", "replay", "last", "--check"]);
  expect([checked.code, checked.stdout]).toEqual([
    0,
    expect.stringContaining("matches the record; 2 requests compared"),
  ]);
  const refused = await site.run(["-p", "forbidden", ...allow]);
  expect([refused.code, refused.stdout.trim()]).toEqual([1, expect.stringContaining("not here")]);
  expect(site.model.requests).toHaveLength(2);
});

test("a result is rewritten before the model sees it, and the record says by whom", async () => {
  site = await openHookSite([bash("echo customer 4711"), { text: "Done." }]);
  site.write(".kedge/config.json", {
    hooks: {
      PostToolUse: [
        { matcher: "bash", hooks: [{ type: "command", command: "$KEDGE_PROJECT_DIR/mask.sh", redacts: true }] },
      ],
    },
  });
  site.write("mask.sh", scripts.bash(`echo '{"updatedOutput":"customer [masked]"}'`));
  const { stdout } = await site.run(["-p", "go", ...allow, "--output-format", "stream-json"]);
  const sent = JSON.stringify(site.model.requests.at(-1)?.body);
  expect(sent).toContain("customer [masked]");
  expect(sent.match(/4711/g)).toHaveLength(1);
  expect(stdout).toContain("rewrittenBy");
  expect(site.log()).toMatchObject([
    { tool_name: "bash", tool_response: { content: expect.stringContaining("4711") } },
  ]);
});

const broken: readonly (readonly [string, string])[] = [
  ["JSON that is none", 'echo \'{"decision": "allow"\''],
  ["a decision that nobody knows", 'echo \'{"decision": "maybe"}\''],
  ["a program that does not exist", "exec /no/such/program"],
  ["a death by signal", "kill -9 $$"],
];

test.each(broken)("an answer that cannot be understood denies the call: %s", async (_, answer) => {
  site = await openHookSite([bash("echo x > canary; echo done"), { text: "Done." }]);
  site.write(".claude/settings.json", { hooks: { PreToolUse: [group("Bash", "broken.sh")] } });
  site.write("broken.sh", scripts.bash(answer));
  const { stderr } = await site.run(["-p", "go", "--trust", "--allowed-tools", "bash"]);
  expect(existsSync(join(site.project, "canary"))).toBe(false);
  expect(JSON.stringify(site.model.requests.at(-1)?.body)).toContain("the hook failed");
  expect(stderr).toContain("broken.sh".replace("broken.sh", ".claude/settings.json PreToolUse[0].hooks[0] failed"));
});

test("a hook that cannot start is named at the start", async () => {
  site = await openHookSite([{ text: "Done." }]);
  site.write(".claude/settings.json", { hooks: { Notification: [{ hooks: [command("gone.sh")] }], Later: [] } });
  const { stderr, stdout } = await site.run(["-p", "go", ...allow]);
  expect(stdout.trim()).toBe("Done.");
  expect(stderr).toContain(`cannot start: file not found: ${join(site.project, "gone.sh")}`);
  expect(stderr).toContain("Later is not a known event; its hooks never run.");
});

test("nothing of an untrusted project runs, before trust, after a refusal, and not the user's own either", async () => {
  site = await openHookSite([{ text: "One." }, { text: "Two." }, { text: "Three." }]);
  const canary = { type: "command", command: "touch canary-of-$PPID" };
  const everything = Object.fromEntries(
    ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd", "Notification"].map((name) => [
      name,
      [{ hooks: [canary] }],
    ]),
  );
  site.write(".claude/settings.json", { hooks: everything });
  site.write(".kedge/config.json", { hooks: everything });
  site.write(".github/hooks/all.json", {
    version: 1,
    hooks: { sessionStart: [{ type: "command", bash: "touch canary" }] },
  });
  site.write(".kedge/hooks/pre/bash.sh", "#!/bin/bash\ntouch canary\n");
  mkdirSync(join(site.directory, ".claude"), { recursive: true });
  writeFileSync(join(site.directory, ".claude/settings.json"), JSON.stringify({ hooks: everything }));
  const unknown = await site.run(["-p", "go"]);
  const { project } = site;
  const canaries = () => site?.log().length === 0 && !existsSync(join(project, "canary"));
  expect(unknown.stderr).toContain("hooks do not run: the project is not trusted");
  await site.run(["trust", "deny"]);
  await site.run(["-p", "go"]);
  const { readdirSync } = await import("node:fs");
  expect([canaries(), readdirSync(project).filter((name) => name.startsWith("canary"))]).toEqual([true, []]);
  await site.run(["-p", "go", "--trust"]);
  expect(readdirSync(project).filter((name) => name.startsWith("canary")).length).toBeGreaterThan(0);
});

test("settings that are rewritten after the start change nothing: the captured command runs", async () => {
  site = await openHookSite([write(".claude/other.txt"), bash("echo one"), { text: "Done." }]);
  const { project } = site;
  const hooks = (path: string) => ({
    hooks: { PreToolUse: [group("Bash", path)], SessionStart: [{ hooks: [command("swap.sh")] }] },
  });
  site.write("old.sh", scripts.bash("true"));
  site.write("new.sh", "#!/bin/bash\ntouch canary\n");
  site.write("swap.sh", `#!/bin/bash\ncp next.json .claude/settings.json\n`);
  site.write("next.json", hooks("new.sh"));
  site.write(".claude/settings.json", hooks("old.sh"));
  await site.run(["-p", "go", ...allow]);
  expect(existsSync(join(project, "canary"))).toBe(false);
  expect(site.log()).toHaveLength(1);
  // At the next start it is another project, and nobody trusted that one.
  const later = await site.run(["-p", "go"]);
  expect(later.stderr).toContain("its files changed since you trusted it");
  expect(existsSync(join(project, "canary"))).toBe(false);
});

test("a script that a trusted hook runs and that changed is asked about again", async () => {
  site = await openHookSite([{ text: "One." }, { text: "Two." }]);
  site.write(".claude/settings.json", { hooks: { SessionStart: [{ hooks: [command("tools/start.sh")] }] } });
  site.write("tools/start.sh", scripts.bash("true"));
  await site.run(["-p", "go", "--trust"]);
  appendFileSync(join(site.project, "tools/start.sh"), "touch canary\n");
  const { stderr } = await site.run(["-p", "go"]);
  expect(stderr).toContain("This project's hooks do not run: its files changed since you trusted it");
  expect(existsSync(join(site.project, "canary"))).toBe(false);
});

test("a script of a hook that the model changes does not run any more in this session", async () => {
  site = await openHookSite([
    { toolCalls: [{ name: "read", input: { filePath: "tools/guard.sh" } }] },
    { toolCalls: [{ name: "write", input: { filePath: "tools/guard.sh", content: "#!/bin/bash\ntouch canary\n" } }] },
    bash("echo one"),
    { text: "Done." },
  ]);
  site.write(".claude/settings.json", { hooks: { PreToolUse: [group("Bash", "tools/guard.sh")] } });
  site.write("tools/guard.sh", scripts.bash("true"));
  await site.run(["-p", "go", ...allow]);
  expect(existsSync(join(site.project, "canary"))).toBe(false);
  expect(JSON.stringify(site.model.requests.at(-1)?.body)).toContain("tools/guard.sh changed since kedge started");
});

test("variables that hooks leave in CLAUDE_ENV_FILE reach later commands, and none that decides what runs", async () => {
  site = await openHookSite([
    bash(`echo "$STAGE in $PLACE"; own-program; echo "\${LD_PRELOAD:-unset}"`),
    { text: "Done." },
  ]);
  const left = [
    `echo 'export STAGE=test' >> "$CLAUDE_ENV_FILE"`,
    `echo 'export PLACE="$STAGE area"' >> "$CLAUDE_ENV_FILE"`,
    `echo 'export PATH="./programs:$PATH"' >> "$CLAUDE_ENV_FILE"`,
    `echo 'export LD_PRELOAD=/x.so' >> "$CLAUDE_ENV_FILE"`,
    `echo 'export NOW=$(date)' >> "$CLAUDE_ENV_FILE"`,
  ];
  site.write("set-up.sh", scripts.bash(left.join("\n")));
  site.write("programs/own-program", "#!/bin/sh\necho found\n");
  site.write(".claude/settings.json", { hooks: { SessionStart: [{ hooks: [command("set-up.sh")] }] } });
  const { stderr } = await site.run(["-p", "go", "--trust", "--dangerously-skip-permissions"]);
  expect(JSON.stringify(site.model.requests.at(-1)?.body)).toContain("test in test area\\nfound\\nunset");
  expect(stderr).toContain("cannot set LD_PRELOAD for commands.");
  expect(stderr).toContain("not an assignment in CLAUDE_ENV_FILE: export NOW=$(date)");
  expect(readdirSync(join(site.home, "run/hooks")).filter((name) => name.endsWith(".env"))).toEqual([]);
});
