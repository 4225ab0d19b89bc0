/** What Google wants of the conversations it is sent. */
import type { Model } from "@kedge/protocol";
import type { WireConversationRules } from "../conversation/wire-conversation-rules.ts";

/** Documented for calls that another model made: the vendor takes it in the place of a signature. */
const skipsValidation = "skip_thought_signature_validator";

/** A call is accepted only after a user's turn, and pictures in results since the third generation of models. */
export const googleConversation: WireConversationRules = {
  alternates: true,
  mediaInResults: "when-capable",
  unsignedCallSignature: (model) => (checksSignatures(model) ? skipsValidation : undefined),
};

/** The models that are told how much to think by a level are those that reject calls without a signature. */
function checksSignatures({ id, capabilities }: Model): boolean {
  return capabilities === undefined ? /gemini-[3-9]/.test(id) : capabilities.reasoning === "effort";
}
