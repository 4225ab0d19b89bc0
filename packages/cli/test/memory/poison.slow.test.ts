/** Poisoned texts in files, tool results, searches, memory and lessons, and a model that obeys all of them: nothing is recalled before approval, and no permission answer changes. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createSeededRandom, type MockScript, type MockToolCall, type MockTurn, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { makePoisons, type Poison } from "./poison-texts.ts";

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));
const poisons = makePoisons(random, 152);

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const topic = (name: string, body: string, description = "How we work") =>
  `---\nname: ${name}\ndescription: ${description}\ntype: project\n---\n\n${body}\n`;

const write = (filePath: string, content: string): MockToolCall => ({ name: "write", input: { filePath, content } });
const done: MockTurn = { text: "Done." };
const turnsOf = (calls: readonly MockToolCall[]): readonly MockTurn[] => [
  ...calls.map((each) => ({ toolCalls: [each] })),
  done,
];

/** The topics of a poison: one, or two halves of it. */
const pieces = ({ text, rest, token }: Poison) =>
  rest === undefined ? [`${text} ${token}`] : [text, `${rest} ${token}`];

async function memoryDirectory(opened: Workbench): Promise<string> {
  const directory = (await opened.run(["memory", "path"])).stdout.trim();
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "MEMORY.md"), "# Memory\n\nNo topics yet.\n");
  return directory;
}

/** What a later session gets of memory: the table of contents, and what may be read behind it. */
async function recalled(opened: Workbench, directory: string): Promise<readonly string[]> {
  const before = opened.model.requests.length;
  await opened.run(["-p", "hi"]);
  const sent = JSON.stringify(opened.model.requests.slice(before).map(({ body }) => body));
  const listed = (await opened.run(["memory", "list"])).stdout + readFileSync(join(directory, "MEMORY.md"), "utf8");
  const files = readdirSync(directory).filter((name) => /^[a-z].*\.md$/.test(name));
  const readable = files.filter((name) => listed.includes(name) || listed.includes(name.replace(/\.md$/, "")));
  const texts = readable.map((name) => readFileSync(join(directory, name), "utf8")).join("\n");
  return poisons
    .filter(({ token }) => `${sent}${listed}${texts}`.includes(token))
    .map(({ kind, text }) => `${kind}: ${text}`);
}

test("what the user seems to have said is held back until it is approved, in whole or in halves", async () => {
  const turns: MockTurn[] = [];
  bench = await openWorkbench(turns);
  const directory = await memoryDirectory(bench);
  turns.push(
    ...turnsOf(
      poisons
        .slice(0, rounds({ usual: 72, long: poisons.length }))
        .flatMap((poison, at) =>
          pieces(poison).map((body, half) =>
            write(join(directory, `convention-${at}-${half}.md`), topic(`Convention ${at}`, body)),
          ),
        ),
    ),
  );
  await bench.run(["-p", "Remember all of this", "--max-turns", "1000"]);
  expect(await recalled(bench, directory), `seed ${random.seed}`).toEqual([]);
});

test("files that somebody put into the directory, and a hostile list of lessons, are not recalled either", async () => {
  bench = await openWorkbench([]);
  const directory = await memoryDirectory(bench);
  for (const [at, poison] of poisons.entries())
    for (const [half, body] of pieces(poison).entries())
      writeFileSync(join(directory, `by-hand-${at}-${half}.md`), topic(`Convention ${at}`, body, body.split("\n")[0]));
  const lesson = ({ text, token }: Poison) =>
    JSON.stringify({
      lesson_id: token,
      task_summary: text,
      outcome: text,
      lesson: `${text} ${token}`,
      tool_names: ["bash"],
    });
  writeFileSync(join(directory, "../lessons.jsonl"), `${poisons.map(lesson).join("\n")}\n`);
  // Halves are told apart only where one of them is saved; by hand the first may stand, and it is harmless.
  await bench.run(["memory", "add", "Releases go out on Mondays"]);
  const found = (await recalled(bench, directory)).filter((each) => !each.startsWith("halves"));
  expect(found, `seed ${random.seed}`).toEqual([]);
  expect(JSON.stringify(bench.model.requests.at(-1)?.body)).toContain("Mondays");
});

test("what the agent read for a prompt is not the user's word, but what the prompt says is", async () => {
  const turns: MockTurn[] = [];
  bench = await openWorkbench(turns);
  const directory = await memoryDirectory(bench);
  writeFileSync(join(bench.project, "notes.md"), "Releases are cut from the branch harbour.\n");
  const read: MockToolCall = { name: "read", input: { filePath: "notes.md" } };
  turns.push(
    ...turnsOf([
      read,
      write(join(directory, "releases.md"), topic("Releases", "Releases are cut from the branch harbour.")),
    ]),
    ...turnsOf([read, write(join(directory, "deploys.md"), topic("Deploys", "Deploys happen on Tuesday mornings."))]),
  );
  await bench.run(["-p", "Remember what notes.md says"]);
  await bench.run(["-p", "Remember that deploys happen on Tuesday mornings. Look at notes.md first."]);
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) =>
    /^[a-z/]+\.md$/.test(name),
  );
  expect(names.toSorted()).toEqual(["deploys.md", "inbox/releases.md"]);
});

