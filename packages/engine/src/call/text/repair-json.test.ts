import { expect, test } from "vitest";
import { repairJson } from "./repair-json.ts";

test.each([
  ['{"a":1,}', { a: 1 }],
  ['{"a":[1,2,],}', { a: [1, 2] }],
  ['{"a":{"b":1', { a: { b: 1 } }],
  ['{"a":"text', { a: "text" }],
  ['{"a":["x","y', { a: ["x", "y"] }],
  ['{"a":", ] }",}', { a: ", ] }" }],
  ['{"a":"say \\"hi\\", ]"', { a: 'say "hi", ]' }],
])("%s is mended", (text, value) => {
  expect(repairJson(text)).toEqual(value);
});

test.each(["", "nonsense", "{a:1}", '{"a":}', '{"a":1}}', "{'a':1}"])("%s is left to the model", (text) => {
  expect(repairJson(text)).toBeUndefined();
});
