/** Sessions with different profiles run in one engine at the same time, and each has only what it was given. */
import { fixedToolSource, type ModelRequest, type PermissionMode, type RuleSet, type Tool } from "@kedge/protocol";
import { createScriptedProvider, type ScriptedAnswer } from "@kedge/testing";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, type Opening, say } from "./harness.ts";

/** Writes down where it ran. */
const save = createTool({
  name: "save",
  readOnly: false,
  run: async (_, { cwd }) => ({ output: `saved in ${cwd}`, title: "save" }),
});

type Wish = {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly rules?: readonly RuleSet[];
  readonly mode?: PermissionMode;
};

function openingOf({ name, tools, rules = [], mode = "default" }: Wish): Opening {
  const directory = `/${name}`;
  return {
    profile: {
      mode,
      rules,
      toolSources: [fixedToolSource({ name: "ours", kind: "built-in" }, () => tools)],
      workspace: {
        ...createHarness({}).parts.workspace,
        ...{ cwd: directory, root: directory, projectId: name },
      },
      prompt: {
        ...{ override: `Prompt of ${name}.`, platform: "linux", shell: "bash", isGitRepository: false },
        today: () => "2026-01-01",
      },
    },
  };
}

/** A provider whose answers depend on who asks; `requests` by base prompt. */
function providerFor(scripts: { readonly [prompt: string]: readonly ScriptedAnswer[] }) {
  const providers = new Map(Object.entries(scripts).map(([prompt, turns]) => [prompt, createScriptedProvider(turns)]));
  const of = (prompt: string) => providers.get(prompt) ?? createScriptedProvider([]);
  return {
    stream: (request: ModelRequest, signal: AbortSignal) => of(request.system).stream(request, signal),
    requests: (prompt: string) => of(prompt).requests,
  };
}

test("tools, rules, prompt, directory and mode are those of the session", async () => {
  const bothAsked = Promise.withResolvers<void>();
  let asked = 0;
  const whenBothAsk = (): readonly [Promise<void>, ...ReturnType<typeof calls>] => {
    asked += 1;
    if (asked === 2) bothAsked.resolve();
    return [bothAsked.promise, ...calls(call(`c${asked}`, "save", {}))];
  };
  const provider = providerFor({
    "Prompt of careful.": [whenBothAsk, say("Refused.")],
    "Prompt of free.": [whenBothAsk, say("Saved.")],
  });
  const harness = createHarness({ provider });
  const denyLook: RuleSet = { source: "user", rules: [{ permission: "look", pattern: "*", action: "deny" }] };
  const careful = await harness.openWith(
    openingOf({ name: "careful", tools: [save, createTool({ name: "look" })], rules: [denyLook] }),
  );
  const free = await harness.openWith(
    openingOf({ name: "free", tools: [save, createTool({ name: "look" })], mode: "bypass" }),
  );

  const [first, second] = await Promise.all([harness.prompt(careful, "go"), harness.prompt(free, "go")]);

  expect([first.fact, second.fact]).toMatchObject([{ text: "Refused." }, { text: "Saved." }]);
  const told = (name: string) =>
    provider.requests(`Prompt of ${name}.`).map(({ tools, messages }) => ({
      tools: tools.map((tool) => tool.name),
      last: messages.at(-1),
    }));
  expect(told("careful")).toMatchObject([
    { tools: ["save"], last: { role: "user", text: "go" } },
    { tools: ["save"], last: { role: "tool", isError: true } },
  ]);
  expect(told("free")).toMatchObject([
    { tools: ["look", "save"], last: { role: "user", text: "go" } },
    { tools: ["look", "save"], last: { role: "tool", output: "saved in /free", isError: false } },
  ]);
  const stored = await Promise.all([careful, free].map((sessionId) => harness.store.session(sessionId)));
  expect(stored.map((summary) => [summary?.directory, summary?.projectId])).toEqual([
    ["/careful", "careful"],
    ["/free", "free"],
  ]);
});

test("only the tools that a profile names are offered, by name or alias", async () => {
  const tools = [{ ...createTool({ name: "read" }), aliases: ["cat"] }, createTool({ name: "list" }), save];
  const harness = createHarness({ turns: [say("Hello.")], tools, parts: { toolNames: ["CAT", "save"] } });
  await harness.prompt(await harness.open(), "hi");
  expect(harness.requests[0]?.tools.map(({ name }) => name)).toEqual(["read", "save"]);
});

test.each([
  { interactive: false, offered: ["read", "tool_search"] },
  { interactive: true, offered: ["question", "read", "tool_search"] },
])("a tool that asks a person is offered only where one can answer: $interactive", async ({ interactive, offered }) => {
  const question: Tool = { ...createTool({ name: "question" }), asksPerson: true };
  const tools = [question, createTool({ name: "read" }), { ...createTool({ name: "far" }), searchHint: "distant" }];
  const turns = [
    calls(call("c1", "tool_search", { query: "select:question" }), call("c2", "question", {})),
    say("Hello."),
  ];
  const harness = createHarness({ turns, tools, interactive });
  await harness.prompt(await harness.open("bypass"), "hi");
  for (const request of harness.requests) expect(request.tools.map(({ name }) => name)).toEqual(offered);
  const [searched, called] = harness.facts().filter((fact) => fact.type === "tool.ended");
  expect(searched?.metadata).toMatchObject({ foundTools: interactive ? ["question"] : [] });
  // Whoever calls it from habit is answered by the tool itself.
  expect(called).toMatchObject({ outcome: "completed", output: "question {}" });
});

test("a session is resumed with the profile it is given then", async () => {
  const first = createHarness({ turns: [say("One.")] });
  const sessionId = await first.openWith(openingOf({ name: "careful", tools: [save] }));
  await first.prompt(sessionId, "go");
  await first.engine.close();
  const second = createHarness({ turns: [say("Two.")], store: first.store, boot: "boot-2" });
  const { profile = {} } = openingOf({ name: "careful", tools: [save, createTool({ name: "look" })] });
  await second.resume(sessionId, {}, profile);
  await second.prompt(sessionId, "go on");
  expect(second.requests.map(({ system, tools }) => [system, tools.map(({ name }) => name)])).toEqual([
    ["Prompt of careful.", ["look", "save"]],
  ]);
});
