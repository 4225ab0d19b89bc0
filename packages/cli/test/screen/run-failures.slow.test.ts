/** What goes wrong: one clear sentence, and a prompt or a shell that works afterwards. */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paced, tooManyRequests } from "@kedge/testing/screen-terminal";
import { expect, test } from "vitest";
import { openStage, promptIs, send, startTimeoutMs, waitMs } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };

test("a key that is not accepted is told once, and the next prompt is answered", slow, async () => {
  const { terminal } = await open({
    script: [
      {
        status: 401,
        body: JSON.stringify({ error: { message: "Incorrect API key.", type: "invalid_request_error" } }),
      },
      { text: "Now it works." },
    ],
  });
  await send(terminal, "Hello.");
  const screen = await terminal.shows("rejected the API key (status 401): Incorrect API key.", waitMs);
  expect(screen.join("\n").split("rejected the API key").length - 1).toBe(1);
  await send(terminal, "Hello again.");
  await terminal.shows(/Hello\.[\s\S]*rejected the API key[\s\S]*Hello again\.[\s\S]*Now it works\./, waitMs);
});

test("a model that is asked too often is asked again, and the wait is counted down", slow, async () => {
  const { terminal, model } = await open({ script: [tooManyRequests(2), { text: "Here I am." }] });
  await send(terminal, "Hello.");
  await terminal.shows(/retrying in 2 s \(1 of \d+\): \S+ is rate limiting requests/, waitMs);
  await terminal.shows("retrying in 1 s", waitMs);
  await terminal.shows("Here I am.", waitMs);
  expect(model.requests.length).toBe(2);
});

test("a server that does not exist is told, and the prompt works afterwards", slow, async () => {
  const port = await unusedPort();
  const { terminal } = await open({ script: { baseUrl: `http://127.0.0.1:${port}/v1` }, columns: 110 });
  await send(terminal, "Hello.");
  await terminal.shows(/retrying in 1 s \(1 of \d\)/, waitMs);
  const screen = await terminal.shows(`✗ Cannot reach 127.0.0.1:${port}: the connection was refused`, waitMs);
  expect(screen.join("\n").split("✗ Cannot reach").length - 1).toBe(1);
  terminal.type("still here");
  await promptIs(terminal, "still here");
});

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const restored = { isAlternateScreen: false, isBracketedPaste: false, isFocusTold: false, isMouseTaken: false };

test("broken settings end the start with a sentence and a terminal as before", slow, async () => {
  const { kedgeHome, restart } = await open({ script: [] });
  writeFileSync(join(kedgeHome, "config.json"), "{ this is no JSON");
  const terminal = await restart();
  expect(await terminal.ended()).toBe(1);
  const told = terminal.screen().filter((row) => row !== "");
  expect(told).toEqual(["kedge: ~/.kedge/config.json is not valid JSON at line 1, column 3."]);
  expect(terminal.state()).toMatchObject({ ...restored, cursor: { isShown: true } });
});

/** Throws where the engine runs, as soon as a file appears in the home. */
const defect = `
const { isMainThread } = require("node:worker_threads");
const { existsSync } = require("node:fs");
const look = () => {
  if (existsSync(process.env.HOME + "/die")) throw new Error("A defect that nobody expected.\\nWith a second line.");
};
if (!isMainThread) setInterval(look, 20);
`;

test("an engine that dies gives the terminal back and says so", slow, async () => {
  const folder = mkdtempSync(join(tmpdir(), "kedge-defect-"));
  try {
    writeFileSync(join(folder, "defect.cjs"), defect);
    const { terminal, home, restart } = await open({
      script: [paced({ text: "I am still here. ".repeat(200), deltaCharacters: 10 }, 20)],
      environment: { NODE_OPTIONS: `--require=${join(folder, "defect.cjs")}` },
    });
    await send(terminal, "Are you there?");
    await terminal.shows("I am still", waitMs);
    writeFileSync(join(home, "die"), "");
    expect(await terminal.ended()).toBe(1);
    expect(terminal.screen().join("").trim()).toMatch(
      /^kedge: The engine stopped: A defect that nobody expected\.+ Resume with kedge --continue\.$/,
    );
    expect(terminal.state()).toMatchObject({ ...restored, cursor: { isShown: true } });
    rmSync(join(home, "die"));
    const again = await restart(["--continue"]);
    await again.shows("Are you there?", waitMs);
    await again.shows("The last run was interrupted. Resume it with /continue.", waitMs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
