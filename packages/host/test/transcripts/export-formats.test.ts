import { expect, test } from "vitest";
import { smallSession } from "./small-session.ts";
import { exportText, storeSession } from "./stored-session.ts";

const whole = { redact: "none" } as const;

test("markdown folds tools and thoughts, and leaves out what only marks time", async () => {
  const { source } = await storeSession("ses_small", smallSession());
  expect(await exportText(source, { format: "md", ...whole })).toMatchInlineSnapshot(`
    "# What is in a.txt?

    - Session: ses\\_small
    - Directory: /work
    - Model: mock/one
    - Started: 2026-01-02T03:04:05.000Z
    - kedge: 1.2.3

    ## User

    > What is in a.txt?

    ## Assistant (mock/one)

    <details>
    <summary>Thinking</summary>

    > I should look.

    </details>

    <details>
    <summary>read: a.txt</summary>

    \`\`\`json
    {"path":"a.txt"}
    \`\`\`

    \`\`\`
    one
    two
    \`\`\`

    </details>

    ## Assistant (mock/one)

    > It has **two** lines.
    "
  `);
});

test("a dump is plain text with what the model was told", async () => {
  const { source } = await storeSession("ses_small", smallSession());
  const told = {
    ...source,
    systemPrompt: "Be brief.",
    effort: "high",
    tools: [{ name: "read", description: "Reads." }],
  };
  const formatCall = ({ tool, input }: { readonly tool: string; readonly input: string }) =>
    `<${tool}>${input}</${tool}>`;
  expect(await exportText(told, { format: "dump", ...whole, formatCall })).toMatchInlineSnapshot(`
    "[System]:
    Be brief.

    [Model]: mock/one (high)

    [Tools]:
    read: Reads.

    [User]:
    What is in a.txt?

    [Think]:
    I should look.

    [Tool Call]:
    <read>{"path":"a.txt"}</read>

    [Tool Result]:
    one
    two

    [Assistant]:
    It has **two** lines.

    "
  `);
});

test("an empty session has an empty dump", async () => {
  const { source } = await storeSession("ses_small", smallSession().slice(0, 1));
  expect(await exportText(source, { format: "dump", ...whole })).toBe("");
});

test("json lines link every line to the one before it", async () => {
  const { source } = await storeSession("ses_small", smallSession());
  const text = await exportText(source, { format: "jsonl", ...whole });
  const lines: unknown[] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchInlineSnapshot(`
    [
      {
        "cwd": "/work",
        "gitBranch": "main",
        "message": {
          "content": [
            {
              "text": "What is in a.txt?",
              "type": "text",
            },
          ],
          "model": "mock/one",
          "role": "user",
        },
        "parentUuid": null,
        "sessionId": "ses_small",
        "time": "2026-01-02T03:04:06.000Z",
        "type": "user",
        "uuid": "msg_p1",
        "version": "1.2.3",
      },
      {
        "cwd": "/work",
        "gitBranch": "main",
        "message": {
          "content": [
            {
              "thinking": "I should look.",
              "type": "thinking",
            },
            {
              "id": "call_1",
              "input": {
                "path": "a.txt",
              },
              "name": "read",
              "type": "tool_use",
            },
          ],
          "model": "mock/one",
          "role": "assistant",
          "stopReason": "tool-calls",
          "usage": {
            "cacheRead": 0,
            "cacheWrite": 0,
            "input": 10,
            "output": 5,
            "reasoning": 0,
          },
        },
        "parentUuid": "msg_p1",
        "sessionId": "ses_small",
        "time": "2026-01-02T03:04:07.000Z",
        "type": "assistant",
        "uuid": "msg_s1",
        "version": "1.2.3",
      },
      {
        "cwd": "/work",
        "gitBranch": "main",
        "message": {
          "content": [
            {
              "content": "one
    two",
              "tool_use_id": "call_1",
              "type": "tool_result",
            },
          ],
          "role": "user",
        },
        "parentUuid": "msg_s1",
        "sessionId": "ses_small",
        "time": "2026-01-02T03:04:10.000Z",
        "type": "tool_result",
        "uuid": "prt_s1.00003",
        "version": "1.2.3",
      },
      {
        "cwd": "/work",
        "gitBranch": "main",
        "message": {
          "content": [
            {
              "text": "It has **two** lines.",
              "type": "text",
            },
          ],
          "model": "mock/one",
          "role": "assistant",
          "stopReason": "end",
          "usage": {
            "cacheRead": 0,
            "cacheWrite": 0,
            "input": 10,
            "output": 5,
            "reasoning": 0,
          },
        },
        "parentUuid": "prt_s1.00003",
        "sessionId": "ses_small",
        "time": "2026-01-02T03:04:11.000Z",
        "type": "assistant",
        "uuid": "msg_s2",
        "version": "1.2.3",
      },
    ]
  `);
});

test("without tool output and reasoning neither is in any format", async () => {
  for (const format of ["json", "jsonl", "md", "html", "dump"] as const) {
    const { source } = await storeSession(
      "ses_small",
      smallSession({ thought: "secretly-thought", output: "long-output" }),
    );
    const text = await exportText(source, { format, ...whole, withoutReasoning: true, withoutToolOutput: true });
    expect([format, text.includes("secretly-thought"), text.includes("long-output")]).toEqual([format, false, false]);
    expect(text).toContain(format === "html" ? "It has <strong>two</strong> lines." : "It has **two** lines.");
  }
});

test("a fence is longer than any in the output, and a quotation ends what the text began", async () => {
  const words = { output: "````\n</details>\n```", answer: "- ```\n  open\n</details><!-- <Array<string>>" };
  const { source } = await storeSession("ses_small", smallSession(words));
  const text = await exportText(source, { format: "md", ...whole });
  expect(text).toContain("`````\n````\n</details>\n```\n`````\n");
  expect(text).toContain("> - ```\n>   open\n> &lt;/details>&lt;!-- <Array<string>>\n");
});

test("readers follow the way to the leaf; other branches come after it, and stay out of a dump", async () => {
  const away = [
    { type: "leaf.moved" },
    { type: "message.added", messageId: "msg_m1", kind: "branch-summary", text: "A new beginning." },
  ] as const;
  const texts = async (format: "md" | "html" | "dump") => {
    const { source } = await storeSession("ses_small", [...smallSession(), ...away]);
    const text = await exportText(source, { format, ...whole });
    const answer = format === "html" ? "It has <strong>two</strong> lines." : "It has **two** lines.";
    return ["A new beginning.", "Other branches", answer].map((part) => text.indexOf(part));
  };
  const inOrder = (places: readonly number[]) => places.every((place, index) => place > (places[index - 1] ?? -1));
  expect(inOrder(await texts("md"))).toBe(true);
  expect(inOrder(await texts("html"))).toBe(true);
  expect((await texts("dump")).map((place) => place >= 0)).toEqual([true, false, false]);
});
