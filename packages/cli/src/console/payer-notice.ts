/** Who pays, where a variable of the environment takes the place of the stored key. */
import { FailureError } from "@kedge/protocol";
import { failureText } from "../failure-text.ts";
import type { ConnectedKedge } from "../opening/start-kedge.ts";
import { talkTexts } from "../texts/console.ts";

/** Said once, because it is not what the user asked for when the other key was stored. */
export function payerNotice({ overridingVariable }: ConnectedKedge, model: string): string | undefined {
  try {
    const variable = overridingVariable(model);
    return variable === undefined ? undefined : talkTexts.billedTo(variable);
  } catch (error) {
    // The variable is enough to go on with, whatever is wrong with the stored keys.
    if (error instanceof FailureError) return failureText(error.failure);
    throw error;
  }
}
