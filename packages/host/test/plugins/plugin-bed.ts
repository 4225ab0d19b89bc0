/** A home and a place for plugins of one test, and the words of `kedge plugin` run in them. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { PluginAnswer } from "../../src/plugins/plugin-answer.ts";
import { type PluginLock, wholeLock } from "../../src/plugins/plugin-lock.ts";
import { runPluginWords } from "../../src/plugins/plugin-words.ts";

export type PluginBed = {
  readonly directory: string;
  readonly home: string;
  /** Writes files below the directory; texts that begin with `#!` are runnable. */
  put(files: { readonly [path: string]: string | object }): void;
  /** Makes a repository of a directory, or commits what changed in it; gives the commit. */
  commit(path: string): string;
  run(words: string, options?: BedOptions): Promise<PluginAnswer & { readonly shown: readonly string[] }>;
  lock(): PluginLock;
  close(): void;
};

type BedOptions = {
  /** What the user answers; yes without it. */
  readonly answer?: "yes" | "no" | "nobody";
  readonly policy?: { readonly [name: string]: unknown };
  readonly environment?: { readonly [name: string]: string };
};

export function openPluginBed(): PluginBed {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-plugins-")));
  const home = join(directory, "home");
  mkdirSync(home);
  return {
    directory,
    home,
    put(files) {
      for (const [path, content] of Object.entries(files)) {
        const whole = join(directory, path);
        mkdirSync(dirname(whole), { recursive: true });
        const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
        writeFileSync(whole, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
      }
    },
    commit(path) {
      const git = (...values: readonly string[]) =>
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...values], {
          cwd: join(directory, path),
          encoding: "utf8",
          env: { PATH: process.env["PATH"] ?? "", HOME: directory },
        });
      git("init", "--quiet", "--initial-branch=main");
      git("add", "--all", "--force");
      git("commit", "--quiet", "--allow-empty", "--message=change");
      return git("rev-parse", "HEAD").trim();
    },
    async run(words, { answer = "yes", policy, environment = {} } = {}) {
      const shown: string[] = [];
      const answered = await runPluginWords(words.split(" "), {
        root: join(directory, "project"),
        signal: new AbortController().signal,
        confirm: async (text) => {
          shown.push(text);
          return answer;
        },
        machine: {
          home,
          environment: { PATH: process.env["PATH"], HOME: directory, ...environment },
          kedgeVersion: "0.1.0",
          policy,
          resolvePath: (path) => resolve(directory, path),
        },
      });
      if (answered === undefined) throw new Error(`${words} are not words of kedge plugin`);
      return { ...answered, shown };
    },
    lock: () => wholeLock(home),
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}

export const skill = (name: string) => `---\nname: ${name}\ndescription: What ${name} does.\n---\nDo it.\n`;

/** A small plugin with one skill, below `path`. */
export function pluginAt(path: string, name: string, more: object = {}): { readonly [path: string]: string | object } {
  return {
    [`${path}/.claude-plugin/plugin.json`]: { name, version: "1.0.0", ...more },
    [`${path}/skills/${name}-skill/SKILL.md`]: skill(`${name}-skill`),
  };
}
