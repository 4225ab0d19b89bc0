/** What a person is asked for on the screen: parameters of a command that are missing, and an account to sign in with. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AccountServer, startAccountServer } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asked, closed, openStage, send, startTimeoutMs, userTexts, waitMs } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };

let server: AccountServer;
beforeEach(async () => {
  server = await startAccountServer();
});
afterEach(() => server.close());

test("required parameters that are missing are asked for, and dismissing sends nothing", slow, async () => {
  const file = "  - name: file\n    description: which file\n    required: true\n";
  const tone = "  - name: tone\n    required: true\n    choices: [plain, formal]\n";
  const text = `---\ndescription: Explain a file\nparameters:\n${file}${tone}---\nExplain $file in a $tone tone.\n`;
  const { terminal, model } = await open({
    script: [{ text: "It is like this." }],
    files: { ".kedge/commands/explain.md": text },
    arguments: ["--trust"],
  });
  await send(terminal, "/explain");
  await asked(terminal, "file: which file");
  terminal.press("escape");
  await closed(terminal, "Questions");
  expect(model.requests).toEqual([]);
  await send(terminal, "/explain");
  await asked(terminal, "file: which file");
  terminal.type("src/my file.ts");
  await terminal.shows("src/my file.ts", waitMs);
  terminal.press("enter");
  await terminal.shows("tone?", waitMs);
  terminal.press("down");
  await terminal.shows("❯ 2   formal", waitMs);
  terminal.press("enter");
  await terminal.shows("Send these answers?", waitMs);
  terminal.press("enter");
  await terminal.shows("It is like this.", waitMs);
  expect(userTexts(model.requests[0] ?? expect.fail()).at(-1)).toContain("Explain src/my file.ts in a formal tone.");
});

test("signing in says who pays, shows the address and the code, and waits until the vendor agrees", slow, async () => {
  server.answers.polls.push(...Array<"authorization_pending">(500).fill("authorization_pending"));
  const { terminal, kedgeHome } = await open({
    script: [],
    settings: { signIn: { providers: { "github-copilot": { clientId: "our-client", host: server.url } } } },
    environment: { KEDGE_KEYRING: "off" },
  });
  await send(terminal, "/login");
  await terminal.shows("╭─ Providers", waitMs);
  terminal.type("copilot");
  await terminal.shows("❯ GitHub Copilot", waitMs);
  terminal.press("enter");
  await terminal.shows("Sign in to GitHub Copilot", waitMs);
  terminal.type("2");
  await terminal.shows("Copilot plan of the GitHub account", waitMs);
  terminal.type("s");
  await terminal.shows("Signing in to GitHub Copilot", waitMs);
  await terminal.shows("WDJB-MJHT", waitMs);
  expect(existsSync(join(kedgeHome, "credentials.json"))).toBe(false);
  server.answers.polls.splice(0);
  await closed(terminal, "Signing in to GitHub Copilot");
  expect(readFileSync(join(kedgeHome, "credentials.json"), "utf8")).toContain("github-copilot");
});
