/** Names of models that other agents use, through the real program with nothing but a key for OpenAI. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

async function openWithOpenAi(settings: { readonly [name: string]: unknown } = {}): Promise<void> {
  bench = await openWorkbench(() => ({ text: "Done." }));
  const { baseUrl } = bench.model;
  const provider = { openai: { baseURL: baseUrl, apiKey: "key-of-the-test" } };
  const config = { model: "openai/gpt-5.6", provider, titles: { enabled: false }, ...settings };
  writeFileSync(join(bench.home, "config.json"), JSON.stringify(config));
}

function put(path: string, text: string): void {
  const whole = join(bench.directory, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
}

const models = () => bench.model.requests.map(({ body }) => body.model);

test("commands and skills with a model of Claude run on the tier of the vendor that is there", async () => {
  await openWithOpenAi();
  put(".claude/commands/quick.md", "---\nmodel: haiku\n---\nSay hi.");
  put(".claude/commands/exact.md", "---\nmodel: claude-opus-4-5-20251101\n---\nSay hi.");
  put(".claude/commands/odd.md", "---\nmodel: zanzibar\n---\nSay hi.");
  put(".claude/skills/tea/SKILL.md", "---\nname: tea\ndescription: Tea.\nmodel: sonnet\n---\nBoil water.");
  for (const prompt of ["/quick", "/exact", "/tea"]) {
    const { code, stderr } = await bench.run(["-p", prompt]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  }
  const odd = await bench.run(["-p", "/odd"]);
  expect(odd.stderr).toContain(
    '"zanzibar" uses openai/gpt-5.6: no model of that name is available. Write provider/model, fast, default or slow.',
  );
  expect(models()).toEqual(["gpt-5.6-luna", "gpt-6-astra", "gpt-5.6", "gpt-5.6"]);
});

test("the setting wins, and config explain shows which model counts", async () => {
  await openWithOpenAi({ models: { fast: "openai/gpt-5-nano" } });
  put(".claude/commands/quick.md", "---\nmodel: small\n---\nSay hi.");
  await bench.run(["-p", "/quick"]);
  expect(models()).toEqual(["gpt-5-nano"]);
  const fast = await bench.run(["config", "explain", "models.fast"]);
  expect(fast.stdout).toContain("default (catalogue): openai/gpt-5.6-luna");
  expect(fast.stdout).toMatch(/\* user \(.*config\.json:1\): openai\/gpt-5-nano/);
  const slow = await bench.run(["config", "explain", "models.slow"]);
  expect(slow.stdout).toBe("models.slow\n  * default (catalogue): openai/gpt-6-astra\n");
  const bad = await bench.run(["config", "set", "models.fast", "haiku"]);
  expect(bad.code).not.toBe(0);
  expect(bad.stderr).toContain("provider/model");
});

test("a hook and a side query may name a tier", async () => {
  const hook = { type: "prompt", prompt: "Is this fine?", model: "haiku" };
  await openWithOpenAi({ hooks: { UserPromptSubmit: [{ hooks: [hook] }] }, titles: { enabled: false } });
  await bench.run(["-p", "hi"]);
  expect(models()[0]).toBe("gpt-5.6-luna");
});
