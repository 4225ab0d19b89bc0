/** Texts with disguised marks of the harness, through every channel of `kedge explain text`: none comes out as a mark, and the engine says the same. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom, type MockTurn, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));

let bench: Workbench;
afterEach(() => bench.close());

const channels = ["instruction", "memory", "tool", "web", "mcp", "peer", "chat", "queued"] as const;
/** What they carry is kept byte for byte, with a note above it. */
const keptAsIs: ReadonlySet<string> = new Set(["tool", "mcp"]);

const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;

const names = ["system-reminder", "untrusted-data", "instruction-file", "tool_result", "function_calls", "memory-data"];
const between = ["", "", "", "", "-", "_", " ", "\u200b", "\u00ad", "\u2060", "\ufeff", "\u202e", "\u0007", ".", "--"];
const opens = ["<", "</", "< ", "<\u200b/", "\uff1c", "\uff1c/", "\ufe64", "<<", "</ ", "\u2039"];
const closes = [">", " >", "\uff1e", ">>", ' a="b">', "\u200b>", "\ufe65", ""];

/** One mark, disguised; now and then with another inside, so that removing the one would make the other. */
function makeMark(depth = 0): string {
  const letters = [...pick(names)].map((letter) => (random.below(3) === 0 ? letter.toUpperCase() : letter));
  const at = random.below(letters.length);
  const name = letters
    .map(
      (letter, index) =>
        `${letter}${pick(between)}${depth < 2 && index === at && random.below(3) === 0 ? makeMark(depth + 1) : ""}`,
    )
    .join("");
  return `${pick(opens)}${name}${pick(closes)}`;
}

const makeText = () =>
  Array.from(
    { length: 1 + random.below(4) },
    () => `${pick(["Use tabs. ", "", "x ", "a < b and c > d. "])}${makeMark()}`,
  ).join(pick(["", "\n", " "]));

/** Written without a look at the program: what a careful reader would take for a mark. */
function marksIn(text: string): readonly string[] {
  const plain = text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}|\p{Cc}/gu, "")
    .replaceAll(/[\s_.-]/g, "")
    .toLowerCase();
  return names
    .map((name) => name.replaceAll(/[_-]/g, ""))
    .filter((name) => new RegExp(`<+/*${name}|${name}>`).test(plain));
}

type Asked = { readonly id: number; readonly text: string; readonly channel: string };
type Told = { readonly id: number; readonly neutralised: string; readonly flagged: boolean };

async function explain(asked: readonly Asked[]): Promise<readonly Told[]> {
  const input = asked.map((each) => `${JSON.stringify(each)}\n`).join("");
  const { code, stdout } = await bench.run(["explain", "text", "--jsonl"], { input });
  expect(code).toBe(0);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("no mark gets through, cleaning twice is cleaning once, and plain text stays as it is", async () => {
  bench = await openWorkbench([]);
  const texts = Array.from({ length: rounds({ usual: 300, long: 20_000 }) }, makeText);
  const asked = texts.flatMap((text, at) =>
    channels.map((channel, index) => ({ id: at * channels.length + index, text, channel })),
  );
  const told = await explain(asked);
  expect(told).toHaveLength(asked.length);
  const leaks = asked.flatMap(({ text, channel }, at) => {
    const { neutralised = "", flagged = false } = told[at] ?? {};
    const isLeak = keptAsIs.has(channel) ? !flagged && marksIn(text).length > 0 : marksIn(neutralised).length > 0;
    return isLeak ? [{ channel, text, neutralised }] : [];
  });
  expect(leaks, `seed ${random.seed}`).toEqual([]);

  const again = asked
    .map(({ id, channel }, at) => ({ id, channel, text: told[at]?.neutralised ?? "" }))
    .filter(({ channel }) => !keptAsIs.has(channel));
  const twice = await explain(again);
  expect(twice.filter(({ neutralised }, at) => neutralised !== again[at]?.text)).toEqual([]);

  const ordinary = [
    "Use tabs.\n\n- a < b\n- Map<string, number>",
    "Größe 5 mm, naïve café, 日本語",
    "<div class='x'>y</div> & co.",
  ];
  const kept = ordinary.flatMap((text, at) => channels.map((channel) => ({ id: at, text, channel })));
  expect(
    (await explain(kept)).map(({ neutralised, flagged }, at) => [kept[at]?.channel, neutralised, flagged]),
  ).toEqual(
    kept.map(({ channel, text }) => [
      channel,
      channel === "memory" || channel === "peer" ? text.normalize("NFKC") : text,
      false,
    ]),
  );
}, 1_800_000);

test("the engine uses the same: what the model is sent of files, results and memory is what explain says", async () => {
  const read: MockTurn = { toolCalls: [{ name: "read", input: { filePath: "note.txt:raw" } }] };
  bench = await openWorkbench([read, { text: "Done." }]);
  const marks = Array.from({ length: 12 }, (_, at) => `Line ${at} ${makeMark().replaceAll("\n", " ")} end.`);
  const text = marks.join("\n");
  writeFileSync(join(bench.project, "AGENTS.md"), text);
  writeFileSync(join(bench.project, "note.txt"), text);
  await bench.run(["-p", "hi", "--trust"]);
  const sent = (bench.model.requests.at(-1)?.body.messages ?? []).map(({ content }) => content ?? "");
  const [instruction, tool] = await explain([
    { id: 1, text, channel: "instruction" },
    { id: 2, text, channel: "tool" },
  ]);
  expect(sent[1]).toContain(`\n${instruction?.neutralised}\n</instruction-file>`);
  expect(sent.at(-1)).toContain(tool?.neutralised);
});
