/** Settles before anything of a project is loaded whether it is trusted: by the record, by the flag, or by asking. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  answerTrust,
  bringsCode,
  bringsHooks,
  bringsServers,
  isTooWide,
  judgeWorkspace,
  type ProjectInput,
  projectExtensions,
  projectInstructions,
  projectSettingNames,
  recordedAnswer,
  type TrustParts,
  type WorkspaceTrust,
} from "@kedge/host";
import { type Failure, FailureError } from "@kedge/protocol";
import { writeNotice } from "../output.ts";
import { trustTexts } from "../texts/opening.ts";

export type UnknownTrust = Extract<WorkspaceTrust, { readonly state: "unknown" }>;

/** Undefined when the person does not want to say. */
export type TrustQuestion = (root: string, trust: UnknownTrust) => Promise<"trusted" | "refused" | undefined>;

export type EstablishedTrust =
  | {
      readonly ok: true;
      readonly isTrusted: boolean;
      /** The project brings what nobody trusted. */
      readonly isHeldBack?: true;
    }
  | { readonly ok: false; readonly failure: Failure };

export type TrustOptions = {
  readonly give: boolean;
  readonly ask: TrustQuestion | undefined;
  /** Whether instruction files of the project count as well; otherwise its settings alone. */
  readonly loadsInstructions?: true;
  /** Whether it matters that MCP servers of the project are left out. */
  readonly looksAtServers?: true;
};

export async function establishTrust(
  { cwd, ...place }: Omit<TrustParts, "now"> & { readonly cwd: string },
  { give, ask, loadsInstructions, looksAtServers }: TrustOptions,
): Promise<EstablishedTrust> {
  const parts: TrustParts = { ...place, now: Date.now };
  const hasSettings = projectSettingNames.some((name) => existsSync(join(place.root, name)));
  const { root, userDirectory, home } = place;
  // A home directory cannot be trusted, and the user's own files in it count without that.
  const isWide = isTooWide(root, userDirectory);
  const mayLoad = loadsInstructions && !isWide;
  const instructions = mayLoad ? projectInstructions({ cwd, root }) : [];
  const site = { cwd, root, userDirectory, kedgeHome: home.directory };
  const brought = mayLoad ? [...instructions, ...projectExtensions(site)] : [];
  const hasHooks = !isWide && bringsHooks(root);
  const hasCode = !isWide && bringsCode(root);
  const hasServers = !isWide && (loadsInstructions ?? looksAtServers) === true && bringsServers(root);
  // Many projects bring nothing that is loaded, and then nothing else is looked at.
  if (!give && !hasSettings && !hasHooks && !hasCode && !hasServers && brought.length === 0) return untrusted;
  try {
    if (give) return record(parts, "trusted");
    const trust = judged(parts, brought);
    if (trust.state === "trusted") return { ok: true, isTrusted: true };
    if (trust.state === "nothing") return untrusted;
    if (trust.state !== "unknown") return heldBack;
    const answer = await ask?.(place.root, trust);
    if (answer !== undefined) return record(parts, answer);
    const told = { hasSettings, hasHooks, hasCode, hasServers, hasInstructions: instructions.length > 0 };
    writeNotice(trustTexts.review(withoutTrust(trust, told)));
    return heldBack;
  } catch (error) {
    if (error instanceof FailureError) return { ok: false, failure: error.failure };
    throw error;
  }
}

/** Of a project whose files all lie below its root, nothing but the answer itself is recorded. */
function judged(parts: TrustParts, brought: readonly ProjectInput[]): WorkspaceTrust {
  const trust = judgeWorkspace(parts);
  if (trust.state !== "nothing" || brought.length === 0) return trust;
  const state = recordedAnswer(parts);
  return state === undefined ? { state: "unknown", inputs: brought, changes: [] } : { state, inputs: brought };
}

type Brought = {
  readonly hasSettings: boolean;
  readonly hasHooks: boolean;
  readonly hasCode: boolean;
  readonly hasServers: boolean;
  readonly hasInstructions: boolean;
};

function withoutTrust({ changes }: UnknownTrust, brought: Brought): string {
  const { hasSettings, hasHooks, hasCode, hasServers, hasInstructions } = brought;
  if (hasSettings) {
    const why = changes.length > 0 ? trustTexts.settingsChanged : trustTexts.notTrusted;
    return trustTexts.rulesIgnored(why);
  }
  const why = changes.length > 0 ? trustTexts.filesChanged : trustTexts.notTrusted;
  if (hasHooks) return trustTexts.hooksOff(why);
  if (hasCode) return trustTexts.codeOff(why);
  if (hasServers && !hasInstructions) return trustTexts.serversOff(why);
  const what = hasInstructions ? trustTexts.instructionFiles : trustTexts.extensions;
  return trustTexts.notLoaded(what, why);
}

const untrusted: EstablishedTrust = { ok: true, isTrusted: false };
const heldBack: EstablishedTrust = { ok: true, isTrusted: false, isHeldBack: true };

function record(parts: TrustParts, answer: "trusted" | "refused"): EstablishedTrust {
  const refusal = answerTrust(parts, answer);
  if (refusal === undefined) return answer === "trusted" ? { ok: true, isTrusted: true } : heldBack;
  return { ok: false, failure: { code: "configuration", message: refusal, retryable: false } };
}
