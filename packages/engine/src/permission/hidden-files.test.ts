/** Which files a session keeps from commands that run unasked. */
import { expect, test } from "vitest";
import { rule, ruleSet } from "../../test/judge-cases.ts";
import { hiddenFilesOf } from "./hidden-files.ts";

const place = { root: "/w", home: "/home/dev", kedgeHome: "/home/dev/.kedge" };

test("secrets, kedge's own files and what rules close are hidden; what they allow is not", () => {
  const rules = [
    ruleSet(
      "user",
      rule("read", "private/*", "deny"),
      rule("read", "notes.md", "ask"),
      rule("read", "private/ok", "allow"),
    ),
    ruleSet("user", rule("edit", "src/*", "deny"), rule("bash", "*", "ask")),
  ];
  const { isHidden } = hiddenFilesOf({ ...place, rules });
  const paths = ["/w/.env", "/w/a/server.pem", "/w/private/x", "/w/notes.md", "/home/dev/.kedge/credentials.json"];
  expect(paths.filter((path) => !isHidden(path))).toEqual([]);
  expect(["/w/.env.example", "/w/src/a.ts", "/w/private/ok", "/w/README.md"].filter(isHidden)).toEqual([]);
});

test("a rule may open files that hold secrets, but not kedge's own", () => {
  const rules = [ruleSet("user", rule("secret_file", "/w/.env*", "allow"), rule("*", "/home/dev/.kedge/*", "allow"))];
  const { isHidden } = hiddenFilesOf({ ...place, rules });
  expect(["/w/.env", "/w/key.pem", "/home/dev/.kedge/credentials.json"].map(isHidden)).toEqual([false, true, true]);
});

test("absolute patterns name places, relative ones do not", () => {
  const rules = [
    ruleSet(
      "user",
      rule("read", "~/private/*", "deny"),
      rule("*", "/srv/keys", "ask"),
      rule("read", "/opt/a*/b", "deny"),
      rule("read", "*.sqlite", "deny"),
      rule("read", "/open/*", "allow"),
    ),
  ];
  expect(hiddenFilesOf({ ...place, rules }).places).toEqual(["/home/dev/private", "/srv/keys", "/opt/a"]);
});
