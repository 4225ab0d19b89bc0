/** What the agent asks to know: questions of the model, and plans that want approval. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bashCall, editCall, readCall } from "@kedge/testing/screen-terminal";
import { expect, test } from "vitest";
import { asked, openStage, send, startTimeoutMs, toolTexts, waitMs } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };

test("the model's questions are answered by option and by own words", slow, async () => {
  const { terminal, model } = await open({
    script: [
      {
        toolCalls: [
          {
            name: "question",
            input: {
              questions: [
                {
                  question: "Which colour?",
                  header: "Colour",
                  options: [
                    { label: "Red", description: "As a rose." },
                    { label: "Blue", description: "As the sky." },
                  ],
                },
                {
                  question: "How many coats?",
                  header: "Coats",
                  options: [
                    { label: "One", description: "Quick." },
                    { label: "Two", description: "Lasting." },
                  ],
                },
              ],
            },
          },
        ],
      },
      { text: "Painted." },
    ],
  });
  await send(terminal, "Paint it.");
  await asked(terminal, "Which colour?");
  terminal.press("down");
  terminal.press("enter");
  await terminal.shows("How many coats?");
  terminal.type("3");
  await terminal.shows("enter done · esc back");
  terminal.type("Seven");
  terminal.press("enter");
  await terminal.shows("enter send");
  terminal.press("enter");
  await terminal.shows("Painted.", waitMs);
  const answers = "Which colour?\n-> Blue\nHow many coats?\n-> Seven";
  expect(toolTexts(await model.waitForRequest(2))).toEqual([answers]);
});

test("tab plans, and an approved plan is carried out", slow, async () => {
  const plan = "# The plan\n\n1. Raise the price.\n2. Tell the guests.\n";
  const planPath = ".kedge/plans/price.md";
  const { terminal, project, model } = await open({
    files: { "price.js": "10\n" },
    script: [
      { toolCalls: [bashCall("echo 11 > price.js")] },
      { toolCalls: [{ name: "write", input: { filePath: planPath, content: plan } }] },
      { text: "Here it is.", toolCalls: [{ name: "plan_exit", input: { planPath } }] },
      { toolCalls: [readCall("price.js")] },
      { toolCalls: [editCall("price.js", "10", "12")] },
      { text: "Carried out." },
    ],
  });
  terminal.press("tab");
  await terminal.shows("· plan ·", waitMs);
  terminal.press("tab");
  await terminal.shows("· default ·", waitMs);
  terminal.press("tab");
  await terminal.shows("· plan ·", waitMs);
  await send(terminal, "Make it 12.");
  const screen = await asked(terminal, "Accept and return to the previous mode");
  expect(screen.join("\n")).toMatch(/1\. Raise the price\.\s[\s\S]*2\. Tell the guests\./);
  // Nothing but the plan was written while it was made.
  expect(readFileSync(join(project, "price.js"), "utf8")).toBe("10\n");
  expect(toolTexts(await model.waitForRequest(2))[0]).toContain("planning");
  terminal.press("y");
  await asked(terminal, "Allow once");
  terminal.press("y");
  await terminal.shows("Carried out.", waitMs);
  await terminal.shows("· default ·");
  expect(readFileSync(join(project, "price.js"), "utf8")).toBe("12\n");
});
