/** What the variables for further headers and body fields accept, and how they refuse the rest. */
import { expect, test } from "vitest";
import { readRequestExtras } from "./request-extra-variables.ts";

const headers = (text: string) => readRequestExtras({ KEDGE_CUSTOM_HEADERS: text });
const body = (text: string) => readRequestExtras({ KEDGE_EXTRA_BODY: text });

test("one header per line, one object of fields, and nothing without them", () => {
  expect(readRequestExtras({})).toEqual({});
  expect(readRequestExtras({ KEDGE_CUSTOM_HEADERS: " \n", KEDGE_EXTRA_BODY: "" })).toEqual({});
  expect(headers("X-Team: tools\n\nx-trace:a:b\nX-Team: last")).toEqual({
    headers: { "x-team": "last", "x-trace": "a:b" },
  });
  expect(body('{"top_k":40}')).toEqual({ body: { top_k: 40 } });
});

test.each([
  ["x-team: tools\nsecret-without-colon", "Line 2 of KEDGE_CUSTOM_HEADERS has no colon."],
  [": value", "Line 1 of KEDGE_CUSTOM_HEADERS has no valid header name."],
  ["x y: value", "Line 1 of KEDGE_CUSTOM_HEADERS has no valid header name."],
  ["x-a: secret\r", "The value of x-a in KEDGE_CUSTOM_HEADERS has a character that cannot be sent."],
  ["x-a: sec\0ret", "The value of x-a in KEDGE_CUSTOM_HEADERS has a character that cannot be sent."],
  ["Authorization: Bearer secret", "KEDGE_CUSTOM_HEADERS may not set Authorization."],
  ["x-api-key: secret", "KEDGE_CUSTOM_HEADERS may not set x-api-key."],
  ["Content-Length: 1", "KEDGE_CUSTOM_HEADERS may not set Content-Length."],
])("headers %j are refused", (text, sentence) => {
  expect(() => headers(text)).toThrow(sentence);
});

test.each([
  ["[1]", "KEDGE_EXTRA_BODY is not a JSON object."],
  ["{secret", "KEDGE_EXTRA_BODY is not a JSON object."],
  ['{"model":"other"}', 'KEDGE_EXTRA_BODY may not set "model".'],
  ['{"stream":false}', 'KEDGE_EXTRA_BODY may not set "stream".'],
  ['{"contents":[]}', 'KEDGE_EXTRA_BODY may not set "contents".'],
])("body %j is refused", (text, sentence) => {
  expect(() => body(text)).toThrow(sentence);
});
