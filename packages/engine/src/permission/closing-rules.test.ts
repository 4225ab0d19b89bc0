/** What commands may come upon that rules close: hidden from looks, asked about otherwise. */
import type { AnalysedCommand, FileUse, ShownContent } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import { bash, context, rule, ruleSet } from "../../test/judge-cases.ts";
import { closingPatterns, isArchive, mayCloseBelow } from "./closing-rules.ts";
import { judge } from "./judge.ts";

const closed = ruleSet("user", rule("bash", "*", "allow"), rule("read", "*.key", "deny"));
const open = ruleSet("user", rule("bash", "*", "allow"));

type Made = { readonly shows?: ShownContent; readonly readOnly?: boolean; readonly files?: readonly FileUse[] };

function judged({ shows, readOnly = true, files = [] }: Made, rules = closed, whole = "tool x") {
  const command: AnalysedCommand = {
    ...{ text: "tool x", otherTexts: [], isTransparent: false, riskyOptions: [], readOnly },
    ...(shows !== undefined && { shows }),
    ...(shows === "history" && { repositories: ["/w/inner"] }),
  };
  const analyseShell = () => ({ commands: [command], files, concerns: [], readOnly, looksAt: "files" }) as const;
  return judge(bash(whole), context({ rules: [rules], confinesLooks: true, analyseShell }));
}

describe("content that a command does not name", () => {
  test("is looked at in the view although a rule allows the command, unless it spells it out", () => {
    expect(judged({ shows: "files" })).toMatchObject({ verdict: "allow", look: { shown: [] } });
    expect(judged({ shows: "history" })).toMatchObject({ look: { histories: ["/w", "/w/inner"] } });
    const spelled = ruleSet("user", rule("bash", "tool x", "allow"), rule("read", "*.key", "deny"));
    for (const verdict of [judged({ shows: "files" }, open), judged({}), judged({ shows: "files" }, spelled)]) {
      expect(verdict).toMatchObject({ verdict: "allow" });
      expect(verdict).not.toHaveProperty("look");
    }
  });

  test("is asked about where the command cannot be confined", () => {
    expect(judged({ shows: "files", readOnly: false }).verdict).toBe("ask");
    expect(judged({ shows: "history", readOnly: false }).verdict).toBe("ask");
    expect(judged({ shows: "files", readOnly: false }, open).verdict).toBe("allow");
    expect(judged({ shows: "names", readOnly: false }).verdict).toBe("allow");
  });

  test("names alone are told with the files as they are", () => {
    const rules = ruleSet("user", rule("read", "*.key", "deny"));
    expect(judged({ shows: "names" }, rules)).toMatchObject({ look: { onlyNames: true } });
    const look = { verdict: "allow", look: { shown: [] } };
    expect(judged({}, rules)).toMatchObject(look);
    expect(judged({}, rules)).not.toHaveProperty("look.onlyNames");
  });
});

test("a look at what is in an archive is asked about once a rule closes files", () => {
  const use = (more: Partial<FileUse>): FileUse => ({
    ...{ path: "/w/x.tar", text: "x.tar", access: "read", by: "tool", isProtected: false, place: "inside" },
    ...more,
  });
  expect(judged({ files: [use({})] }).verdict).toBe("ask");
  expect(judged({ files: [use({ by: "redirection" })], readOnly: false }).verdict).toBe("ask");
  for (const file of [use({ onlyNames: true }), use({ path: "/w/x.txt" }), use({ isMentioned: "word" })])
    expect(judged({ files: [file] }).verdict).toBe("allow");
  expect(judged({ files: [use({})] }, open).verdict).toBe("allow");
  expect(["a.tar", "b/c.tar.gz", "x.TGZ", "y.zip", "z.7z"].every(isArchive)).toBe(true);
  expect(["a.gz", "tar", "zip.ts", "x.tar.ts.md"].some(isArchive)).toBe(false);
});

test("rules count as far as they close something", () => {
  const opened = ruleSet("user", rule("*", "*", "deny"), rule("read", "*", "allow"), rule("read", "a/*", "ask"));
  expect(closingPatterns({ rules: [opened] })).toEqual(["a/*"]);
  const place = { root: "/w", home: "/home/dev" };
  const may = (pattern: string, directory: string) => mayCloseBelow([pattern], [directory], place);
  expect([may("*.key", "/w/src"), may("secret/**", "/w"), may("secret/**", "/w/secret/deep")]).toEqual([
    true,
    true,
    true,
  ]);
  expect([may("secret/**", "/w/src"), may("~/x/*", "/w"), may("/etc/*", "/w")]).toEqual([false, false, false]);
  expect([may("~/x/*", "/home/dev"), may("src/clos*", "/w/src/closed")]).toEqual([true, true]);
});
