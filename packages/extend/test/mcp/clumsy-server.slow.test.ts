/** Proves that a server that does something wrong costs one sentence, and that nothing of it is left behind. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { stdioServer, type Tried, tryServer } from "./try-server.ts";

let tried: Tried | undefined;
afterEach(() => tried?.close());

const file = join(import.meta.dirname, "clumsy-server.mjs");
const clumsy = (fault: string, more = {}) => tryServer(stdioServer("clumsy", [file, fault], more));

test("one that ends at its start has failed, and its standard error is in the log alone", async () => {
  tried = clumsy("exits at start");
  await tried.live.connect();
  expect(tried.live.state()).toMatchObject({ state: "failed" });
  expect(JSON.stringify(tried.live.state())).not.toContain("secret");
  expect(tried.live.log.text()).toContain("secret of the server");
  expect(tried.live.log.text()).toContain("exited with code 3");
  expect(JSON.stringify(tried.live.state())).toContain("it exited with code 3");
});

test("a program that does not exist has failed", async () => {
  const server = stdioServer("none", []);
  tried = tryServer({ ...server, transport: { type: "stdio", command: "/no/such/program", args: [], env: {} } });
  await tried.live.connect();
  expect(tried.live.state()).toMatchObject({ state: "failed" });
});

test("lines that are no messages are passed over", async () => {
  tried = clumsy("invalid JSON");
  await tried.live.connect();
  expect(tried.live.state()).toEqual({ state: "connected" });
  expect(await tried.call("fine")).toMatchObject({ output: expect.stringContaining("fine is done") });
});

test("a flood of notices leads to one look at the list", async () => {
  tried = clumsy("floods");
  await tried.live.connect();
  expect(await tried.call("fine")).toMatchObject({ output: expect.stringContaining("fine is done") });
});

test("one that ends in a call says so without its insides, and is started again for the next call", async () => {
  tried = clumsy("");
  await tried.live.connect();
  const crashed = await tried.call("crash");
  expect(crashed).toEqual({
    output:
      "crash of the MCP server clumsy did not finish: the server may have crashed or restarted. Whether it had an effect is unknown.",
    isError: true,
    title: "clumsy crash",
    metadata: { server: "clumsy", tool: "crash" },
  });
  expect(await tried.call("fine")).toMatchObject({ output: expect.stringContaining("fine is done") });
});

test("one that ends again and again is given up after three starts", async () => {
  tried = clumsy("");
  await tried.live.connect();
  for (let at = 0; at < 4; at += 1) await tried.call("crash");
  expect(await tried.call("fine")).toMatchObject({
    isError: true,
    output:
      "The MCP server clumsy failed: it exited too often. Reconnect it with /mcp. Tell the user to run: kedge mcp logs clumsy. Continue without it.",
  });
  await tried.live.reconnect();
  expect(await tried.call("fine")).toMatchObject({ output: expect.stringContaining("fine is done") });
});

test("80 MB on standard error leave only their last lines, for people alone", async () => {
  tried = clumsy("noisy");
  await tried.live.connect();
  const before = process.memoryUsage().rss;
  const { output } = await tried.call("noisy");
  expect(output).toContain("said enough");
  expect(output).not.toContain("noise");
  await expect.poll(() => tried?.live.log.text() ?? "").toContain("noise");
  expect(tried.live.log.text().length).toBeLessThan(300_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
});

test("half a gigabyte in one message ends it, and the next call works", async () => {
  tried = clumsy("");
  await tried.live.connect();
  const before = process.memoryUsage().rss;
  expect(await tried.call("huge")).toMatchObject({
    isError: true,
    output: "huge of the MCP server clumsy answered with more than 32 MB, which is not read. Ask for less.",
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  expect(await tried.call("fine")).toMatchObject({ output: expect.stringContaining("fine is done") });
});

test("an answer to nobody's question is passed over", async () => {
  tried = clumsy("");
  await tried.live.connect();
  expect(await tried.call("wrong_id")).toMatchObject({ output: expect.stringContaining("right after all") });
});

test("an answer that is no message of the protocol ends its call", async () => {
  tried = clumsy("");
  await tried.live.connect();
  expect(await tried.call("both")).toMatchObject({
    isError: true,
    output: "both of the MCP server clumsy returned an invalid result.",
  });
});

test("an answer in a list behind a mark of byte order is read, and an error without an id ends the only call", async () => {
  tried = clumsy("");
  await tried.live.connect();
  expect((await tried.call("in_a_list")).output).toContain("from a list");
  expect(await tried.call("without_id")).toMatchObject({
    isError: true,
    output: expect.stringContaining("refused the call (code -32700)"),
  });
});

test("hundreds of thousands of requests are answered in part, and the memory stays as it was", async () => {
  tried = clumsy("");
  await tried.live.connect();
  await tried.call("fine");
  const before = process.memoryUsage().rss;
  expect((await tried.call("asks_endlessly")).output).toContain("asked enough");
  expect((process.memoryUsage().rss - before) / 1_048_576).toBeLessThan(150);
  expect(tried.live.log.text()).toContain("It sends more notices or requests than are read.");
});

test("content of an unknown kind and a result other than declared cost neither the text nor the call", async () => {
  tried = clumsy("");
  await tried.live.connect();
  const { output } = await tried.call("odd_block");
  expect(output).toContain("(content of an unknown kind, not shown)\n\nand a text");
  expect(await tried.call("undeclared")).toMatchObject({ output: expect.stringContaining("it was done") });
});

test.each(["endless pages", "nameless"])("a list with the fault %s gives its tools all the same", async (fault) => {
  tried = clumsy(fault);
  await tried.live.connect();
  expect(tried.tools.tools().map(({ name }) => name)).toContain("mcp__clumsy__fine");
  expect(tried.tools.tools().map(({ name }) => name)).not.toContain("mcp__clumsy__");
});

test("what it refuses is told without places on its machine", async () => {
  tried = clumsy("");
  await tried.live.connect();
  const { output } = await tried.call("refuse");
  expect(output).toContain("refuse of the MCP server clumsy refused the call (code -32602).");
  expect(output).not.toContain("somebody");
});

test("a person can stop waiting for one that never answers", async () => {
  tried = clumsy("never answers");
  const connecting = tried.live.connect();
  await tried.live.disconnect();
  await connecting;
  expect(tried.live.state()).toEqual({ state: "disabled", reason: "it was disconnected" });
});

test("a list that changes adds tools, and a description that changed is marked and asks again", async () => {
  tried = clumsy("");
  await tried.live.connect();
  const fine = () => tried?.tools.tools().find(({ name }) => name === "mcp__clumsy__fine");
  const before = fine();
  const changed = new Promise<void>((resolve) => {
    tried?.live.subscribe((what) => what === "tools" && resolve());
  });
  await tried.call("change");
  await changed;
  expect(tried.tools.tools().map(({ name }) => name)).toEqual(expect.arrayContaining(["mcp__clumsy__late"]));
  expect(tried.tools.changed()).toEqual(["fine"]);
  const after = fine();
  expect(after?.needs({}, "/")).not.toEqual(before?.needs({}, "/"));
  expect(await after?.caution?.({}, {} as never)).toBe("its description changed since it was first used");
  expect(await after?.preview?.({}, {} as never)).toContain("Its description changed since it was first used.");
});

test("names of built-in tools stay apart, odd ones are made to fit, and claims give no permission", async () => {
  tried = clumsy("odd tools");
  await tried.live.connect();
  const names = tried.tools.tools().map(({ name }) => name);
  expect(names.every((name) => /^mcp__clumsy__[\w-]+$/.test(name) && name.length <= 64)).toBe(true);
  expect(names).toEqual(
    expect.arrayContaining(["mcp__clumsy__bash", "mcp__clumsy__read_file", "mcp__clumsy__read_file_2"]),
  );
  expect(tried.notices).toContain("Skipped tools of MCP server clumsy: no_schema (its input is not an object).");
  const bash = tried.tools.tools().find(({ name }) => name === "mcp__clumsy__bash");
  expect(bash?.readOnly({})).toBe(false);
  expect(bash?.needs({}, "/")).toMatchObject([{ permission: "mcp__clumsy__bash", access: "execute" }]);
});

test.each(["grandchild", "ignores its end"])("nothing is left of one with the fault %s", async (fault) => {
  tried = clumsy(fault);
  await tried.live.connect();
  expect(tried.live.state()).toEqual({ state: "connected" });
  const group = groupOf(tried);
  await tried.close();
  tried = undefined;
  // A process that was killed is gone a moment later.
  await expect.poll(() => aliveIn(group)).toEqual([]);
});

/** Those that ended and that nobody has taken notice of do not live. */
function aliveIn(group: number): readonly string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [state, , processGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(processGroup) === group && state !== "Z" ? [stat] : [];
    } catch {
      return [];
    }
  });
}

