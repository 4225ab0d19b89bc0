/** Brings questions of a server to the person whose call it is working on. */
import type { ToolContext } from "@kedge/protocol";
import type { Elicit } from "../connection/connect-parts.ts";
import { askForm, askToOpen } from "./ask-person.ts";

export interface ElicitationDesk {
  /** While the call runs, its person can be asked. */
  during<Value>(context: CallOfPerson, work: () => Promise<Value>): Promise<Value>;
  readonly elicit: Elicit;
}

type CallOfPerson = Pick<ToolContext, "dialogue" | "artifacts">;

/** Told once per declined question, in a sentence for the user. */
export function createElicitationDesk(server: string, onDeclined: (sentence: string) => void): ElicitationDesk {
  const calls: CallOfPerson[] = [];

  /**
   * A question does not say to which call it belongs: with calls of several sessions nobody is asked. Artifacts are the
   * same object in all calls of one session.
   */
  const onlyOne = () =>
    calls.every(({ artifacts }) => artifacts === calls[0]?.artifacts) ? calls.at(-1)?.dialogue : undefined;

  return {
    async during(call, work) {
      calls.push(call);
      try {
        return await work();
      } finally {
        calls.splice(calls.indexOf(call), 1);
      }
    },
    async elicit(request) {
      const dialogue = onlyOne();
      const decline = (why: string) => {
        onDeclined(`Declined a question from MCP server ${server}: ${why}.`);
        return { action: "decline" as const };
      };
      if (dialogue === undefined)
        return decline(calls.length === 0 ? "no call of it is running" : "it is unclear which session it is for");
      if (request.mode === "url")
        return (await askToOpen({ server, message: request.message, url: request.url }, dialogue))
          ? { action: "accept" }
          : decline("the page was not opened");
      const answer = await askForm({ ...request, server }, dialogue);
      return answer.action === "cancel" ? decline("no one can answer now") : answer;
    },
  };
}
