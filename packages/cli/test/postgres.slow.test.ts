/** Proves with the real program that sessions can be kept in PostgreSQL, and what it says when the server does not exist. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type PostgresCluster, startPostgres, type TestDatabase } from "@kedge/testing/postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let cluster: PostgresCluster;
let database: TestDatabase;
let bench: Workbench;

beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster?.end());

beforeEach(async () => {
  database = await cluster.newDatabase();
  const call = { name: "write", input: { filePath: "made.txt", content: "made\n" } };
  const script = [{ toolCalls: [call] }, { text: "The lighthouse is made." }, { text: "And the harbour." }];
  bench = await openWorkbench(script, { storage: { url: database.url } });
});
afterEach(async () => {
  await bench.close();
  await database.drop();
});

async function json(...words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await bench.run([...words, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const made = () => join(bench.project, "made.txt");

test("a session is run, continued, listed, shown, searched, verified, exported and undone", async () => {
  const prompted = await bench.run(["-p", "make a lighthouse", "--allow", "write"]);
  expect(prompted).toEqual({ code: 0, stdout: "The lighthouse is made.\n", stderr: "" });
  expect(await bench.run(["-p", "--continue", "what else?"])).toMatchObject({ code: 0, stdout: "And the harbour.\n" });
  expect(bench.model.requests.at(-1)?.body.messages?.length).toBeGreaterThan(4);

  const [listed, ...others] = (await json("session", "list")) as readonly { sessionId: string; title: string }[];
  expect([listed?.title, others]).toEqual(["make a lighthouse", []]);
  const sessionId = listed?.sessionId ?? "";
  expect((await bench.run(["session", "show", sessionId])).stdout).toContain("The lighthouse is made.");
  expect(await json("session", "search", "lighthouse is")).toMatchObject([{ sessionId, role: "assistant" }]);
  expect((await bench.run(["session", "verify", sessionId])).stdout).toMatch(/valid/);
  const exported = (await bench.run(["session", "export", sessionId])).stdout;
  expect(exported).toContain("And the harbour.");
  expect((await bench.run(["stats"])).code).toBe(0);

  expect(readFileSync(made(), "utf8")).toBe("made\n");
  expect((await bench.run(["undo"])).code).toBe(0);
  expect(await bench.run(["undo"])).toEqual({ code: 0, stdout: "deleted   made.txt\n", stderr: "" });
  expect(existsSync(made())).toBe(false);
  expect((await bench.run(["session", "verify", sessionId])).stdout).toMatch(/valid/);

  expect(readdirSync(join(bench.home, "data")).filter((name) => name.startsWith("kedge.db"))).toEqual([]);
  const storage = await bench.run(["doctor"]);
  expect(storage.stdout).toMatch(new RegExp(`database .* on 127\\.0\\.0\\.1:${cluster.port}/${database.name}`));
  expect((await bench.run(["session", "delete", sessionId, "--yes"])).stderr).toBe("");
  expect(await json("session", "list")).toEqual([]);
});

test("the variable wins over the setting, and reaches no command that the model runs", async () => {
  const other = await cluster.newDatabase();
  const environment = { KEDGE_DATABASE_URL: other.url };
  const shell = await openWorkbench([
    { toolCalls: [{ name: "bash", input: { command: "env", description: "show" } }] },
    { text: "Seen." },
  ]);
  try {
    const ran = await shell.run(["-p", "show it", "--allow", "bash"], { environment });
    expect(ran).toEqual({ code: 0, stdout: "Seen.\n", stderr: "" });
    const shown = JSON.stringify(shell.model.requests.at(-1)?.body.messages);
    expect([shown.includes("PATH="), shown.includes("KEDGE_DATABASE_URL")]).toEqual([true, false]);
    expect(await other.query("SELECT count(*)::integer AS sessions FROM kedge.session")).toEqual([{ sessions: 1 }]);
  } finally {
    await shell.close();
    await other.drop();
  }
});

test("a server that cannot be reached is one sentence with a next step, without the password", async () => {
  const url = database.url.replace(`:${cluster.port}/`, ":1/");
  const environment = { KEDGE_DATABASE_URL: url };
  const sentence = `kedge: The PostgreSQL database 127.0.0.1:1/${database.name} cannot be reached. Check that the server is running and the URL is correct.\n`;
  for (const argv of [["-p", "hello"], ["session", "list"], ["stats"]]) {
    expect(await bench.run(argv, { environment })).toMatchObject({ stdout: "", stderr: sentence });
  }
  const doctor = await bench.run(["doctor"], { environment });
  expect(doctor.stdout).toContain(`The PostgreSQL database 127.0.0.1:1/${database.name} cannot be reached.`);
  expect(JSON.stringify(doctor)).not.toContain("secret");
  const told = await bench.run(["config", "explain"], { environment });
  expect(`${told.stdout}${told.stderr}`).not.toContain("a%20secret");
});

test("a second machine goes on with a session, vouches for its own part, and says that it cannot undo", async () => {
  writeFileSync(join(bench.project, "kept.txt"), "kept\n");
  await bench.run(["-p", "make a lighthouse", "--allow", "write"]);
  const [listed] = (await json("session", "list")) as readonly { sessionId: string }[];
  const sessionId = listed?.sessionId ?? "";
  const second = join(bench.directory, "second");
  mkdirSync(second);
  copyFileSync(join(bench.home, "config.json"), join(second, "config.json"));
  const environment = { KEDGE_HOME: second };
  const verified = async () => (await bench.run(["session", "verify", sessionId], { environment })).stdout;
  expect(await verified()).toMatch(
    /: valid\. The chain of \d+ records is intact; it was signed with a key that is not available here\.\n$/,
  );
  const undone = await bench.run(["undo"], { environment });
  const sentence =
    "kedge: The snapshot cannot be read: it is not on this machine. Undo where the files were changed.\n";
  expect(undone).toEqual({ code: 1, stdout: "", stderr: sentence });
  expect(existsSync(made())).toBe(true);
  const more = await bench.run(["-p", "--continue", "what else?"], { environment });
  expect(more).toMatchObject({ code: 0, stdout: "And the harbour.\n" });
  expect(await verified()).toMatch(/: valid\. The chain of \d+ records is intact and is signed\.\n$/);
});
