/** Proves that a template takes exactly the events that differ in nothing but delta, number and padding. */
import { describe, expect, test } from "vitest";
import { deltaStart, eventEnd, learnResponsesTemplate } from "./responses-delta-template.ts";

const event = (members: string) => Buffer.from(`event: e\ndata: {"type":"t",${members}}\n\n`);

/** The delta as it stands in the bytes, or undefined when the template does not fit. */
function taken(learntFrom: string, members: string): string | undefined {
  const template = learnResponsesTemplate(event(learntFrom), () => true);
  if (template === undefined) throw new Error("Nothing was learnt.");
  const bytes = event(members);
  const start = deltaStart(template, bytes, 0);
  const end = start === -1 ? -1 : eventEnd(template, bytes, start);
  if (end === -1) return undefined;
  expect(end).toBe(bytes.length);
  const text = bytes.toString("latin1");
  return text.slice(start, text.indexOf('"', start));
}

describe("responses delta template", () => {
  test.each([
    [
      "a number before the delta",
      '"sequence_number":9,"item_id":"m","delta":"a"',
      '"sequence_number":10,"item_id":"m","delta":"xyz"',
    ],
    ["a number after the delta", '"delta":"a","sequence_number":9', '"delta":"xyz","sequence_number":1000'],
    ["no number", '"delta":"a"', '"delta":"xyz"'],
    ["padding after the delta", '"delta":"a","obfuscation":"p"', '"delta":"xyz","obfuscation":""'],
    ["padding before the delta", '"obfuscation":"","delta":"a","n":[]', '"obfuscation":"pqr","delta":"xyz","n":[]'],
    ["spaces", '"sequence_number": 1, "delta": "a"', '"sequence_number": 22, "delta": "xyz"'],
    [
      "names inside the delta",
      '"delta":"\\"delta\\":\\"b\\"","sequence_number":1',
      '"delta":"xyz","sequence_number":2',
    ],
    [
      "several bytes per character",
      '"note":"漢","delta":"é","sequence_number":1',
      '"note":"漢","delta":"xyz","sequence_number":2',
    ],
  ])("fits events with %s", (_what, learntFrom, members) => {
    expect(taken(learntFrom, members)).toBe("xyz");
  });

  test.each([
    ["another item", '"sequence_number":1,"item_id":"n","delta":"b","obfuscation":"p"'],
    ["no digits", '"sequence_number":,"item_id":"m","delta":"b","obfuscation":"p"'],
    ["a negative number", '"sequence_number":-1,"item_id":"m","delta":"b","obfuscation":"p"'],
    ["padding that needs a parser", '"sequence_number":1,"item_id":"m","delta":"b","obfuscation":"\\u0041"'],
    ["padding with a raw line feed", '"sequence_number":1,"item_id":"m","delta":"b","obfuscation":"\n"'],
    ["one more member", '"sequence_number":1,"item_id":"m","delta":"b","obfuscation":"p","usage":{}'],
    ["an end that is missing", '"sequence_number":1,"item_id":"m","delta":"b'],
  ])("does not fit %s", (_what, members) => {
    expect(taken('"sequence_number":1,"item_id":"m","delta":"a","obfuscation":"p"', members)).toBeUndefined();
  });

  test("does not fit an event of which any last bytes are missing", () => {
    const whole = event('"sequence_number":1,"delta":"a","obfuscation":"p"');
    const template = learnResponsesTemplate(whole, () => true);
    if (template === undefined) throw new Error("Nothing was learnt.");
    for (let length = 0; length < whole.length; length++) {
      const bytes = whole.subarray(0, length);
      const start = deltaStart(template, bytes, 0);
      expect(start === -1 ? -1 : eventEnd(template, bytes, start), `${length} bytes`).toBe(-1);
    }
  });

  test.each([
    ["no delta", '"sequence_number":1'],
    ["two deltas", '"delta":"a","part":{"delta":"b"}'],
    ["two numbers", '"sequence_number":1,"delta":"a","part":{"sequence_number":1}'],
  ])("is not learnt from an event with %s", (_what, members) => {
    expect(learnResponsesTemplate(event(members), () => true)).toBeUndefined();
  });

  test("is not learnt when an event like it would be read otherwise", () => {
    const probes: string[] = [];
    const learnt = learnResponsesTemplate(event('"delta":"a","sequence_number":55'), (probe, value) => {
      probes.push(probe.toString(), value);
      return false;
    });
    expect(learnt).toBeUndefined();
    expect(probes).toEqual([event('"delta":"probe.","sequence_number":1').toString(), "probe."]);
  });
});
