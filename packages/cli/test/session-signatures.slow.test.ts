/** Proves with the real program that sessions are signed, and that verify tells a change from what was meant to be. */
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

const answer = () => ({ text: "Done." });

type Report = { readonly sessionId: string; readonly valid: boolean; readonly signature: string };

/** Changes the database as somebody would who is not kedge. */
function tamper(statements: string): void {
  const database = new DatabaseSync(join(bench.home, "data", "kedge.db"), { enableForeignKeyConstraints: false });
  database.exec(statements);
  database.close();
}

const verify = (...words: readonly string[]) => bench.run(["session", "verify", ...words]);

test("a run leaves a signed session, and whoever cuts it back is found out", async () => {
  bench = await openWorkbench(answer);
  await bench.run(["-p", "hello"]);
  const keyFile = join(bench.home, "data", "journal-key");
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  const whole = await verify();
  expect(whole).toMatchObject({ code: 0, stderr: "" });
  expect(whole.stdout).toMatch(/^ses_\w+: valid\. The chain of \d+ records is intact and is signed\.\n$/);
  const report = JSON.parse((await verify("--json")).stdout);
  expect(report).toMatchObject({ valid: true, signature: "valid", signedSeq: report.records });

  tamper(`DELETE FROM fact WHERE seq > 2;
    UPDATE session SET last_seq = 2, head = (SELECT hash FROM fact WHERE seq = 2)`);
  expect(await verify()).toEqual({
    code: 1,
    stdout: `${report.sessionId}: tampered with at record 3: records up to the signed record ${report.records} were removed.\n`,
    stderr: "",
  });
  const cut = await verify("--json");
  expect(cut.code).toBe(1);
  expect(JSON.parse(cut.stdout)).toEqual({
    ...{ sessionId: report.sessionId, valid: false, records: 2, payloadsRemoved: 0, truncated: false },
    ...{ tampered: true, signature: "not-in-chain", signedSeq: report.records },
    problem: { seq: 3, what: `records up to the signed record ${report.records} were removed` },
  });
});

test("a wrong signature is tampering, and a missing key is told", async () => {
  bench = await openWorkbench(answer);
  await bench.run(["-p", "hello"]);
  tamper("UPDATE signed_head SET key_id = 'another'");
  expect(await verify()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ records is intact; it was signed with a key that is not available here\.\n$/),
  });
  await bench.run(["-p", "again", "--continue"]);
  tamper("UPDATE signed_head SET seq = seq - 1");
  expect(await verify()).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^ses_\w+: tampered with at record \d+: the signature does not match its record/),
  });
});

test("a deleted session can be verified by its id, and --all knows what is listed nowhere", async () => {
  bench = await openWorkbench(answer);
  await bench.run(["-p", "hello"]);
  const { sessionId } = JSON.parse((await verify("--json")).stdout);
  expect(await bench.run(["session", "delete", sessionId, "--yes"])).toMatchObject({ code: 0 });
  expect(JSON.parse((await bench.run(["session", "list", "--json"])).stdout)).toEqual([]);
  const bare = await verify(sessionId);
  expect(bare).toMatchObject({ code: 0 });
  expect(bare.stdout).toMatch(
    /^ses_\w+: valid, \d+ payloads removed\. The chain of \d+ records is intact and is signed\.\n$/,
  );
  const reports: readonly Report[] = JSON.parse((await verify("--all", "--json")).stdout);
  expect(reports.map(({ valid, signature }) => ({ valid, signature }))).toEqual([
    { valid: true, signature: "valid" },
    { valid: true, signature: "valid" },
  ]);
  expect(reports.map((report) => report.sessionId)).toEqual([
    sessionId,
    expect.stringMatching(/^journal_[0-9a-f]{64}$/),
  ]);

  tamper(`DELETE FROM fact WHERE session = 1; DELETE FROM session WHERE key = 1;
    DELETE FROM signed_head WHERE session_id = '${sessionId}'`);
  expect(await verify("--all")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`the last record of the deleted session ${sessionId} is gone.\n`),
  });
});

test("journal.sign switches it off for its user, and a project has no say", async () => {
  bench = await openWorkbench(answer, { journal: { sign: false } });
  writeFileSync(join(bench.project, "kedge.json"), JSON.stringify({ journal: { sign: true } }));
  const { stderr } = await bench.run(["-p", "hello", "--trust"]);
  expect(stderr).toContain("journal is ignored: a project may not decide whether its sessions are signed");
  expect((await verify("--trust")).stdout).toMatch(
    /: valid\. The chain of \d+ records is intact and is not signed\.\n$/,
  );
  expect(existsSync(join(bench.home, "data", "journal-key"))).toBe(false);
});
