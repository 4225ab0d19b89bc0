/** The gates: what turns an allowed call into a question, and what a person must see before answering one. */
import { resolve } from "node:path";
import {
  type AnalyseShell,
  counted,
  type LookAtPath,
  type Need,
  type PermissionMode,
  type RuleSet,
  type ShellAnalysis,
} from "@kedge/protocol";
import { canonicalPermission } from "../permission/index.ts";
import { shapeOf } from "./command-rows.ts";
import { evidenceFor } from "./evidence.ts";
import { type GraveCommand, graveCommands } from "./irreversible.ts";
import type { MachineLook } from "./machine-look.ts";
import { plainText } from "./plain-text.ts";
import { commandFamilies } from "./premise-files.ts";
import { type PremiseChange, type PremiseWatch, premiseLine } from "./premise-watch.ts";
import { selectedContext } from "./selected-context.ts";
import { isNamedByRule, steeringNotice } from "./steering-files.ts";
import { steeringTargets } from "./steering-targets.ts";
import { isUnpacking, unpackedLines } from "./unpacked-files.ts";

export type GatedCall = {
  readonly tool: string;
  readonly needs: readonly Need[];
  readonly readOnly: boolean;
  /** Absolute; relative paths start here. */
  readonly cwd: string;
  /** A person will be asked in any case, and needs the evidence. */
  readonly isAsked: boolean;
};

export type GateParts = {
  readonly mode: PermissionMode;
  /** True when a person can answer. */
  readonly interactive: boolean;
  readonly rules: readonly RuleSet[];
  readonly root: string;
  readonly home: string;
  readonly lookAtPath: LookAtPath;
  readonly analyseShell: AnalyseShell;
  readonly premise: PremiseWatch;
  readonly machine: MachineLook;
  /** Absolute paths of the files that the session's record names as changed. */
  readonly changedFiles: () => readonly string[];
  readonly now: () => number;
  /** How much the agent struggles, and whether this call edits what it is measured by. */
  readonly pressure?: { readonly level: "calm" | "elevated" | "high"; readonly isTestEdit: boolean };
  /** The call repeats one that failed, with a check switched off. */
  readonly escalation?: { readonly command: string; readonly error: string };
};

export type Gated = {
  /** The call needs an answer although a rule, a mode or a default would let it run. Nothing is offered for longer. */
  readonly raise?: { readonly reason: string };
  /** One line each, for the person; gathered only where one is asked. */
  readonly evidence: readonly string[];
  /** The answer that is offered first is "reject", and no answer lasts longer than this call. */
  readonly isIrreversible: boolean;
};

type ReadText = { readonly analysis: ShellAnalysis; readonly directory: string; readonly whole: string };

const open: Gated = { evidence: [], isIrreversible: false };

/** A promise only where the machine has to be looked at: ordinary calls pass without. */
export function gateCall(call: GatedCall, parts: GateParts): Gated | Promise<Gated> {
  const texts = readTexts(call, parts);
  if (call.readOnly && texts.length === 0) return open;
  const reasons = [...steeringReasons(call, texts, parts), ...conductReasons(parts)];
  const shown = shownError(parts);
  const families = new Set(
    texts.flatMap(({ analysis, whole }) => analysis.commands.flatMap((command) => commandFamilies(command, whole))),
  );
  const grave = texts.flatMap((text) => graveCommands(text.analysis, text.whole).map((found) => ({ ...text, found })));
  const isIrreversible = grave.some(({ found }) => found.isIrreversible);
  const isOutward = call.isAsked && texts.some(({ analysis }) => analysis.commands.some(({ outward }) => outward));
  const isUnpacked =
    call.isAsked && texts.some(({ analysis }) => analysis.commands.some(({ text }) => isUnpacking(text)));
  if (families.size === 0 && grave.length === 0 && !isOutward && !isUnpacked)
    return gated(reasons, shown, isIrreversible);
  return lookFurther({ call, parts, texts, reasons, shown, families, grave, isIrreversible });
}

type Further = {
  readonly call: GatedCall;
  readonly parts: GateParts;
  readonly texts: readonly ReadText[];
  readonly reasons: readonly string[];
  readonly shown: readonly string[];
  readonly families: ReadonlySet<string>;
  readonly grave: readonly (ReadText & { readonly found: GraveCommand })[];
  readonly isIrreversible: boolean;
};

