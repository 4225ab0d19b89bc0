/** Proves that requests start with the bytes of those before, with everything installed at once and skills waking up. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const turnCount = 50;

/** One for reads before and after, each with something for the model, among many for other tools. */
function hookSettings() {
  const others = (count: number) =>
    Array.from({ length: count }, () => ({ matcher: "Bash|Edit", hooks: [{ type: "command", command: "true" }] }));
  const saying = (event: string) => ({
    matcher: "Read",
    hooks: [
      {
        type: "command",
        command: `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: `Said ${event}.` } })}'`,
      },
    ],
  });
  return {
    PreToolUse: [...others(24), saying("PreToolUse")],
    PostToolUse: [...others(24), saying("PostToolUse")],
  };
}

test("the prefix holds over fifty turns with skills, commands, hooks and plugins, while skills wake up", async () => {
  const reads = Array.from({ length: turnCount }, (_, index): MockTurn => {
    return { toolCalls: [{ name: "read", input: { filePath: `src/f${index}.t${index}` } }] };
  });
  bench = await openWorkbench([...reads, { text: "Done." }]);
  const { directory, project, model } = bench;
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (let index = 0; index < 200; index += 1) {
    const paths = index < turnCount ? `paths: ["*.t${index}"]\n` : "";
    const text = `---\nname: skill-${index}\ndescription: What skill-${index} does.\n${paths}---\nSay zanzibar.\n`;
    put(join(directory, `.claude/skills/skill-${index}/SKILL.md`), text);
    if (index < 100) put(join(directory, `.claude/commands/command-${index}.md`), "Do it.");
    if (index < turnCount) put(join(project, `src/f${index}.t${index}`), "x");
  }
  put(join(directory, ".claude/settings.json"), JSON.stringify({ hooks: hookSettings() }));
  for (let index = 0; index < 20; index += 1) {
    const plugin = join(directory, `sources/plugin-${index}`);
    const name = `plugin-${index}`;
    put(
      join(plugin, ".claude-plugin/plugin.json"),
      JSON.stringify({ name, version: "1.0.0", description: "One of many." }),
    );
    const paths = index < 10 ? `paths: ["*.t${index}"]\n` : "";
    put(join(plugin, "skills/one/SKILL.md"), `---\nname: one\ndescription: Of ${name}.\n${paths}---\nSay pemba.\n`);
    put(join(plugin, "commands/two.md"), "Do it.");
    const own = { PostToolUse: [{ matcher: "Edit", hooks: [{ type: "command", command: "true" }] }] };
    put(join(plugin, "hooks/hooks.json"), JSON.stringify({ hooks: own }));
    expect(await bench.run(["plugin", "add", plugin, "--yes"])).toMatchObject({ code: 0 });
  }
  expect(await bench.run(["-p", "hi", "--max-turns", "60"])).toMatchObject({ code: 0, stdout: "Done.\n" });
  const bodies = model.requests.map(({ body }) => {
    const { messages, ...rest } = body as { readonly messages?: unknown };
    return { messages: JSON.stringify(messages).slice(1, -1), rest: JSON.stringify(rest) };
  });
  expect(bodies).toHaveLength(turnCount + 1);
  for (const [index, body] of bodies.entries()) {
    const before = bodies[index - 1];
    if (before === undefined) continue;
    expect([index, body.messages.startsWith(before.messages), body.rest]).toEqual([index, true, before.rest]);
  }
  const last = bodies.at(-1)?.messages ?? "";
  const told = (pattern: RegExp) => last.match(pattern)?.length;
  // Each skill that woke up is told once, and each hook spoke with each turn.
  expect(bodies[0]?.messages).not.toContain("<name>skill-7<");
  const woken = Array.from({ length: turnCount }, (_, index) => `<name>skill-${index}<`);
  expect(woken.filter((name) => last.split(name).length !== 2)).toEqual([]);
  expect(told(/<name>[^<]*plugin-3[^<]*</g)).toBe(1);
  expect([told(/Said PreToolUse\./g), told(/Said PostToolUse\./g)]).toEqual([turnCount, turnCount]);
});
