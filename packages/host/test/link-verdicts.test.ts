/** Whatever name leads to a file, by links of any form, the verdict is at least as strict as for the file itself. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import type { PermissionAction, PermissionRule } from "@kedge/protocol";
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { explainToolCall } from "../src/explain/explain-permission.ts";

let top = "";
let root = "";
let home = "";

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "kedge-links-")));
  root = join(top, "project");
  home = join(top, "home");
  for (const name of targets) put(name);
  for (const name of ["HEAD", "objects/x", "refs/x", "config"]) put(`project/bare/${name}`);
});

afterEach(() => rmSync(top, { recursive: true, force: true }));

/** Protected, secret, closed, outside and plain files, some of which are missing. */
const targets = [
  "project/.git/config",
  "project/.git/hooks/pre-commit",
  "project/.envrc",
  "project/.env",
  "project/sub/.env.local",
  "project/sub/.git/config",
  "project/.vscode/tasks.json",
  "project/.github/workflows/ci.yml",
  "project/src/plain.ts",
  "project/private/notes.md",
  "home/.ssh/id_rsa",
  "home/.ssh/authorized_keys",
  "home/.bashrc",
  "home/.netrc",
  "home/.kedge/credentials.json",
  "home/.kedge/data/kedge.db",
  "elsewhere/plain.txt",
];
const missingTargets = ["project/.mcp.json", "project/.git/hooks/post-merge", "home/.zshrc", "elsewhere/new.txt"];
const bareTargets = ["project/bare/config", "project/bare/hooks/post-checkout"];

function put(name: string): void {
  mkdirSync(dirname(join(top, name)), { recursive: true });
  writeFileSync(join(top, name), name);
}

let count = 0;
function fresh(): string {
  count += 1;
  return join(root, `n${count}`);
}

/** Each makes a way to the target and gives the name to use, which tells nothing about it. */
const forms: { readonly [form: string]: (target: string) => string } = {
  link(target) {
    const name = fresh();
    symlinkSync(target, name);
    return name;
  },
  relativeLink(target) {
    const name = fresh();
    symlinkSync(relative(root, target), name);
    return name;
  },
  chain(target) {
    const names = [fresh(), fresh(), fresh()];
    symlinkSync(target, names[0] ?? "");
    symlinkSync(names[0] ?? "", names[1] ?? "");
    symlinkSync(basename(names[1] ?? ""), names[2] ?? "");
    return names[2] ?? "";
  },
  linkInTheMiddle(target) {
    const name = fresh();
    symlinkSync(dirname(target), name);
    return join(name, basename(target));
  },
  linkFarAbove(target) {
    const name = fresh();
    symlinkSync(top, name);
    return join(name, relative(top, target));
  },
  stepUp(target) {
    const name = fresh();
    const below = join(dirname(target), "below");
    mkdirSync(below, { recursive: true });
    symlinkSync(below, name);
    // Joined by hand: the shell and the kernel go up from where the link leads.
    return `${name}/../${basename(target)}`;
  },
  linkToLinkedDirectory(target) {
    const [first, second] = [fresh(), fresh()];
    symlinkSync(dirname(target), first);
    symlinkSync(join(first, basename(target)), second);
    return second;
  },
};

const calls: readonly (readonly [tool: string, command: (path: string) => string])[] = [
  ["read", (path) => path],
  ["edit", (path) => path],
  ["write", (path) => path],
  ["grep", (path) => path],
  ["bash", (path) => `cat ${path}`],
  ["bash", (path) => `head -5 ${path} | wc -l`],
  ["bash", (path) => `wc -l < ${path}`],
  ["bash", (path) => `echo x > ${path}`],
  ["bash", (path) => `echo x >> ${path}`],
  ["bash", (path) => `echo x | tee ${path}`],
  ["bash", (path) => `cp README.md ${path}`],
  ["bash", (path) => `sed -i s/a/b/ ${path}`],
  ["bash", (path) => `cat ${path}*`],
  ["bash", (path) => `grep -n foo ${path} README.md`],
];

const strictness: { readonly [Action in PermissionAction]: number } = { allow: 0, ask: 1, deny: 2 };

function judgeCall(tool: string, subject: string, rules: readonly PermissionRule[], mode: "default" | "bypass") {
  const place = { cwd: root, root, home, kedgeHome: join(home, ".kedge"), isSandboxed: false, confinesLooks: true };
  return explainToolCall(tool, subject, { ...place, mode, rules: [{ source: "user", rules }] });
}

