/** Which sentences differ in one place only, and which speak of two things. */
import { expect, test } from "vitest";
import { fillSameFrame } from "./same-frame.ts";

test.each([
  ["The frontend is built with webpack", "The frontend is built with rspack."],
  ["Log files are rotated daily at midnight", "Log files are rotated weekly at midnight"],
  ["Code review needs two approvals", "Code review needs one approval"],
  ["Feature flags live in LaunchDarkly", "Feature flags live in Unleash since 2026-01-10"],
  ["Since 2026-03-02 invoices are rendered with typst", "Invoices are rendered with wkhtmltopdf"],
])("%s – %s", (one, other) => {
  expect([fillSameFrame(one, other), fillSameFrame(other, one)]).toEqual([true, true]);
});

test.each([
  ["The web app uses vitest", "The web app needs docker"],
  ["The harbour team sits in room one", "The lantern team sits in room two"],
  ["The user prefers tabs", "The user prefers short answers"],
  ["The build of the web app takes five minutes", "The build of the web app needs Node and docker"],
  ["Tests of the api live in test", "Docs of the api live in docs"],
  ["The frontend is built with webpack", "The frontend is built with webpack"],
])("nothing is contradicted: %s – %s", (one, other) => {
  expect([fillSameFrame(one, other), fillSameFrame(other, one)]).toEqual([false, false]);
});
