/** What goes wrong: one clear sentence, and a prompt or a shell that works afterwards. */
import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { tooManyRequests } from "@kedge/testing/screen-terminal";
import { expect, test } from "vitest";
import { openStage, promptIs, send, startTimeoutMs, waitMs } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };

test("a key that is not accepted is told once, and the next prompt is answered", slow, async () => {
  const { terminal } = await open({
    script: [
      { status: 401, body: JSON.stringify({ error: { message: "Incorrect API key.", type: "invalid_request_error" } }) },
      { text: "Now it works." },
    ],
  });
  await send(terminal, "Hello.");
  const screen = await terminal.shows(/key/, waitMs);
  console.log((await terminal.settled(300)).join("\n"), screen.length);
  await send(terminal, "Hello again.");
  await terminal.shows("Now it works.", waitMs);
});

test("a model that is asked too often is asked again, and the wait is counted down", slow, async () => {
  const { terminal, model } = await open({ script: [tooManyRequests(2), { text: "Here I am." }] });
  await send(terminal, "Hello.");
  console.log((await terminal.shows(/again in \d s/, waitMs)).join("\n"));
  await terminal.shows("again in 1 s", waitMs);
  await terminal.shows("Here I am.", waitMs);
  expect(model.requests.length).toBe(2);
});

test("a server that is not there is told, and escape ends the waiting", slow, async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const { terminal } = await open({ script: { baseUrl: `http://127.0.0.1:${port}/v1` } });
  await send(terminal, "Hello.");
  console.log((await terminal.shows(/again in/, waitMs)).join("\n"));
  terminal.press("escape");
  await terminal.shows("! interrupted", waitMs);
  console.log(terminal.screen().join("\n"));
  terminal.type("still here");
  await promptIs(terminal, "still here");
});

test("broken settings end the start with a sentence and a terminal as before", slow, async () => {
  const { terminal, kedgeHome, restart } = await open({ script: [] });
  writeFileSync(join(kedgeHome, "config.json"), "{ this is no JSON");
  const again = await restart();
  expect(await again.ended()).not.toBe(0);
  console.log(again.screen().join("\n"), await again.ended());
});

test("an engine that dies gives the terminal back and says so", slow, async () => {
  const { terminal, kedgeHome } = await open({ script: [] });
  console.log(readdirSync(kedgeHome, { recursive: true }));
  await send(terminal, "Hello.");
  await terminal.shows("Done.", waitMs);
  for (const name of readdirSync(kedgeHome)) if (/\.(db|sqlite)/.test(name)) writeFileSync(join(kedgeHome, name), "garbage".repeat(1000));
  terminal.type("Again.");
  terminal.press("enter");
  await terminal.settled(2500, 20_000);
  console.log(terminal.screen().join("\n"));
});