test("a name that leads to a file through links is judged as the file", () => {
  const random = createSeededRandom();
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  const loose: string[] = [];
  for (let round = 0; round < rounds({ usual: 150, long: 8_000 }); round++) {
    const name = pick([...targets, ...missingTargets, ...bareTargets]);
    const target = join(top, name);
    const form = pick(Object.keys(forms));
    const written = forms[form]?.(target) ?? "";
    const [tool, command] = pick(calls);
    // Tools take a step upwards out of the text, and then it is another file.
    if (form === "stepUp" && tool !== "bash") continue;
    // A pattern finds only what is there.
    if (command("").endsWith("*") && !existsSync(target)) continue;
    const short = name.startsWith("project/") ? name.slice("project/".length) : target;
    const rules: readonly PermissionRule[] = [
      ...(random.below(2) === 0 ? [{ permission: "bash", pattern: "*", action: "allow" } as const] : []),
      ...(random.below(2) === 0 ? [{ permission: "edit", pattern: "*", action: "allow" } as const] : []),
      {
        permission: pick(["read", "edit"]),
        pattern: pick([short, `${dirname(short)}/*`]),
        action: pick(["ask", "deny"]),
      },
    ];
    const mode = pick(["default", "bypass"] as const);
    const direct = judgeCall(tool, command(target).replace(/\*$/, ""), rules, mode);
    const linked = judgeCall(tool, command(written), rules, mode);
    if (strictness[linked.verdict] < strictness[direct.verdict])
      loose.push(
        `${form} → ${name}: ${tool} ${command(written)} is ${linked.verdict}, not ${direct.verdict} (${direct.why}) ${mode} ${JSON.stringify(rules)}`,
      );
  }
  expect(loose).toEqual([]);
});

test("a hard link is judged as the known file that it is", () => {
  const loose: string[] = [];
  for (const name of [".env", ".envrc", ".git/config", ".git/hooks/pre-commit"]
    .map((one) => `project/${one}`)
    .concat("home/.ssh/id_rsa", "home/.netrc", "home/.kedge/credentials.json")) {
    const written = fresh();
    linkSync(join(top, name), written);
    for (const [tool, command] of calls.filter(([, make]) => !make("x").endsWith("*"))) {
      const direct = judgeCall(tool, command(join(top, name)), [], "default");
      const linked = judgeCall(tool, command(written), [], "default");
      // Its place is where it lies: only what the file itself is goes along with the link.
      const isOfFile = direct.verdict === "deny" || /secrets|decides/.test(direct.why);
      if (isOfFile && strictness[linked.verdict] < strictness[direct.verdict])
        loose.push(`${name}: ${tool} ${command(written)}`);
    }
  }
  expect(loose).toEqual([]);
});

test("a link inside the project asks about the place that it leads to", () => {
  const written = forms["link"]?.(join(top, "elsewhere/plain.txt")) ?? "";
  for (const call of [judgeCall("read", written, [], "default"), judgeCall("bash", `cat ${written}`, [], "default")]) {
    const asked = call.parts
      .filter(({ verdict }) => verdict === "ask")
      .map(({ permission, text }) => [permission, text]);
    expect(asked).toEqual([["external_directory", join(top, "elsewhere")]]);
  }
});

test("whoever names a directory to read it meets the rules for what lies below it", () => {
  symlinkSync("private", join(root, "alias"));
  const rules = [{ permission: "read", pattern: "private/*", action: "deny" }] as const;
  for (const [tool, subject] of [
    ["grep", "private"],
    ["list", "private"],
    ["grep", "alias"],
    ["bash", "grep -rn foo private"],
    ["bash", "cat alias/notes.md"],
    ["bash", "cat private/*"],
    ["bash", "cd private && cat notes.md"],
  ] as const)
    expect([subject, judgeCall(tool, subject, rules, "default").verdict]).toEqual([subject, "deny"]);
  expect(judgeCall("bash", "grep -rn foo src", rules, "default").verdict).toBe("allow");
});

test("plain files, and links among them, ask no more than before", () => {
  put("project/src/other.ts");
  symlinkSync("src/other.ts", join(root, "alias.ts"));
  for (const [tool, subject] of [
    ["read", "src/plain.ts"],
    ["read", "alias.ts"],
    ["grep", "src"],
    ["grep", "."],
    ["bash", "cat src/plain.ts alias.ts"],
    ["bash", "wc -l src/*"],
    ["bash", "ls *"],
    ["bash", "grep -rn foo src"],
    ["bash", "head -3 src/*.ts | sort"],
  ] as const) {
    expect([subject, judgeCall(tool, subject, [], "default").verdict]).toEqual([subject, "allow"]);
  }
});
