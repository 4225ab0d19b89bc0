/** Brings questions of a server to the person whose call it is working on. */
import type { Dialogue, ToolContext } from "@kedge/protocol";
import type { Elicit } from "../connection/connect-parts.ts";
import { askForm, askToOpen } from "./ask-person.ts";

export interface ElicitationDesk {
  /** While the call runs, its person can be asked. */
  during<Value>(context: Pick<ToolContext, "dialogue">, work: () => Promise<Value>): Promise<Value>;
  readonly elicit: Elicit;
}

/** Told once per declined question, in a sentence for the user. */
export function createElicitationDesk(server: string, onDeclined: (sentence: string) => void): ElicitationDesk {
  const asked: Pick<Dialogue, "ask">[] = [];

  /** A question does not say to which call it belongs: with calls of several sessions nobody is asked. */
  const onlyOne = () => (asked.every((each) => each === asked[0]) ? asked[0] : undefined);

  return {
    async during({ dialogue }, work) {
      asked.push(dialogue);
      try {
        return await work();
      } finally {
        asked.splice(asked.indexOf(dialogue), 1);
      }
    },
    async elicit(request) {
      const dialogue = onlyOne();
      const decline = (why: string) => {
        onDeclined(`The MCP server ${server} asked a question that was declined: ${why}.`);
        return { action: "decline" as const };
      };
      if (dialogue === undefined)
        return decline(asked.length === 0 ? "no call of it is running" : "it is not clear whom it is for");
      if (request.mode === "url")
        return (await askToOpen({ server, message: request.message, url: request.url }, dialogue))
          ? { action: "accept" }
          : decline("nobody agreed to open the page");
      const answer = await askForm({ ...request, server }, dialogue);
      return answer.action === "cancel" ? decline("nobody can answer now") : answer;
    },
  };
}
