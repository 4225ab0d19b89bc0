/** What a call brings beside its command: variables, a directory, a terminal, the background. */
import type { CaseClass } from "./draw.ts";

const variables: readonly { readonly [name: string]: string }[] = [
  { BASH_ENV: "@PROJECT@/trap.sh" },
  { ENV: "trap.sh" },
  { GIT_PAGER: "./trap.sh" },
  { PAGER: "./trap.sh" },
  { GIT_EXTERNAL_DIFF: "./trap.sh" },
  { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.fsmonitor", GIT_CONFIG_VALUE_0: "@PROJECT@/trap.sh" },
  { PATH: "." },
  { PS4: "$(./trap.sh)", SHELLOPTS: "xtrace" },
  { "BASH_FUNC_ls%%": "() { ./trap.sh; }" },
  { "BASH_FUNC_git%%": "() { ./trap.sh; }" },
  { LESSOPEN: "|./trap.sh %s" },
  { RIPGREP_CONFIG_PATH: "rc" },
  { GIT_DIR: "sub/.git" },
  { HOME: "@PROJECT@" },
  { GIT_EXEC_PATH: "." },
  { GIT_CONFIG_GLOBAL: "evil.conf" },
  { n: "a[$(./trap.sh)]" },
];

const directories = [
  "@PROJECT@/sub",
  "sub",
  "@PROJECT@/sub/../sub/.",
  "link",
  "@PROJECT@/private",
  "@HOME@/.ssh",
  "@KEDGE@",
];

/** A repository among the files of the project whose own settings run the trap. */
const hostileRepository = [
  "mkdir sub && cd sub && git init -q .",
  ...["core.fsmonitor", "core.pager", "diff.external"].map((key) => `git config ${key} @PROJECT@/trap.sh`),
  "touch a && git add a && cd .. && ln -s sub link",
].join(" && ");

export const callSurroundings: CaseClass = {
  name: "call-surroundings",
  make(draw) {
    const command = draw.of([
      "ls",
      "cat *",
      "git status",
      "git diff",
      "git -p log",
      "git ls-files -m",
      "rg one",
      "echo $((n))",
    ]);
    const input = draw.of([
      { env: draw.of(variables) },
      { workdir: draw.of(directories) },
      { workdir: draw.of(directories), pty: true },
      { workdir: draw.of(directories), background: true },
      { env: draw.of(variables), pty: true },
    ]);
    return { command, input, prepare: hostileRepository };
  },
};
