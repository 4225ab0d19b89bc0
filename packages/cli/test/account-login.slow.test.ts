/** Proves `kedge auth login` with an account end to end: who pays is said, tokens are kept and renewed, policy can forbid it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AccountServer, type MockScript, startAccountServer } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

/** Keeps the machine's own keyring out of it. */
const environment = { KEDGE_KEYRING: "off" };

let server: AccountServer;
let bench: Workbench | undefined;
let terminal: Terminal | undefined;

beforeEach(async () => {
  server = await startAccountServer();
});

afterEach(async () => {
  await terminal?.close();
  await bench?.close();
  await server.close();
  terminal = undefined;
  bench = undefined;
});

/** Copilot as the fake server and the mock model stand for it. */
async function openBench(script: MockScript = [], signIn: object = {}): Promise<Workbench> {
  bench = await openWorkbench(script);
  server.answers.api = bench.model.baseUrl;
  const settings = {
    model: "github-copilot/claude-sonnet-4.6",
    titles: { enabled: false },
    signIn: { providers: { "github-copilot": { clientId: "our-client", host: server.url } }, ...signIn },
  };
  writeFileSync(join(bench.home, "config.json"), JSON.stringify(settings));
  return bench;
}

const auth = (words: string) => bench?.run(["auth", ...words.split(" ")], { environment });
const credentialFile = () => join(bench?.home ?? "", "credentials.json");

const notice =
  "kedge: Requests count against the Copilot plan of the GitHub account and are billed to its owner. GitHub may forbid use by other programs or bill it separately; check its terms before you sign in. kedge identifies itself as kedge.\n";

test("without a terminal the address and the code are printed, and requests carry the exchanged token", async () => {
  const { run, model } = await openBench([{ text: "Hello." }]);
  expect(await auth("login github-copilot device")).toEqual({
    code: 0,
    stdout: "Signed in to github-copilot. Tokens saved in a file that only you can read.\n",
    stderr: `${notice}kedge: Open ${server.url}/enter\nkedge: and enter the code WDJB-MJHT\n`,
  });
  expect(await auth("list")).toMatchObject({ stdout: "github-copilot  account, device: file\n" });
  expect(await auth("status github-copilot")).toMatchObject({
    stdout: expect.stringMatching(
      /^github-copilot: account \(device\) at http:\/\/127\.0\.0\.1:\d+ in file, current token valid until 20.*Z\n$/,
    ),
  });
  expect((await run(["models", "github-copilot"], { environment })).stdout).toContain("claude-sonnet-4.6");
  expect(await run(["-p", "hi"], { environment })).toMatchObject({ code: 0, stdout: "Hello.\n" });
  expect(model.requests[0]?.headers.authorization).toMatch(/^Bearer copilot-token-/);
  expect(await auth("logout github-copilot")).toMatchObject({
    stdout: "Removed the account for github-copilot.\n",
  });
  expect(readFileSync(credentialFile(), "utf8")).not.toContain("token-1");
});

test("a token that the vendor rejects is replaced within the same run", async () => {
  const { run, model } = await openBench([
    { status: 401, body: '{"error":{"message":"expired"}}' },
    { text: "Hello." },
  ]);
  await auth("login github-copilot device");
  expect(await run(["-p", "hi"], { environment })).toMatchObject({ code: 0, stdout: "Hello.\n" });
  const [first, second] = model.requests.map(({ headers }) => headers.authorization);
  expect(second).toMatch(/^Bearer copilot-token-/);
  expect(second).not.toBe(first);
  expect(readFileSync(credentialFile(), "utf8")).toContain(second?.slice("Bearer ".length));
});

test("an account that was revoked ends the run with what to do", async () => {
  const { run } = await openBench([{ status: 401, body: "{}" }]);
  await auth("login github-copilot device");
  server.answers.exchange = "revoked";
  server.answers.refresh = "revoked";
  const { code, stderr } = await run(["-p", "hi"], { environment });
  expect(code).toBe(1);
  expect(stderr).toContain("kedge auth login");
});

test("a policy or setting that forbids accounts is named, and nobody is asked", async () => {
  await openBench([], { allowed: false });
  expect(await auth("login github-copilot device")).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "kedge: Signing in to github-copilot with an account is not allowed: the setting signIn.allowed or your organization's policy disables it.\n",
  });
  expect(server.requests).toEqual([]);
  expect(existsSync(credentialFile())).toBe(false);
});

test("at a terminal the method is chosen, who pays is agreed to, and Ctrl+C ends the wait", async () => {
  server.answers.polls = Array(50).fill("authorization_pending");
  terminal = openTerminal(await openBench(), ["auth", "login", "github-copilot"]);
  await terminal.shows("How do you want to sign in? [1-2]");
  terminal.type("2");
  terminal.press("Enter");
  await terminal.shows("Continue? [y/N]");
  expect(server.requests).toEqual([]);
  terminal.type("y");
  terminal.press("Enter");
  await terminal.shows("enter the code WDJB-MJHT");
  terminal.press("C-c");
  expect(await terminal.ended()).toBe(130);
  expect(existsSync(credentialFile())).toBe(false);
});
