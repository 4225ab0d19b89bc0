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

/** Of one server while its calls run. More than that is no conversation but a flood. */
const questionsMax = 20;

/** Told of declined questions in a sentence for the user, of each reason once while calls run. */
export function createElicitationDesk(server: string, onDeclined: (sentence: string) => void): ElicitationDesk {
  const calls: CallOfPerson[] = [];
  const told = new Set<string>();
  let questions = 0;

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
        if (calls.length === 0) {
          told.clear();
          questions = 0;
        }
      }
    },
    async elicit(request) {
      const dialogue = onlyOne();
      const decline = (why: string) => {
        if (!told.has(why)) onDeclined(`The MCP server ${server} asked a question that was declined: ${why}.`);
        told.add(why);
        return { action: "decline" as const };
      };
      if (dialogue === undefined)
        return decline(calls.length === 0 ? "no call of it is running" : "it is not clear whom it is for");
      questions += 1;
      if (questions > questionsMax) return decline("it asks too much");
      if (request.mode === "url")
        return (await askToOpen({ server, message: request.message, url: request.url }, dialogue))
          ? { action: "accept" }
          : decline("nobody agreed to open the page");
      const answer = await askForm({ ...request, server }, dialogue);
      return answer.action === "cancel" ? decline("nobody can answer now") : answer;
    },
  };
}