/** The process of the server leads its group. */
function groupOf({ live }: Tried): number {
  const pid = /pid (\d+)/.exec(live.log.text())?.[1];
  return Number(pid);
}

test("more tools than are used are counted, and the notice says how many are left out", async () => {
  tried = clumsy("many tools");
  await tried.live.connect();
  expect(tried.tools.tools()).toHaveLength(1_000);
  expect(tried.notices).toEqual(["Using the first 1000 tools of MCP server clumsy; 213 more were left out."]);
});

test("a list without an end says that there is more", async () => {
  tried = clumsy("endless pages");
  await tried.live.connect();
  expect(tried.live.offers().toolsLeftOut).toBe("some");
});

test("a call of a tool whose server failed names the server, the reason and the next step", async () => {
  tried = clumsy("exits at start");
  const source = tried.tools.source.open({ sessionId: "s" });
  await source.settled?.();
  expect(source.whyMissing?.("mcp__clumsy__fine")).toBe(
    "The MCP server clumsy failed: it exited with code 3. Tell the user to run: kedge mcp logs clumsy. Continue without it.",
  );
  expect(source.whyMissing?.("mcp__other__fine")).toBeUndefined();
});

test("what a server says while it fails is shown to people and not to the model", async () => {
  tried = clumsy("refuses");
  const source = tried.tools.source.open({ sessionId: "s" });
  await source.settled?.();
  expect(tried.live.state()).toMatchObject({ state: "failed", isQuoted: true });
  expect(source.whyMissing?.("mcp__clumsy__fine")).toBe(
    "The MCP server clumsy failed. Tell the user to run: kedge mcp logs clumsy. Continue without it.",
  );
});

test("a tool that a connected server does not have is answered with those it has", async () => {
  tried = clumsy("");
  const source = tried.tools.source.open({ sessionId: "s" });
  await source.settled?.();
  expect(source.whyMissing?.("mcp__clumsy__nothing")).toMatch(
    /^The MCP server clumsy has no such tool\. It has: fine, bash, crash/,
  );
});
