/** Proves that a program can talk to one session with JSON lines, and what happens to lines that are wrong. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockScript } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { appeared, ended, openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;

async function open(script: MockScript): Promise<Workbench> {
  bench = await openWorkbench(script);
  return bench;
}

afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const argv = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];
const own = (text: string) => `${JSON.stringify({ type: "user", text })}\n`;
const foreign = (content: unknown) => `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`;

type Line = { readonly [key: string]: unknown };
const linesOf = (text: string): readonly Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("messages are answered one after the other in the same session, each with a result", async () => {
  const { run, model } = await open([{ text: "One." }, { text: "Two." }]);
  const { code, stdout, stderr } = await run(argv, { input: `${own("first")}\n${foreign("second")}` });
  const lines = linesOf(stdout);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(lines.map((line) => line["type"])).toEqual([
    "init",
    "user",
    "assistant",
    "result",
    "user",
    "assistant",
    "result",
  ]);
  expect(lines.flatMap((line) => (line["type"] === "result" ? [line["result"]] : []))).toEqual(["One.", "Two."]);
  expect(new Set(lines.map((line) => line["sessionId"])).size).toBe(1);
  const last = model.requests.at(-1)?.body.messages?.filter(({ role }) => role !== "system");
  expect(last?.map(({ content }) => content)).toEqual(["first", "One.", "second"]);
});

test("the next message is taken when the answer before it is there", async () => {
  const { start } = await open([{ text: "One." }, { text: "Two." }]);
  const child = start(argv);
  const end = ended(child);
  const one = appeared(child, '"result":"One."');
  child.stdin.write(own("first"));
  await one;
  const two = appeared(child, '"result":"Two."');
  child.stdin.write(own("second"));
  await two;
  child.stdin.end();
  expect((await end).code).toBe(0);
});

test("blocks of text and pictures, and a prompt of the command line before them", async () => {
  const { run, model } = await open([{ text: "One." }, { text: "Two." }]);
  const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
  const input = foreign([{ type: "text", text: "what is this" }, picture]);
  const { code, stdout } = await run(["-p", "hello", "--input-format", "stream-json"], { input });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "One.\nTwo.\n" });
  expect(JSON.stringify(model.requests.at(-1)?.body.messages?.at(-1))).toContain("iVBORw0KGgo=");
});

test("a line that is no message gets a result of its own and exit code 2, and the next one is answered", async () => {
  const { run } = await open([{ text: "One." }, { text: "Two." }]);
  const { code, stdout } = await run(argv, { input: `${own("first")}{"type":"system"}\n${own("a\u2028b")}` });
  expect(code).toBe(2);
  const results = linesOf(stdout).filter(({ type }) => type === "result");
  expect(results).toMatchObject([{ result: "One." }, {}, { result: "Two." }]);
  expect(results[1]).toMatchObject({
    type: "result",
    subtype: "error_during_execution",
    error: {
      message:
        'Line 2 of standard input must be {"type":"user","text":"..."} or {"type":"user","message":{"role":"user","content":"..."}}.',
    },
  });
  const text = await run(["-p", "--input-format", "stream-json"], { input: "not json\n" });
  expect(text).toEqual({ code: 2, stdout: "", stderr: "kedge: Line 1 of standard input is not valid JSON.\n" });
});

test("a signal ends the wait for the next message", async () => {
  const { start } = await open([{ text: "One." }]);
  const child = start(argv);
  const end = ended(child);
  const one = appeared(child, '"result":"One."');
  child.stdin.write(own("first"));
  await one;
  child.kill("SIGINT");
  expect((await end).code).toBe(130);
});

const waitsForFile = {
  command: "for count in $(seq 3000); do test -e go && break; sleep 0.02; done",
  description: "Wait for a file",
};

test("a message that arrives while calls run is delivered in the same run, unless it is a follow-up", async () => {
  const { start, project, model } = await open([
    { toolCalls: [{ id: "c1", name: "bash", input: waitsForFile }] },
    { text: "One." },
    { text: "Two." },
  ]);
  const child = start([...argv, "--dangerously-skip-permissions"]);
  const end = ended(child);
  const called = appeared(child, '"type":"tool_call"');
  child.stdin.write(own("first"));
  await called;
  const heard = appeared(child, '"text":"hurry"');
  child.stdin.write(own("hurry"));
  await heard;
  child.stdin.end(`${JSON.stringify({ type: "user", text: "later", delivery: "follow-up" })}\n`);
  writeFileSync(join(project, "go"), "");
  const { code, stdout } = await end;
  expect(code).toBe(0);
  const lines = linesOf(stdout).filter(({ type }) => type === "user" || type === "result");
  expect(lines.map(({ text, result }) => text ?? result)).toEqual(["first", "hurry", "One.", "later", "Two."]);
  const { messages = [] } = model.requests[1]?.body ?? {};
  expect(JSON.stringify(messages.at(-1))).toContain("hurry");
  expect(JSON.stringify(messages)).not.toContain("later");
});

test("a delivery that does not exist is refused", async () => {
  const { run } = await open([]);
  const input = `${JSON.stringify({ type: "user", text: "hi", delivery: "now" })}\n`;
  const { code, stderr } = await run(["-p", "--input-format", "stream-json"], { input });
  const sentence = 'kedge: Line 1 of standard input must have "steer" or "follow-up" as delivery.\n';
  expect({ code, stderr }).toEqual({ code: 2, stderr: sentence });
});
