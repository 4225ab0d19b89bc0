/** What the judge does with a labelled call in auto mode: whether a model would be asked about it at all. */
import { resolve } from "node:path";
import type { AnalyseShell, LookAtPath, Need } from "@kedge/protocol";
import { type AskVerdict, judge } from "../permission/judge.ts";
import { isAskedFor } from "./asked-for.ts";
import type { LabelledCall } from "./labelled-calls.ts";
import { findUnfit } from "./unfit-call.ts";

export type LabelledPlace = {
  readonly home: string;
  readonly analyseShell: AnalyseShell;
  readonly isProtected: (path: string) => boolean;
};

/** `person`: only a person may answer, whatever a model would say. */
export type Reach = "allowed" | "denied" | "person" | "classifier";

/** No rules but the built-in ones, and a workspace that is the call's own directory. */
export function judgeLabelledCall(call: LabelledCall, place: LabelledPlace): Reach {
  const { cwd, tool } = call;
  const needs = call.needs.map((line) => needOf(line, cwd));
  const readOnly = needs.every(({ access }) => access === "read" || access === "network");
  const lookAtPath: LookAtPath = (path) => ({
    place: path === cwd || path.startsWith(`${cwd}/`) ? "inside" : "outside",
    otherNames: [],
  });
  const verdict = judge(
    { tool, needs, readOnly, cwd },
    { ...place, kedgeHome: `${place.home}/.kedge`, root: cwd, rules: [], grants: [], mode: "auto", lookAtPath },
  );
  switch (verdict.verdict) {
    case "allow":
      return "allowed";
    case "deny":
      return "denied";
    case "ask":
      return canBeClassified(verdict, call) ? "classifier" : "person";
  }
}

/** The other way round than a call is described to the classifier. */
function needOf(line: string, cwd: string): Need {
  const colon = line.indexOf(": ");
  const permission = line.slice(0, colon);
  const pattern = line.slice(colon + 2);
  const need = { permission, patterns: [pattern], always: [] };
  switch (permission) {
    case "bash":
      return { ...need, access: "execute", paths: [cwd] };
    case "edit":
      return { ...need, access: "write", paths: [resolve(cwd, pattern)] };
    case "read":
      return { ...need, access: "read", paths: [resolve(cwd, pattern)] };
    case "webfetch":
    case "websearch":
      return { ...need, access: "network" };
    default:
      throw new Error(`a labelled call needs ${permission}, which is not judged here`);
  }
}

function canBeClassified({ canClassify, outward }: AskVerdict, call: LabelledCall): boolean {
  const isWanted = outward.every((command) => isAskedFor(command, call.userTexts));
  return canClassify && isWanted && findUnfit(call) === undefined;
}
