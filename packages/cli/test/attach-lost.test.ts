/** Proves in a real terminal that a screen whose server is gone says so at once, and goes on when it is back. */
import { afterEach, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "./serve-bench.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
let server: ServerProcess | undefined;
let terminal: Terminal | undefined;
afterEach(async () => {
  await terminal?.close();
  await server?.stop();
  await bench?.close();
});

test.each([
  ["the screen", []],
  ["the console", ["--console"]],
])(
  "%s says that the server of kedge attach is lost before anything is sent, and goes on when it is back",
  async (_, more) => {
    bench = await openWorkbench([{ text: "Hello." }, { text: "Still here." }]);
    const added = await bench.run(["token", "add", "me", "--scope", "approve", "--ttl", "1h", "--json"]);
    const { token } = JSON.parse(added.stdout) as { readonly token: string };
    server = await startServerProcess(bench);
    terminal = openTerminal(bench, ["attach", server.url, "--token", token, ...more]);
    await terminal.shows(more.length === 0 ? "mock/mock-model" : "> ");
    terminal.type("Hi");
    terminal.press("Enter");
    await terminal.shows("Hello.");
    const { port } = new URL(server.url);
    await server.stop();
    await terminal.shows(more.length === 0 ? "connection to the server lost" : "connection to the server is lost");
    server = await startServerProcess(bench, ["--port", port]);
    await terminal.shows("Reconnected to the server");
    terminal.type("And now?");
    terminal.press("Enter");
    const screen = await terminal.shows("Still here.");
    expect(screen).toMatch(/Hello\.[\s\S]*And now\?[\s\S]*Still here\./);
    const said = bench.model.requests.at(-1)?.body.messages?.filter(({ role }) => role === "user");
    expect(said?.map(({ content }) => content)).toEqual(["Hi", "And now?"]);
  },
  60_000,
);
