/** Brings questions of a server to the person whose call it is working on. */
import type { ToolContext } from "@kedge/protocol";
import type { Elicit, ElicitAnswer, ElicitRequest } from "../connection/connect-parts.ts";
import { askForm, fieldsMax, fieldsOf } from "./ask-person.ts";
import { askToOpen, awaitVisit, type Page, type PageParts } from "./ask-to-open.ts";

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
  /** Has the person of a call open pages that the call needs, and waits until they are done with. */
  visit(pages: readonly Page[], context: Pick<ToolContext, "dialogue">): Promise<boolean>;
  /** The server says that a page is done with. */
  completed(elicitationId: string): void;
}

export type DeskParts = Pick<PageParts, "openPage"> & {
  /** Told of declined questions in a sentence for the user, of each reason once while calls run. */
  readonly onDeclined: (sentence: string) => void;
  readonly hooks?: QuestionHooks | undefined;
};

type CallOfPerson = Pick<ToolContext, "dialogue" | "artifacts" | "callId">;

/** Of one server while its calls run. More than that is no conversation but a flood. */
const questionsMax = 20;

export function createElicitationDesk(server: string, { onDeclined, hooks, openPage }: DeskParts): ElicitationDesk {
  const pageParts = { server, openPage };
  const visits = new Map<string, AbortController>();
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

  /** `withdrawn` says that the server no longer waits for an answer. */
  async function askPerson(
    request: ElicitRequest,
    { dialogue }: CallOfPerson,
    withdrawn: AbortSignal,
  ): Promise<ElicitAnswer> {
    if (request.mode === "url") {
      if (await askToOpen(request, pageParts, dialogue, withdrawn)) return { action: "accept" };
      return withdrawn.aborted ? { action: "cancel" } : decline("the page was not opened");
    }
    if (fieldsOf(request.requestedSchema).length > fieldsMax)
      return decline(`its form has more than ${fieldsMax} fields`);
    const answer = await askForm({ ...request, server }, dialogue, withdrawn);
    return answer.action === "cancel" && !withdrawn.aborted ? decline("no one can answer now") : answer;
  }

  async function visitOne(page: Page, { dialogue }: Pick<ToolContext, "dialogue">): Promise<boolean> {
    const completed = new AbortController();
    // It may be done with before the person says so, even before the question came up.
    const { elicitationId } = page;
    if (elicitationId !== undefined) visits.set(elicitationId, completed);
    try {
      return (
        (await askToOpen(page, pageParts, dialogue)) &&
        (completed.signal.aborted || (await awaitVisit(page, pageParts, dialogue, completed.signal)))
      );
    } finally {
      if (elicitationId !== undefined) visits.delete(elicitationId);
    }
  }

  return {
    async visit(pages, context) {
      if (pages.length === 0 || pages.length > questionsMax) return false;
      for (const page of pages) if (!(await visitOne(page, context))) return false;
      return true;
    },
    completed: (elicitationId) => visits.get(elicitationId)?.abort(),
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
      const answer = (await hooks?.asked(question, signal)) ?? (await askPerson(request, call, signal));
      return (await hooks?.answered(question, answer, signal)) ?? answer;
    },
  };
}
