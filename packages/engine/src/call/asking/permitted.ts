/** How the question about a call was settled, and what the model reads where it may not run. */
import type { JsonObject, PermissionDecision } from "@kedge/protocol";
import type { Classification } from "../../classifier/classify-call.ts";
import type { Gated } from "../../gates/index.ts";
import {
  type AllowedLook,
  type AskVerdict,
  type DenyVerdict,
  denialText,
  headlessText,
} from "../../permission/index.ts";
import { raisedHeadlessText } from "../../prompt-texts.ts";

export type Permitted =
  | { readonly outcome: "allowed"; readonly decision: PermissionDecision; readonly look?: AllowedLook }
  /** `output` is what the model reads. */
  | { readonly outcome: "refused"; readonly decision: PermissionDecision; readonly output: string }
  /** The person wants another input to run: it is a new call, which has yet to be permitted. */
  | {
      readonly outcome: "edited";
      readonly input: JsonObject;
      readonly answered: AskVerdict;
      readonly changes?: readonly string[];
    }
  /** It was permitted, but what it would use is no longer what it was; sentences for a person, without full stops. */
  | { readonly outcome: "changed"; readonly changes: readonly string[] }
  | { readonly outcome: "interrupted" };

export function allowed(source: PermissionDecision["source"], reason: string): Permitted {
  return { outcome: "allowed", decision: { behavior: "allow", source, reason, rules: [] } };
}

/** A session moment answered the question with no. */
export function refusedOutside(text: string): Permitted {
  return { outcome: "refused", decision: { behavior: "deny", source: "phase", reason: text, rules: [] }, output: text };
}

export const written: Permitted = allowed("user", "allowed once, as the user wrote it");

export const rejectedBefore: Permitted = rejected(
  "you already rejected this call",
  "The user rejected this same call before and has said nothing since, so it did not run and nobody was asked again. Do something else, or say what it is needed for.",
);

export const rejectedSibling: Permitted = rejected(
  "you rejected another call from the same response",
  "The user rejected another call of the same answer, so this one did not run either.",
);

function rejected(reason: string, output: string): Permitted {
  return { outcome: "refused", decision: { behavior: "deny", source: "user", reason, rules: [] }, output };
}

/** What was allowed when it was asked is denied by now. */
export function denied(verdict: DenyVerdict): Permitted {
  return { outcome: "refused", decision: verdict.decision, output: denialText(verdict) };
}

/** What the call would use cannot be looked at, so that no answer could be held to it. */
export function unbound(report: string): Permitted {
  const reason = `what it would use cannot be checked: ${report}`;
  const decision = { behavior: "deny", source: "guard", reason, rules: [] } as const;
  return { outcome: "refused", decision, output: `The call did not run: ${reason}` };
}

/** Nobody is there who could be asked, or was; then `why` says more. */
export function unanswerable(verdict: AskVerdict, { raise }: Gated, why?: string): Permitted {
  const { reason, rules } = verdict;
  const decision = { behavior: "deny", source: "headless", reason, rules } as const;
  const text = raise === undefined ? headlessText(verdict) : raisedHeadlessText(reason);
  return { outcome: "refused", decision, output: why === undefined ? text : `${why}\n${text}` };
}

export function classified({ why, model, latencyMs, cost }: Classification): Permitted {
  return {
    outcome: "allowed",
    decision: {
      behavior: "allow",
      source: "classifier",
      reason: `the classifier found: ${why}`,
      rules: [],
      classifier: { model, latencyMs, usd: cost.usd },
    },
  };
}
