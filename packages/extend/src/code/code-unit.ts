/** One file of code: known by what it brings, started when it is needed, and left alone once it has failed too often. */
import { basename, dirname, relative, sep } from "node:path";
import type { JsonObject } from "@kedge/protocol";
import { type CodeGroup, ownerName } from "./code-group.ts";
import { type CodeManifest, readManifest } from "./code-manifest.ts";
import type { LoadMessage, Work } from "./code-messages.ts";
import type { CodeParts } from "./code-parts.ts";
import { type CodeProcess, type CodeReply, openCodeProcess, type WorkOptions } from "./code-process.ts";
import { keepDefinition, readKeptDefinition } from "./kept-definition.ts";
import type { KnownHook } from "./known-hooks.ts";
import { openLoadedPackages } from "./loaded-packages.ts";
import { createUnitLog } from "./unit-log.ts";
import { allowedOf, problemsOf, usedHooksOf } from "./unit-rights.ts";

export type CodeUnit = {
  readonly file: string;
  readonly group: CodeGroup;
  /** Changes with everything that what it brings depends on. */
  readonly key: string;
  /** For people: the file, and whose it is. */
  readonly name: string;
  readonly manifest: () => CodeManifest;
  /** Of the hooks it brings those that kedge has and that it may use. */
  readonly hooks: () => readonly KnownHook[];
  /** Why it is not used any more. */
  readonly offBecause: () => string | undefined;
  readonly logs: () => readonly string[];
  /** Says something to the user in the name of the file, as long as it does not say too much. */
  readonly notify: (text: string) => void;
  /** Finds out what it brings; a sentence about what is wrong with it. */
  open(): Promise<readonly string[]>;
  work(work: Work, options: WorkOptions): Promise<CodeReply>;
  /** For code that already runs. */
  tell(event: JsonObject): void;
  close(): void;
};

/** More than a hook has: a busy machine may need seconds to start a process. */
const loadMsMax = 10_000;
/** A file that broke so often when it was loaded is not tried again before it changes. */
const attemptsMax = 2;
const crashesMax = 3;
const nothing: CodeManifest = { tools: [], hooks: [], commands: {}, notes: [] };

export function createCodeUnit(file: string, group: CodeGroup, parts: CodeParts, onChanged: () => void): CodeUnit {
  const name = `${parts.shownPath(file)} (${ownerName(group.owner)})`;
  let manifest = nothing;
  let known: string | undefined;
  let off: string | undefined;
  let crashes = 0;
  let starting: Promise<CodeProcess | { readonly problem: string; readonly isLasting: boolean }> | undefined;
  let running: CodeProcess | undefined;
  const log = createUnitLog(name, parts.onNotice);
  const key = parts.digest(
    JSON.stringify([
      ...[parts.programVersion, process.version, file, group.version, group.capabilities, parts.place],
      ...[...(group.digests ?? [])].toSorted(([left], [right]) => (left < right ? -1 : 1)),
    ]),
  );

  const packages = openLoadedPackages(file, group, parts);
  const newMessage = (): LoadMessage => ({
    type: "load",
    file,
    kind: kindOf(file, group.owner),
    root: group.owner.root,
    ...(group.digests !== undefined && { digests: [...packages.list(), ...group.digests] }),
    reportsPackages: group.owner.kind === "project",
    zodUrl: parts.zodUrl,
    place: {
      ...parts.place,
      ...(group.owner.kind === "plugin" && group.owner.data !== undefined && { data: group.owner.data }),
    },
  });

  function turnOff(why: string): void {
    off ??= why;
    running?.end();
    parts.onNotice(`${name} is disabled for this session: ${why}.`);
    onChanged();
  }

  function learn(found: CodeManifest): void {
    const text = JSON.stringify(found);
    const isOther = known !== undefined && known !== text;
    if (known !== text) keepDefinition(parts.definitions, key, { manifest: found });
    known = text;
    manifest = found;
    if (isOther) onChanged();
  }

  async function start() {
    const place = { cwd: parts.place.cwd, environment: parts.environment(group) };
    const opened = openCodeProcess({ ...place, onLog: log.add, onModule: packages.add });
    if ("problem" in opened) return { ...opened, isLasting: false };
    const reply = await opened.load(newMessage(), parts.limits?.loadMs ?? loadMsMax);
    const found = reply.ok ? readManifest(reply.value) : undefined;
    if (found === undefined) {
      opened.end();
      const problem = reply.ok ? "it sent nothing kedge understands" : reply.problem;
      return { problem, isLasting: reply.ok || reply.kind === "failed" };
    }
    learn(found);
    running = opened;
    return opened;
  }

  function ensure() {
    if (running?.isGone()) {
      running = undefined;
      starting = undefined;
    }
    starting ??= start();
    return starting;
  }

  return {
    file,
    group,
    key,
    name,
    manifest: () => (off === undefined ? allowedOf(manifest, group) : nothing),
    hooks: () => (off === undefined ? usedHooksOf(manifest, group) : []),
    offBecause: () => off,
    logs: log.lines,
    notify: log.notify,
    async open() {
      const before = readKeptDefinition(parts.definitions, key);
      if (before !== undefined && "manifest" in before) {
        known = JSON.stringify(before.manifest);
        manifest = before.manifest;
        return problemsOf(manifest, group).map((problem) => `${name}: ${problem}.`);
      }
      const { problem: again, attempts } = before ?? { problem: "", attempts: 0 };
      const started =
        attempts < attemptsMax ? await ensure() : { problem: `${again}. Change the file to retry`, isLasting: false };
      if (!("problem" in started)) return problemsOf(manifest, group).map((problem) => `${name}: ${problem}.`);
      const { problem, isLasting } = started;
      off = problem;
      if (isLasting) keepDefinition(parts.definitions, key, { problem, attempts: attempts + 1 });
      return [`${name} cannot be used: ${problem}.`];
    },
    async work(work, options) {
      if (off !== undefined) return { ok: false, kind: "failed", problem: off };
      const opened = await ensure();
      if ("problem" in opened) {
        turnOff(opened.problem);
        return { ok: false, kind: "failed", problem: opened.problem };
      }
      const reply = await opened.work(work, options);
      if (opened.isGone() && !reply.ok && reply.kind === "failed") {
        crashes += 1;
        if (crashes >= crashesMax) turnOff(`${reply.problem}, ${crashes} times`);
      }
      return reply;
    },
    tell: (event) => running?.tell(event),
    close() {
      off ??= "kedge is closing";
      running?.end();
      void starting?.then((opened) => "problem" in opened || opened.end());
    },
  };
}

/** Files of a plugin folder are plugins; of what a plugin brings, files of a tool folder bring tools. */
function kindOf(file: string, owner: CodeGroup["owner"]): LoadMessage["kind"] {
  if (owner.kind !== "plugin") return /^plugins?$/.test(basename(dirname(file))) ? "plugin" : "tools";
  const steps = relative(owner.root, file).split(sep);
  return steps.some((step) => /^tools?$/.test(step)) ? "tools" : "plugin";
}
