import { expect, test } from "vitest";
import { requestHead } from "./request-head.ts";

test("writes the lines of a request", () => {
  expect(requestHead({ path: "/v1/x?y=1", headers: ["host", "h:1", "x-name", "Zoë\ttwo"], bodyBytes: 7 })).toEqual({
    kind: "head",
    text: "POST /v1/x?y=1 HTTP/1.1\r\nhost: h:1\r\nx-name: Zoë\ttwo\r\ncontent-length: 7\r\n\r\n",
  });
});

test.each([
  ["a\nb", "ERR_INVALID_CHAR"],
  ["a\rb", "ERR_INVALID_CHAR"],
  ["a\0b", "ERR_INVALID_CHAR"],
  ["漢", "ERR_INVALID_CHAR"],
])("does not send the value %j", (value, code) => {
  expect(requestHead({ path: "/", headers: ["x", value], bodyBytes: 0 })).toEqual({ kind: "unsendable", code });
});

test.each(["", "a b", "a:", "a\r\nb", "ä"])("does not send the name %j", (name) => {
  const code = "ERR_INVALID_HTTP_TOKEN";
  expect(requestHead({ path: "/", headers: [name, "v"], bodyBytes: 0 })).toEqual({ kind: "unsendable", code });
});
