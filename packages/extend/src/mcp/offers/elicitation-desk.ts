/** Brings questions of a server to the person whose call it is working on. */
import type { ToolContext } from "@kedge/protocol";
import type { Elicit, ElicitAnswer, ElicitRequest } from "../connection/connect-parts.ts";
import { askForm, askToOpen } from "./ask-person.ts";

/** Others who are asked before a person is, and who see the answer before the server gets it. */
export type QuestionHooks = {
  asked(question: HookedRequest, signal: AbortSignal): Promise<ElicitAnswer | undefined>;
  answered(question: HookedRequest, answer: ElicitAnswer, signal: AbortSignal): Promise<ElicitAnswer | undefined>;
};

export type HookedRequest = { readonly server: string; readonly callId: string; readonly request: ElicitRequest };

export interface ElicitationDesk {
  /** While the call runs, its person can be asked. */
  during<Value>(context: CallOfPerson, work: () => Promise<Value>): Promise<Value>;
  readonly elicit: Elicit;
}

type CallOfPerson = Pick<ToolContext, "dialogue" | "artifacts" | "callId">;

/** Of one server while its calls run. More than that is no conversation but a flood. */
const questionsMax = 20;

/** Told of declined questions in a sentence for the user, of each reason once while calls run. */
export function createElicitationDesk(
  server: string,
  {
    onDeclined,
    hooks,
  }: { readonly onDeclined: (sentence: string) => void; readonly hooks?: QuestionHooks | undefined },
): ElicitationDesk {
  const calls: CallOfPerson[] = [];
  const told = new Set<string>();
  let questions = 0;

  /**
   * A question does not say to which call it belongs: with calls of several sessions nobody is asked. Artifacts are the
   * same object in all calls of one session.
   */
  const onlyOne = () => (calls.every(({ artifacts }) => artifacts === calls[0]?.artifacts) ? calls.at(-1) : undefined);

  const decline = (why: string) => {
    if (!told.has(why)) onDeclined(`Declined a question from MCP server ${server}: ${why}.`);
    told.add(why);
    return { action: "decline" as const };
  };

  async function askPerson(request: ElicitRequest, { dialogue }: CallOfPerson): Promise<ElicitAnswer> {
    if (request.mode === "url")
      return (await askToOpen({ server, message: request.message, url: request.url }, dialogue))
        ? { action: "accept" }
        : decline("the page was not opened");
    const answer = await askForm({ ...request, server }, dialogue);
    return answer.action === "cancel" ? decline("no one can answer now") : answer;
  }

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
    async elicit(request, signal) {
      const call = onlyOne();
      if (call === undefined)
        return decline(calls.length === 0 ? "no call of it is running" : "calls of several sessions are running");
      questions += 1;
      if (questions > questionsMax) return decline("it asks too much");
      const question = { server, callId: call.callId, request };
      const answer = (await hooks?.asked(question, signal)) ?? (await askPerson(request, call));
      return (await hooks?.answered(question, answer, signal)) ?? answer;
    },
  };
}
