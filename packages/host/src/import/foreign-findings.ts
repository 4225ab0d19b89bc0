/** What `kedge doctor` says of other agents' settings: which of them kedge has nothing for. Never guesses, and writes nothing. */
import type { DoctorFinding } from "../doctor.ts";
import { foreignAgents } from "./agents/foreign-agents.ts";
import type { ImportNote } from "./findings.ts";
import { importedAgents } from "./plan/import-plan.ts";
import { planImport } from "./plan/plan-import.ts";
import type { TargetPlaces } from "./plan/settings-target.ts";

const shownMax = 8;

export async function foreignFindings(places: TargetPlaces): Promise<readonly DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  for (const agent of importedAgents) {
    const { notes, files, found } = await planImport({ agent, scopes: ["user", "project"] }, places);
    if (found.length === 0) continue;
    const { name } = foreignAgents[agent];
    const advice = `For details, run kedge import --from ${agent} --dry-run.`;
    const broken = notes.filter(({ kind }) => kind === "broken");
    for (const note of broken) {
      findings.push({ name: agent, state: "warning", detail: `${placeOf(note)} ${note.why}`, advice: "Fix the file." });
    }
    const unsupported = notes.filter(({ kind }) => kind === "unsupported");
    if (unsupported.length > 0) {
      const count = unsupported.length === 1 ? "1 setting of" : `${unsupported.length} settings of`;
      const detail = `${count} ${name} without an equivalent: ${listed(unsupported)}`;
      findings.push({ name: agent, state: "warning", detail, advice });
    } else if (files.length > 0) {
      findings.push({ name: agent, state: "off", detail: `${name} is set up here but not imported`, advice });
    }
  }
  return findings;
}

function listed(notes: readonly ImportNote[]): string {
  const shown = notes.slice(0, shownMax).map(placeOf).join(", ");
  return notes.length > shownMax ? `${shown} and ${notes.length - shownMax} more` : shown;
}

function placeOf({ file, key }: ImportNote): string {
  return key === undefined ? file : `${file}: ${key}`;
}
