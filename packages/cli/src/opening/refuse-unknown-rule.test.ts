/** Which rules of the command line are refused because they speak of no tool. */
import { expect, test } from "vitest";
import { unknownRule } from "./refuse-unknown-rule.ts";

const tools = () => ["lint", "deploy_preview"];

test("a rule about nothing that there is is refused", () => {
  const expected = "a known tool or permission, optionally with a pattern, such as bash(npm test)";
  expect(unknownRule({ allow: ["nonsense"] }, tools)).toBe(`--allow must be ${expected}, got "nonsense".`);
  expect(unknownRule({ deny: ["read,bahs(rm *, x)"] }, tools)).toBe(
    `--deny must be ${expected} (did you mean bash?), got "read,bahs(rm *, x)".`,
  );
  expect(unknownRule({ allow: ["deploy_previw"] }, tools)).toContain("did you mean deploy_preview?");
  const accepted = ["Bash(git log:*), Read", "mcp__github__search", "mcp*", "*", "WebFetch(domain:x.org)", "TodoWrite"];
  expect(unknownRule({ allow: [...accepted, "lint", "Deploy_Preview"] }, tools)).toBeUndefined();
});

test("nobody asks for tools where there is no rule", () => {
  const asked = () => {
    throw new Error("asked");
  };
  expect(unknownRule({}, asked)).toBeUndefined();
});