async function lookFurther(further: Further): Promise<Gated> {
  const { call, parts, reasons, shown, families, grave, isIrreversible } = further;
  const changes = families.size === 0 ? [] : await parts.premise.changes(families);
  const lines = premiseLines(changes, parts.now());
  const raised = [...reasons, ...lines];
  if (raised.length === 0 && !call.isAsked) return { ...open, isIrreversible };
  const evidence: string[] = [...shown, ...lines];
  const { premise, machine, home, now } = parts;
  const changedFiles = parts.changedFiles();
  for (const { found, ...text } of grave) {
    const { whole } = text;
    const directory = directoryAt(text, found.command);
    evidence.push(...(await evidenceFor(found, { premise, machine, home, now, whole, changedFiles, directory })));
  }
  evidence.push(...(await outwardLines(further)), ...(await overwrittenLines(further)));
  return gated(raised, [...new Set(evidence)], isIrreversible);
}

/** More would bury the rest of the question. */
const changesMax = 5;

function premiseLines(changes: readonly PremiseChange[], nowMs: number): readonly string[] {
  const latest = changes.toSorted((left, right) => right.changedMs - left.changedMs);
  const lines = latest.slice(0, changesMax).map((change) => premiseLine(change, nowMs));
  const more = changes.length - lines.length;
  return more > 0 ? [...lines, `and ${counted(more, "more state file")} changed`] : lines;
}

function gated(reasons: readonly string[], evidence: readonly string[], isIrreversible: boolean): Gated {
  if (reasons.length === 0) return evidence.length === 0 && !isIrreversible ? open : { evidence, isIrreversible };
  return { raise: { reason: reasons.join("; ") }, evidence, isIrreversible };
}

/** As the judge reads them, from the same directory. */
function readTexts({ needs, cwd }: GatedCall, parts: GateParts): readonly ReadText[] {
  const { root, home, lookAtPath, analyseShell } = parts;
  return needs.flatMap((need) => {
    if (canonicalPermission(need.permission) !== "bash") return [];
    const directory = need.paths?.[0] ?? cwd;
    return need.patterns.map((whole) => ({
      whole,
      directory,
      analysis: analyseShell(whole, { cwd: directory, root, home, lookAtPath }),
    }));
  });
}

function steeringReasons(call: GatedCall, texts: readonly ReadText[], parts: GateParts): readonly string[] {
  if (parts.mode === "bypass") return [];
  const { root, home, rules, interactive } = parts;
  const targets = steeringTargets(call.needs, texts, { root, home, cwd: call.cwd });
  // With a person there the question is always put; without one the user's rule for this very file is the answer.
  return targets
    .filter((path) => interactive || !isNamedByRule(path, rules, { root, home }))
    .map((path) => `${plainText(path)}: ${steeringNotice}`);
}

function conductReasons({ pressure, escalation }: GateParts): readonly string[] {
  const reasons: string[] = [];
  if (pressure !== undefined && pressure.level !== "calm" && pressure.isTestEdit)
    reasons.push("it edits tests or checks after several failed attempts to pass them");
  if (escalation !== undefined)
    reasons.push(`it repeats a failed command with a check disabled: ${plainText(escalation.command)}`);
  return reasons;
}

function shownError({ escalation }: GateParts): readonly string[] {
  return escalation === undefined
    ? []
    : [`${plainText(escalation.command)} failed earlier: ${plainText(escalation.error)}`];
}

/** What leaves the machine is shown whole, with the place it goes to. */
async function outwardLines({ texts, parts, grave }: Further): Promise<readonly string[]> {
  const { machine, home } = parts;
  const lines: string[] = [];
  for (const { analysis, directory, whole } of texts) {
    for (const command of analysis.commands) {
      const { text, outward } = command;
      if (outward === undefined || grave.some(({ found }) => found.command === command)) continue;
      lines.push(`${plainText(text)}: ${outward}`);
      const isGit = shapeOf(text).program === "git";
      if (isGit) lines.push(...(await selectedContext("git", { machine, text, whole, directory, home })));
    }
  }
  return lines;
}

async function overwrittenLines({ call, texts, parts }: Further): Promise<readonly string[]> {
  if (!call.isAsked) return [];
  const { machine } = parts;
  const lines: string[] = [];
  for (const text of texts) {
    for (const command of text.analysis.commands)
      lines.push(...(await unpackedLines(command.text, { machine, directory: directoryAt(text, command) })));
  }
  return lines;
}

/** Follows plain changes of directory before the command. Those in a subshell end with it, so there none is followed. */
function directoryAt(
  { analysis, whole, directory: start }: ReadText,
  command: ShellAnalysis["commands"][number],
): string {
  if (whole.includes("(")) return start;
  let directory = start;
  for (const one of analysis.commands) {
    if (one === command) break;
    const [program, target] = one.text.split(" ");
    if (program === "cd" && target !== undefined && !/^[$*?`~-]/.test(target)) directory = resolve(directory, target);
  }
  return directory;
}
