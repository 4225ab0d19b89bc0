/** Proves each line of the table of failed starts: kedge says that sentence, and exits or continues as the line says. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appeared, type Ended, ended, openWorkbench, type Workbench } from "./workbench.ts";

type Line = { readonly says: string; readonly then: string };

const document = readFileSync(join(import.meta.dirname, "../../../docs/troubleshooting.md"), "utf8");
const lines: readonly Line[] = [...document.matchAll(/^\| `(kedge: .+?)` \| (\w+)/gm)].map(
  ([, says = "", then = ""]) => ({
    says,
    then,
  }),
);

let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench([{ text: "Fine." }]);
});
afterEach(() => bench.close());

const run = (...flags: readonly string[]) => bench.run(["-p", "hi", ...flags]);
const inHome = (name: string, text: string) => writeFileSync(join(bench.home, name), text);
const inProject = (name: string, text: string) => writeFileSync(join(bench.project, name), text);

/** Puts something before the program, in the same process. */
function runAfter(code: string): Promise<Ended> {
  const path = join(bench.directory, "before.cjs");
  writeFileSync(path, code);
  return bench.run(["-p", "hi"], { environment: { NODE_OPTIONS: `--require=${path}` } });
}

/** By the beginning of the sentence. */
const causes: { readonly [beginning: string]: () => Promise<Ended> } = {
  "kedge: Node": () =>
    runAfter('Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });'),
  "kedge: Unknown flag": () => run("--modle", "a/b"),
  "kedge: The current directory": () => {
    const gone = join(bench.project, "gone");
    return runAfter(
      `const fs = require("node:fs"); fs.mkdirSync(${JSON.stringify(gone)}); process.chdir(${JSON.stringify(gone)}); fs.rmdirSync(${JSON.stringify(gone)});`,
    );
  },
  "kedge: Cannot write": () => {
    writeFileSync(join(bench.directory, "file"), "");
    return bench.run(["-p", "hi"], { environment: { KEDGE_HOME: join(bench.directory, "file", "home") } });
  },
  "kedge: Cannot use the trust file": () => {
    inProject("kedge.json", "{}");
    inHome("trust.json", "{ half");
    return run();
  },
  "kedge: This project's allow rules": () => {
    inProject("kedge.json", "{}");
    return run();
  },
  "kedge: … is not valid JSON": () => {
    inHome("config.json", "{ half");
    return run();
  },
  "kedge: … is not valid YAML": () => {
    inProject("kedge.yml", "limits: [\n");
    return run();
  },
  "kedge: …: … is not a setting": () => {
    inProject("more.json", '{ "modle": 1 }');
    return run("--settings", "more.json");
  },
  "kedge: … cannot be read": () => run("--settings", "absent.json"),
  "kedge: The database was damaged": () => {
    mkdirSync(join(bench.home, "data"));
    inHome("data/kedge.db", "no database ".repeat(1_000));
    return run();
  },
  "kedge: … was written by a newer": async () => {
    await run();
    const database = new DatabaseSync(join(bench.home, "data", "kedge.db"));
    database.exec("PRAGMA user_version = 9999");
    database.close();
    return run();
  },
  "kedge: No model": () => {
    inHome("config.json", "{}");
    return run();
  },
  "kedge: Unknown provider": () => run("--model", "nobody/model"),
  "kedge: No API key": () => run("--model", "openai/gpt-5"),
  "kedge: No session": () => run("--resume", "nothing"),
  "kedge: Session … is in use": async () => {
    const other = bench.start(["--console"]);
    const over = ended(other);
    await appeared(other, "Exit: /exit.");
    const refused = await run("--continue");
    other.stdin.end();
    await over;
    return refused;
  },
  "kedge: Cannot reach": () => {
    const provider = { mock: { api: "openai-chat", baseURL: "http://127.0.0.1:1/v1" } };
    inHome("config.json", JSON.stringify({ model: "mock/m", provider }));
    return run();
  },
  "kedge: Unexpected error": () => runAfter('require("node:os").homedir = () => { throw new Error("it broke"); };'),
};

test("every line of the table has a cause, and every cause a line", () => {
  const beginnings = Object.keys(causes);
  expect(lines.map(({ says }) => beginnings.find((each) => says.startsWith(each)))).toEqual(beginnings);
});

test.each(lines)("$says", async ({ says, then }) => {
  const cause = Object.entries(causes).find(([beginning]) => says.startsWith(beginning))?.[1];
  const { code, stdout, stderr } = (await cause?.()) ?? { code: null, stdout: "", stderr: "" };
  const sentence = says.replace(/[.?*+^$()[\]{}|\\]/g, "\\$&").replaceAll("…", ".+?");
  expect(stderr).toMatch(new RegExp(`^${sentence}`, "m"));
  expect(stderr).not.toMatch(/\n +at /);
  const outcome = code === 0 && stdout === "Fine.\n" ? "continues" : code !== 0 && stdout === "" ? "exits" : "unknown";
  expect(outcome).toBe(then);
});
