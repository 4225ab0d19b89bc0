import type { LookAtPath, PermissionRule } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { createReadRights } from "./read-rights.ts";

/** `/w/link` leads to `/w/private`, and everything else is what it says. */
const lookAtPath: LookAtPath = (path) => ({
  place: path === "/w" || path.startsWith("/w/") ? "inside" : "outside",
  otherNames: path.startsWith("/w/link") ? [[path.replace("/w/link", "/w/private")]] : [],
});
const workspace = { cwd: "/w", root: "/w", home: "/home/dev", kedgeHome: "/home/dev/.kedge", lookAtPath };

function rightsBy(...rules: readonly PermissionRule[]) {
  const sets = rules.length === 0 ? [] : [{ source: "user", rules } as const];
  return createReadRights({ workspace, rules: sets, grants: () => [], mode: () => "default" });
}

const deny = (pattern: string, permission = "read"): PermissionRule => ({ permission, pattern, action: "deny" });
const ask = (pattern: string): PermissionRule => ({ permission: "read", pattern, action: "ask" });

test("rules, secrets, closed files and places each give an answer with a reason", () => {
  const rights = rightsBy(deny("private/*"), ask("docs/*"));
  const answers = [
    "/w/a.ts",
    "/w/private/x",
    "/w/docs/x",
    "/w/.env",
    "/etc/passwd",
    "/home/dev/.kedge/credentials.json",
    "/w/link/x",
  ].map((path) => rights.of(path).answer);
  expect(answers).toEqual(["allow", "deny", "ask", "ask", "ask", "deny", "deny"]);
  expect(rights.of("/w/private/x")).toEqual({
    answer: "deny",
    why: 'the user rule read "private/*" denies /w/private/x',
  });
});

test("below a directory everything is shown that needs no question, under every name of the directory", () => {
  const mayShow = rightsBy(deny("private/*"), ask("docs/*")).below("/w");
  const shown = ["a.ts", "private/x", "docs/x", ".env", "src/.env.local", ".env.example", "key.pem", "src/b.ts"];
  expect(shown.filter((name) => mayShow(`/w/${name}`))).toEqual(["a.ts", ".env.example", "src/b.ts"]);
  expect(rightsBy(deny("private/*")).below("/w/link")("/w/link/x")).toBe(false);
  expect(rightsBy().below("/w/link")("/w/link/x")).toBe(true);
  expect(rightsBy().below("/home/dev")("/home/dev/.kedge/credentials.json")).toBe(false);
  expect(rightsBy().below("/")("/proc/1/environ")).toBe(false);
  expect(rightsBy({ permission: "secret_file", pattern: "/w/.env", action: "allow" }).below("/w")("/w/.env")).toBe(
    true,
  );
});

test("the answer for a file that is come upon is the one for the file by itself", () => {
  const random = createSeededRandom();
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  const paths = [
    "a.ts",
    "src/b.ts",
    "src/deep/c.ts",
    ".env",
    "x.pem",
    ".aws/credentials",
    "private/d",
    "link/e",
    "id_rsa",
  ];
  const patterns = ["*", "*.ts", "src/*", "/w/src/*", "private/*", "link/*", "src/deep/c.ts", "*.pem", "~/x", "?.ts"];
  for (let round = 0; round < 500; round++) {
    const rules = Array.from({ length: random.below(5) }, () => ({
      permission: pick(["read", "secret_file", "*", "view", "grep", "edit"]),
      pattern: pick(patterns),
      action: pick(["allow", "ask", "deny"] as const),
    }));
    const rights = rightsBy(...rules);
    const directory = pick(["/w", "/w/src", "/w/link", "/w/.aws"]);
    for (const name of paths) {
      const path = `/w/${name}`;
      if (!path.startsWith(`${directory}/`) || (directory === "/w" && name.startsWith("link/"))) continue;
      const found = rights.below(directory)(path);
      expect({ rules, path, found }).toEqual({ rules, path, found: rights.of(path).answer === "allow" });
    }
  }
});
