/** Answers about this machine: what kedge used and cost on it, and whether it has all that kedge needs. */
import type { DoctorCheck, QueryAnswer, QueryOf } from "@kedge/protocol";
import { type DoctorFinding, examineMachine } from "../doctor.ts";
import { judgeWorkspace } from "../trust/workspace-trust.ts";
import { aggregateUsage, startOfDays } from "../usage/aggregate-usage.ts";
import type { HostDeskParts } from "./host-desk.ts";

export async function readUsage(
  { store, now }: Pick<HostDeskParts, "store" | "now">,
  { days }: QueryOf<"usage.read">,
): Promise<QueryAnswer<"usage.read">> {
  const filter = days === undefined ? {} : { sinceMs: startOfDays(now(), days) };
  return { ok: true, value: await aggregateUsage(store, filter) };
}

type MachineParts = Pick<HostDeskParts, "home" | "project" | "userDirectory" | "configuration" | "environment" | "now">;

export async function runDoctor(parts: MachineParts): Promise<QueryAnswer<"doctor.run">> {
  const { home, project, userDirectory, configuration, environment, now } = parts;
  const trust = judgeWorkspace({ home, root: project.root, userDirectory, now });
  const { version: nodeVersion } = process;
  const findings = await examineMachine({ home, configuration, trust, environment, nodeVersion, now });
  return { ok: true, value: { checks: findings.map(checkOf) } };
}

/** What is off was chosen so, and is well. */
const states: { readonly [State in DoctorFinding["state"]]: DoctorCheck["state"] } = {
  ok: "ok",
  off: "ok",
  warning: "warning",
  missing: "error",
};

function checkOf({ name, state, detail, advice }: DoctorFinding): DoctorCheck {
  const next = state === "ok" ? undefined : advice;
  return { name, state: states[state], sentence: detail, ...(next !== undefined && { next }) };
}
