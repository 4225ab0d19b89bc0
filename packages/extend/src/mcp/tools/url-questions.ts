/** A call that first needs a page visited by a person: asks, waits until it is done, and calls again. */
import type { ToolContext } from "@kedge/protocol";
import { UrlElicitationRequiredError } from "@modelcontextprotocol/client";
import { askToOpen } from "../offers/ask-person.ts";

export type UrlQuestionParts = { readonly server: string; readonly context: ToolContext };

const roundsMax = 3;

export async function withUrlQuestions<Value>(
  { server, context }: UrlQuestionParts,
  call: () => Promise<Value>,
): Promise<Value> {
  for (let round = 1; ; round += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof UrlElicitationRequiredError) || round >= roundsMax) throw error;
      for (const { message, url } of error.elicitations) {
        if (!(await askToOpen({ server, message, url, waits: true }, context.dialogue))) throw error;
      }
    }
  }
}
