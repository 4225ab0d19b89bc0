/** Invented secrets across the cap of every store of instructions and memory: no part of one is sent, listed or kept. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom, type MockTurn, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type MadeSecret, makeSecrets } from "../outside/made-secrets.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));
const secrets = makeSecrets(random).filter(
  ({ needsPlace, core, text, kind }) =>
    needsPlace === undefined && core.length >= 20 && !/[\n"'\\]/.test(text) && kind !== "duffel",
);
const draw = (): MadeSecret => secrets[random.below(secrets.length)] as MadeSecret;

let bench: Workbench;
afterEach(() => bench.close());

/** With some of its characters before the cap and the rest behind it. */
const across = (cap: number, { text }: MadeSecret, filler = "word ") =>
  `${filler.repeat(Math.ceil(cap / filler.length)).slice(0, Math.max(0, cap - 1 - random.below(text.length)))} ${text} end`;

function everyByte(directory: string, isLeftOut: (path: string) => boolean): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !isLeftOut(path))
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

const partsOf = ({ core }: MadeSecret) => Array.from({ length: core.length - 9 }, (_, at) => core.slice(at, at + 10));

for (let round = 0; round < rounds({ usual: 3, long: 60 }); round += 1)
  test(`no part of a secret is left where a text is cut, round ${round + 1}`, async () => {
    const turns: MockTurn[] = [];
    bench = await openWorkbench(turns, { memory: { team: true } });
    const { project, home, run } = bench;
    const used: MadeSecret[] = [];
    /** What the model itself says stands in its own answers, and is kept out of everything else. */
    const ofModel = new Set<MadeSecret>();
    const cut = (cap: number, filler?: string) => {
      const secret = draw();
      used.push(secret);
      return across(cap, secret, filler);
    };
    const directory = (await run(["memory", "path"])).stdout.trim();
    mkdirSync(directory, { recursive: true });
    mkdirSync(join(project, ".kedge/team-memory"), { recursive: true });

    writeFileSync(join(project, "AGENTS.md"), cut(40_000, "line of text\n"));
    writeFileSync(join(project, ".kedge/RULES.md"), cut(4_000));
    const topic = (name: string, description: string, body: string) =>
      `---\nname: ${name}\ndescription: ${description}\ntype: project\n---\n${body}\n`;
    writeFileSync(join(directory, "by-hand.md"), topic(cut(80), cut(200), cut(4_096)));
    writeFileSync(join(project, ".kedge/team-memory/team.md"), topic(cut(80), cut(200), cut(4_096)));
    // Lines of the user's own below the table of contents, across its 25,000 bytes.
    writeFileSync(join(directory, "MEMORY.md"), `# Memory\n\n${cut(25_000, `${"x".repeat(140)}\n`)}\n`);
    await run(["memory", "add", `${cut(80)} ${cut(200)}`]);
    const before = used.length;
    const written = topic("Tests", cut(120), cut(4_096));
    turns.push(
      { toolCalls: [{ name: "write", input: { filePath: join(directory, "tests.md"), content: written } }] },
      { text: `The answer is ${cut(200)}.` },
    );
    for (const secret of used.slice(before)) ofModel.add(secret);
    await run(["--console", "--trust"], { input: "Remember how tests run\n/file The answer\n/memory\n/exit\n" });
    turns.push({ text: "Done." }, { text: "Done." });
    await run(["-p", "hi"]);
    const told = await Promise.all([
      run(["memory", "list"]),
      run(["memory", "inbox"]),
      run(["memory", "lint", "--json"]),
      run(["instructions", "--json"]),
      run(["-p", "/memory"]),
    ]);
    const sent = bench.model.requests.map(({ raw }) => raw.toString("utf8")).join("\n");
    const printed = told.map(({ stdout, stderr }) => stdout + stderr).join("\n");
    // What the user wrote by hand stays as it is; the answer of the model is redacted when it is filed and exported.
    const kept = everyByte(join(home, "projects"), (path) => /by-hand\.md$/.test(path));
    const leaks = { sent, printed, kept };
    const found = Object.entries(leaks).flatMap(([place, text]) =>
      used
        .filter((secret) => place !== "sent" || !ofModel.has(secret))
        .filter((secret) => partsOf(secret).some((part) => text.includes(part)))
        .map(({ kind }) => `${kind} ${place}`),
    );
    expect(found, `seed ${random.seed}`).toEqual([]);
    expect(sent).toContain("line of text");
    expect(sent).toMatch(/REDACTED/);
  });