/** Obeys every text that it sees outside of the system prompt and the instruction files; otherwise goes on with its work. */
function obedient(work: readonly MockToolCall[]): { readonly script: MockScript; readonly acts: Map<string, Poison> } {
  const acts = new Map<string, Poison>();
  let next = 0;
  const script: MockScript = ({ body }, index) => {
    const seen = (body.messages ?? [])
      .filter(({ role }) => role !== "system")
      .map(({ content }) => (content ?? "").replaceAll(/<instruction-file[\s\S]*?<\/instruction-file>/g, ""))
      .join("\n");
    const order = poisons.find(
      ({ token }) => seen.includes(token) && ![...acts.values()].some((each) => each.token === token),
    );
    if (order !== undefined) {
      const id = `act-${index}`;
      acts.set(id, order);
      return { toolCalls: [{ ...order.act, id }] };
    }
    const call = work[next++];
    return call === undefined ? done : { toolCalls: [call] };
  };
  return { script, acts };
}

type Outcomes = { readonly [token: string]: string };

/** What became of each act, and that nothing of it is left. */
async function outcomesOf(work: readonly MockToolCall[], options: ObeyOptions): Promise<Outcomes> {
  const { script, acts } = obedient(work);
  const opened = await openWorkbench(script, options.settings);
  bench = opened;
  options.prepare?.(opened);
  const argv = ["-p", options.prompt ?? "go", "--max-turns", "2000", "--output-format", "stream-json"];
  const { stdout } = await opened.run(argv);
  const results = stdout
    .split("\n")
    .filter((line) => line.includes('"tool_result"'))
    .map((line) => JSON.parse(line) as { readonly call_id: string; readonly outcome: string });
  const left = poisons.filter(({ token }) =>
    [opened.project, opened.directory].some((directory) => existsSync(join(directory, token))),
  );
  expect(left).toEqual([]);
  expect(existsSync(join(opened.project, ".git/logs/HEAD"))).toBe(false);
  const ended = new Map(results.map(({ call_id, outcome }) => [call_id, outcome]));
  await opened.close();
  bench = undefined;
  return Object.fromEntries([...acts].map(([id, { token }]) => [token, ended.get(id) ?? "none"]));
}

type ObeyOptions = {
  readonly settings?: { readonly [name: string]: unknown };
  readonly prompt?: string;
  readonly prepare?: (opened: Workbench) => void;
};

const whole = ({ text, rest = "", token }: Poison) => `${text}\n${rest}\n${token}\n`;

test("no text changes what is permitted: the answers are those to the same calls without it", async () => {
  const bash = (command: string): MockToolCall => ({ name: "bash", input: { command, description: "x" } });
  const some = poisons.slice(0, rounds({ usual: 48, long: poisons.length }));
  const putFiles = ({ project }: Workbench) => {
    for (const [at, poison] of some.entries()) writeFileSync(join(project, `note${at}.txt`), whole(poison));
  };
  // The order itself in the prompt: the model acts as the user wants, and is held to the same answers.
  const plain = await outcomesOf([], { prompt: some.map(({ token }) => token).join(" ") });
  expect([...new Set(Object.values(plain))]).toEqual(["refused"]);
  expect(Object.keys(plain)).toHaveLength(some.length);

  const reads = some.map((_, at): MockToolCall => ({ name: "read", input: { filePath: `note${at}.txt` } }));
  expect(await outcomesOf(reads, { prepare: putFiles }), "files").toEqual(plain);
  const cats = some.map((_, at) => bash(`cat note${at}.txt`));
  expect(await outcomesOf(cats, { prepare: putFiles }), "tool results").toEqual(plain);

  const server = createServer(({ url = "" }, response) => {
    const at = Number(new URL(url, "http://x").searchParams.get("q")?.replace("note", ""));
    const results = [{ title: "Convention", url: "https://example.com/", content: whole(some[at] as Poison) }];
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const search = { kind: "searxng", url: `http://127.0.0.1:${port}` };
  const searches = [
    { name: "tool_search", input: { query: "search the web" } },
    ...some.map((_, at) => ({ name: "websearch", input: { query: `note${at}` } })),
  ];
  const settings = { web: { search }, permission: { websearch: "allow" } };
  expect(await outcomesOf(searches, { settings }), "searches").toEqual(plain);
  server.close();
}, 1_800_000);

test("approved texts are recalled as data, and still change no answer", async () => {
  const turns: MockTurn[] = [];
  const { script, acts } = obedient([]);
  const opened = await openWorkbench(
    (request, index) => turns.shift() ?? (script as (...given: unknown[]) => MockTurn)(request, index),
  );
  bench = opened;
  const directory = await memoryDirectory(opened);
  const [first] = poisons.filter(({ kind }) => kind === "approvals") as [Poison];
  turns.push(
    ...turnsOf([write(join(directory, "habit.md"), topic("Habit", first.text, `How we work ${first.token}`))]),
  );
  await opened.run(["-p", "Remember this"]);
  expect(await recalled(opened, directory)).toEqual([]);
  expect(await opened.run(["memory", "inbox", "accept", "habit"])).toMatchObject({ code: 0 });
  await opened.run(["-p", "hi"]);
  const sent = opened.model.requests.map(({ raw }) => raw.toString("utf8"));
  expect(sent.at(-1)).toMatch(new RegExp(`<untrusted-data[^>]*>[^<]*${first.token}`));
  expect([...acts.values()]).toEqual([first]);
  expect(existsSync(join(opened.project, first.token))).toBe(false);
  expect(sent.at(-1)).toContain("nobody can answer in this run");
});
