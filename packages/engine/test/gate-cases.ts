/** Commands, calls and a machine in memory for the tests of the gates: a workspace at /w, a home at /home/dev. */
import type { AnalysedCommand, Need, ShellAnalysis } from "@kedge/protocol";
import type { GatedCall, GateParts } from "../src/gates/gate-call.ts";
import type { HashedFile, MachineLook } from "../src/gates/machine-look.ts";
import { createPremiseWatch, type PremiseWatch } from "../src/gates/premise-watch.ts";
import { readPlainCommands } from "./judge-cases.ts";

export function command(text: string, ...otherTexts: readonly string[]): AnalysedCommand {
  return { text, otherTexts, isTransparent: false, riskyOptions: [], readOnly: false };
}

export function analysis(...texts: readonly string[]): ShellAnalysis {
  return { commands: texts.map((text) => command(text)), files: [], concerns: [], readOnly: false, looksAt: "files" };
}

export type MemoryMachine = {
  readonly look: MachineLook;
  /** How often anything was looked at. */
  looks(): number;
  write(path: string, content: string, changedMs: number): void;
  /** Owner or mode, which leaves content and its time alone. */
  touchMode(path: string, changedMs: number): void;
  remove(path: string): void;
  setComplete(isComplete: boolean): void;
};

type StoredFile = { readonly content: string; readonly modifiedMs: number; readonly changedMs: number };

export function createMemoryMachine(): MemoryMachine {
  const files = new Map<string, StoredFile>();
  let looks = 0;
  let isComplete = true;
  function asFile(path: string): readonly HashedFile[] {
    const file = files.get(path);
    if (file === undefined) return [];
    const { content, modifiedMs, changedMs } = file;
    return [{ path, sizeBytes: content.length, modifiedMs, changedMs, hash: content }];
  }
  return {
    looks: () => looks,
    write: (path, content, changedMs) => files.set(path, { content, modifiedMs: changedMs, changedMs }),
    touchMode(path, changedMs) {
      const file = files.get(path);
      if (file !== undefined) files.set(path, { ...file, changedMs });
    },
    remove: (path) => files.delete(path),
    setComplete: (value) => {
      isComplete = value;
    },
    look: {
      async list({ directory, isWanted, others }) {
        looks += 1;
        const paths = [...files.keys()].filter((path) => {
          if (others.includes(path)) return true;
          if (!path.startsWith(`${directory}/`)) return false;
          const [name = "", ...folders] = path
            .slice(directory.length + 1)
            .split("/")
            .reverse();
          return isWanted(folders.reverse().join("/"), name);
        });
        return { items: paths.flatMap(asFile), isComplete };
      },
      async lookAt(paths) {
        looks += 1;
        return paths.flatMap(asFile);
      },
      async changedSince(directory, sinceMs) {
        looks += 1;
        const paths = [...files.keys()].filter((path) => path.startsWith(`${directory}/`));
        return { items: paths.flatMap(asFile).filter(({ changedMs }) => changedMs >= sinceMs), isComplete };
      },
      async measure(path) {
        looks += 1;
        const file = files.get(path);
        if (file !== undefined) return { kind: "file", sizeBytes: file.content.length };
        const below = [...files.keys()].filter((one) => one.startsWith(`${path}/`)).flatMap(asFile);
        if (below.length === 0) return { kind: "missing" };
        const sizeBytes = below.reduce((sum, one) => sum + one.sizeBytes, 0);
        return { kind: "folder", files: below.length, sizeBytes, isComplete };
      },
      mark: async (wanted) => wanted.map(({ path }) => `${path} ${files.get(path)?.content}`),
      async readText(path) {
        looks += 1;
        return files.get(path)?.content;
      },
    },
  };
}

export type GateWorld = {
  readonly machine: MemoryMachine;
  readonly premise: PremiseWatch;
  readonly parts: GateParts;
  setTime(nowMs: number): void;
};

export function createGateWorld(settings: Partial<GateParts> = {}): GateWorld {
  const machine = createMemoryMachine();
  let time = 1_000_000;
  const now = () => time;
  const premise = createPremiseWatch({ machine: machine.look, root: "/w", home: "/home/dev", now });
  const parts: GateParts = {
    mode: "default",
    interactive: true,
    rules: [],
    root: "/w",
    home: "/home/dev",
    lookAtPath: (path) => ({ place: path.startsWith("/w/") ? "inside" : "outside", otherNames: [] }),
    analyseShell: readPlainCommands,
    premise,
    machine: machine.look,
    changedFiles: () => [],
    now,
    ...settings,
  };
  return {
    machine,
    premise,
    parts,
    setTime: (nowMs) => {
      time = nowMs;
    },
  };
}

export function shellCall(text: string, options: { readonly isAsked: boolean } = { isAsked: false }): GatedCall {
  const need: Need = { permission: "bash", patterns: [text], always: [], access: "execute" };
  return { tool: "bash", needs: [need], readOnly: false, cwd: "/w", isAsked: options.isAsked };
}

export function editCall(path: string, tool = "edit"): GatedCall {
  const need: Need = { permission: "edit", patterns: [path], always: [], access: "write", paths: [path] };
  return { tool, needs: [need], readOnly: false, cwd: "/w", isAsked: false };
}
