/** The short list of commands that look without being confined. */
import { expect, test } from "vitest";
import { holdLooks, isPlainLook, plainLooks } from "./plain-looks.ts";

const place = { confinesLooks: true };
const command = { otherTexts: [], isTransparent: false, riskyOptions: [], readOnly: true };

test("a filter of jq that shows variables is not plain, and one that reads a member of that name is", () => {
  const found = (text: string) => isPlainLook({ ...command, text });
  expect(["jq -n env", "jq -r env.HOME", "gojq -n env", "jq -n [env] f"].filter(found)).toEqual([]);
  expect(["jq .env f", "jq .environment f", "jq .a f"].map(found)).toEqual([true, true, true]);
});

test("every entry is a program or a program with its sub-command, and named once", () => {
  expect(plainLooks.filter((text) => !/^[\w:[-]+(?: [\w-]+)*$/.test(text))).toEqual([]);
  expect(plainLooks.filter((text, index) => plainLooks.indexOf(text) !== index)).toEqual([]);
});

test("programs that run what their arguments say are not on it", () => {
  const running = [
    "sed -n 1p a",
    "awk 1 a",
    "find . -name a",
    "xargs ls",
    "env ls",
    "git config -l",
    "git grep a",
    "npm ls",
    "man ls",
    "less a",
  ];
  expect(running.filter((text) => isPlainLook({ ...command, text }))).toEqual([]);
});

test("an entry is found by whole words", () => {
  const found = (text: string) => isPlainLook({ ...command, text });
  expect(["git log -3", "git log", "docker ps -a", "[ -f a ]"].map(found)).toEqual([true, true, true, true]);
  expect(["git logx", "git", "docker psx", "docker run a", "/tmp/ls a"].map(found)).toEqual(Array(5).fill(false));
});

test("looks are confined where the answer is the same there, and variables always", () => {
  const hold = (...commands: readonly (readonly [text: string, looksAt?: "machine"])[]) =>
    holdLooks(
      {
        commands: commands.map(([text, looksAt]) => ({ ...command, text, ...(looksAt && { looksAt }) })),
        files: [],
        concerns: [],
        readOnly: true,
        looksAt: "files",
      },
      place,
    );
  expect(hold(["sed -n 1p a"], ["ls"])).toBe("confined");
  expect(hold(["env", "machine"], ["grep A"])).toBe("confined");
  expect(hold(["ps aux", "machine"], ["grep node"])).toBe("plain");
  expect(hold(["ps aux", "machine"], ["awk 1"])).toBe("not");
  expect(hold(["id"])).toBe("plain");
  expect(hold(["ps $X", "machine"])).toBe("not");
});

test("whether a file can be written is asked outside of the view, where nothing can", () => {
  const hold = (...texts: readonly string[]) =>
    holdLooks(
      {
        commands: texts.map((text) => ({ ...command, text, ...(text.includes("$") && { certain: "echo " }) })),
        files: [],
        concerns: [],
        readOnly: true,
        looksAt: "files",
      },
      place,
    );
  expect(hold("test -w a", "echo $?")).toBe("plain");
  expect(hold("[ ! -w a ]", "echo no")).toBe("plain");
  expect(hold("find . -writable")).toBe("not");
  expect(hold("test -r a", "echo $?")).toBe("confined");
  expect(hold("test -w a", "echo $x")).toBe("not");
  const echo = { ...command, text: "echo yes" };
  const analysis = { commands: [echo], files: [], concerns: [], readOnly: true, looksAt: "files" } as const;
  expect(holdLooks(analysis, { ...place, whole: "[[ -e a && -w a ]] && echo yes" })).toBe("plain");
  expect(holdLooks(analysis, { ...place, whole: "[[ -e a ]] && echo yes" })).toBe("confined");
});

test("what goes through directories is no plain look: nothing hides there what may not be read", () => {
  expect(isPlainLook({ ...command, text: "grep -n a b" })).toBe(true);
  expect(isPlainLook({ ...command, text: "grep -r a b", readsTrees: true })).toBe(false);
});
