/** What a run waits for the user to answer: questions about permission, and questions of the model. */
import type { Client, Question } from "@kedge/protocol";
import { failureText } from "../failure-text.ts";
import type { ConsoleScreen } from "./console-screen.ts";
import { answerHint } from "./console-view.ts";
import type { FollowedSession } from "./followed-session.ts";
import { parsePermissionAnswer } from "./permission-answer.ts";
import { parseChoice, questionnaireHint, questionnaireText } from "./questionnaire.ts";

export type OpenQuestion = {
  readonly hint: string;
  show(): void;
  answer(line: string): Promise<void>;
  /** Nobody is left to answer. True when the next question may be due at once. */
  giveUp(): Promise<boolean>;
};

export type OpenQuestionsParts = {
  readonly client: Client;
  readonly screen: ConsoleScreen;
  readonly session: FollowedSession;
  readonly mayApprove: boolean;
};

/** The function given back finds the one question that is due. */
export function createOpenQuestions(parts: OpenQuestionsParts): () => OpenQuestion | undefined {
  const { client, screen, session, mayApprove } = parts;
  const answered = new Set<string>();
  /** Answers to the questions of the model that are open, as far as they were given. */
  let choices: readonly string[] = [];
  let shownChoice: Question | undefined;

  function permissionQuestion(): OpenQuestion | undefined {
    const requests = mayApprove && session.isRunning() ? [...session.state.permissionRequests.values()] : [];
    const request = requests.find(({ requestId }) => !answered.has(requestId));
    if (request === undefined) return undefined;
    const { requestId } = request;
    const answer = async (line: string): Promise<void> => {
      const parsed = parsePermissionAnswer(line, request, { mode: session.state.mode });
      if (parsed === undefined) return;
      const { mode, ...reply } = parsed;
      if (mode !== undefined) {
        const changed = await client.send<"mode.change">({ type: "mode.change", sessionId: session.id, mode });
        if (!changed.ok) return screen.lines(`${failureText(changed.failure)}\n`);
      }
      answered.add(requestId);
      const command = { type: "permission.answer", sessionId: session.id, requestId, ...reply } as const;
      const sent = await client.send<"permission.answer">(command);
      if (sent.ok) return;
      screen.lines(`${failureText(sent.failure)}\n`);
      // An answer that could not be taken leaves the question open, but not for one who may not answer at all.
      if (sent.failure.code !== "not_found" && sent.failure.code !== "auth_error") answered.delete(requestId);
    };
    // It was shown when it was asked, and silence never means yes.
    return {
      hint: answerHint(request, { mode: session.state.mode }),
      show() {},
      answer,
      giveUp: () => answer("n").then(() => true),
    };
  }

  /** The first question that has no answer yet; the answers go out together when all are there. */
  function openChoice(): { readonly requestId: string; readonly question: Question } | undefined {
    const open = session.isRunning() ? [...session.state.questions].find(([id]) => !answered.has(id)) : undefined;
    const [requestId, questions] = open ?? [];
    const question = questions?.[choices.length];
    return requestId === undefined || question === undefined ? undefined : { requestId, question };
  }

  function choiceQuestion(): OpenQuestion | undefined {
    const choice = openChoice();
    if (choice === undefined) return undefined;
    const { requestId, question } = choice;
    const sessionId = session.id;
    return {
      hint: questionnaireHint(question),
      show() {
        if (shownChoice !== question) screen.lines(questionnaireText(question));
        shownChoice = question;
      },
      async answer(line) {
        const answer = parseChoice(line, question);
        if (answer === undefined) return;
        choices = [...choices, answer];
        if (openChoice() !== undefined) return;
        const answers = choices;
        choices = [];
        answered.add(requestId);
        const sent = await client.send<"question.answer">({ type: "question.answer", sessionId, requestId, answers });
        if (!sent.ok) screen.lines(`${failureText(sent.failure)}\n`);
      },
      async giveUp() {
        // The run would wait for ever.
        await client.send<"turn.interrupt">({ type: "turn.interrupt", sessionId });
        return false;
      },
    };
  }

  return () => permissionQuestion() ?? choiceQuestion();
}
