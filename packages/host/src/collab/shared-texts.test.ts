/** Proves that a secret does not reach guests piece by piece, however the stream of it is cut. */

import { createRedactor } from "@kedge/memory";
import type { FactRecord, Signal } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { createSharedTexts } from "./shared-texts.ts";

const body = Array.from({ length: 12 }, (_, index) => `${index}`.padStart(2, "0").repeat(32)).join("\n");
const dashes = "-".repeat(5);
const key = `${dashes}BEGIN RSA PRIVATE KEY${dashes}\n${body}\n${dashes}END RSA PRIVATE KEY${dashes}`;
const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;

const open = ({ hidesPermissions = false } = {}) => {
  const redactor = createRedactor({ values: () => [] });
  return createSharedTexts({
    ...{ redact: (text) => redactor.redact(text), hidesPermissions, needsWholeLines: false },
  });
};
const delta = (stepId: string, text: string) =>
  ({ type: "text.delta", sessionId: "ses_1", stepId, text }) as unknown as Signal;
const ended = (type: string, ids: object) => ({ seq: 1, fact: { type, ...ids } }) as unknown as FactRecord;

test("a private key and a token that arrive in pieces are never shown, and what follows is", () => {
  const seed = Number(process.env["KEDGE_TEST_SEED"] ?? 1);
  const random = createSeededRandom(String(seed));
  for (let round = 0; round < 50; round += 1) {
    const texts = open();
    let rest = `Here it is:\n${key}\nand ${token} as well. The end. `;
    let shown = "";
    while (rest !== "") {
      const length = 1 + random.below(40);
      const signal = texts.signal(delta("stp_1", rest.slice(0, length))) as { text: string } | undefined;
      shown += signal?.text ?? "";
      rest = rest.slice(length);
    }
    expect([seed, round, shown.includes("0505"), shown.includes(token.slice(8, 20))]).toEqual([
      seed,
      round,
      false,
      false,
    ]);
    expect(shown).toMatch(/^Here it is:\n[\s\S]*and [\s\S]* as well. The end. $/);
  }
});

test("the end of one stream does not send the second half of a secret in another", () => {
  const texts = open();
  expect(texts.signal(delta("stp_1", token.slice(0, 20)))).toBeUndefined();
  texts.record(ended("tool.ended", { callId: "cal_9", stepId: "stp_9" }));
  texts.record(ended("step.ended", { stepId: "stp_9" }));
  const signal = texts.signal(delta("stp_1", `${token.slice(20)} and more `)) as { text: string } | undefined;
  expect(signal?.text).not.toContain(token.slice(20));
});

test("a block that never ends is not held for ever: the stream is silent until its fact", () => {
  const texts = open();
  texts.signal(delta("stp_1", `${dashes}BEGIN PRIVATE KEY${dashes}\n`));
  for (let count = 0; count < 100; count += 1) {
    expect(texts.signal(delta("stp_1", `${"0123456789abcdef ".repeat(60)}\n`))).toBeUndefined();
  }
  texts.record(ended("step.ended", { stepId: "stp_1" }));
  expect(texts.signal(delta("stp_1", "Again. "))).toMatchObject({ text: "Again. " });
});

test("who hides permissions shows guests that the host is asked, and nothing of what", () => {
  const request = {
    ...{ type: "permission.asked", stepId: "stp_1", requestId: "req_1", callId: "cal_1", permission: "bash" },
    ...{ tool: "bash", patterns: ["rm canary"], always: ["rm *"], reason: "No rule covers rm canary" },
    ...{ inputText: '{"command":"rm canary"}', preview: "canary", evidence: "canary", saves: "canary" },
  };
  const asked = { seq: 1, fact: request } as unknown as FactRecord;
  expect(JSON.stringify(open().record(asked))).toContain("canary");
  const hidden = open({ hidesPermissions: true }).record(asked);
  expect(JSON.stringify(hidden)).not.toContain("canary");
  expect(hidden.fact).toMatchObject({ type: "permission.asked", requestId: "req_1", reason: "Waiting for the host." });
});
