/** Settles before anything of a project is loaded whether it is trusted: by the record, by the flag, or by asking. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { answerTrust, judgeWorkspace, projectSettingNames, type TrustParts, type WorkspaceTrust } from "@kedge/host";
import { type Failure, FailureError } from "@kedge/protocol";
import { writeDiagnostic } from "../output.ts";

export type UnknownTrust = Extract<WorkspaceTrust, { readonly state: "unknown" }>;

/** Undefined when the person does not want to say. */
export type TrustQuestion = (root: string, trust: UnknownTrust) => Promise<"trusted" | "refused" | undefined>;

export type EstablishedTrust =
  | { readonly ok: true; readonly isTrusted: boolean }
  | { readonly ok: false; readonly failure: Failure };

export async function establishTrust(
  place: Omit<TrustParts, "now">,
  { give, ask }: { readonly give: boolean; readonly ask: TrustQuestion | undefined },
): Promise<EstablishedTrust> {
  const parts: TrustParts = { ...place, now: Date.now };
  // Most projects bring nothing that is loaded, and then nothing else is looked at.
  if (!give && !projectSettingNames.some((name) => existsSync(join(place.root, name)))) return untrusted;
  try {
    if (give) return record(parts, "trusted");
    const trust = judgeWorkspace(parts);
    if (trust.state === "trusted") return { ok: true, isTrusted: true };
    if (trust.state !== "unknown") return untrusted;
    const answer = await ask?.(place.root, trust);
    if (answer !== undefined) return record(parts, answer);
    const why = trust.changes.length > 0 ? "its settings changed since it was trusted" : "it was not trusted yet";
    writeDiagnostic(
      `kedge: of the settings of this project only what asks or denies counts, because ${why}; kedge trust shows them.`,
    );
    return untrusted;
  } catch (error) {
    if (error instanceof FailureError) return { ok: false, failure: error.failure };
    throw error;
  }
}

const untrusted: EstablishedTrust = { ok: true, isTrusted: false };

function record(parts: TrustParts, answer: "trusted" | "refused"): EstablishedTrust {
  const refusal = answerTrust(parts, answer);
  if (refusal === undefined) return { ok: true, isTrusted: answer === "trusted" };
  return { ok: false, failure: { code: "configuration", message: refusal, retryable: false } };
}
