/** Puts the questions of the model to a person: as a form where the editor has forms, else as a choice at a time. */
import type {
  AgentContext,
  CreateElicitationRequest,
  ElicitationPropertySchema,
  PermissionOption,
} from "@agentclientprotocol/sdk";
import { type Question, showTerminalControls } from "@kedge/protocol";

export type AskedQuestions = {
  readonly sessionId: string;
  readonly callId: string;
  readonly questions: readonly Question[];
  readonly hasForms: boolean;
  readonly signal: AbortSignal;
};

/** `declined`: nobody wanted to say; `called-off`: the turn is to stop. */
export type Answers =
  | { readonly kind: "answered"; readonly answers: readonly string[] }
  | { readonly kind: "declined" }
  | { readonly kind: "called-off" };

export type Editor = Pick<AgentContext, "request">;

export function askQuestions(editor: Editor, asked: AskedQuestions): Promise<Answers> {
  return asked.hasForms ? askInForm(editor, asked) : askByChoice(editor, asked);
}

const fieldOf = (index: number) => `question_${index + 1}`;

async function askInForm(editor: Editor, { sessionId, callId, questions, signal }: AskedQuestions): Promise<Answers> {
  const fields = questions.map((question, index) => [fieldOf(index), propertyOf(question)] as const);
  const request: CreateElicitationRequest = {
    mode: "form",
    sessionId,
    toolCallId: callId,
    message: questions.map(({ question }) => showTerminalControls(question)).join("\n"),
    requestedSchema: {
      type: "object",
      properties: Object.fromEntries(fields),
      required: fields.map(([name]) => name),
    },
  };
  const response = await editor.request("elicitation/create", request, { cancellationSignal: signal });
  if (response.action !== "accept") return { kind: "declined" };
  const content = "content" in response ? response.content : undefined;
  // An editor may answer with anything; what is no list of words counts as no answer.
  const given = typeof content === "object" && content !== null ? (content as { [name: string]: unknown }) : {};
  return { kind: "answered", answers: questions.map((_, index) => wordsOf(given[fieldOf(index)])) };
}

function propertyOf({ question, options, multiSelect }: Question): ElicitationPropertySchema {
  const title = showTerminalControls(question);
  const choices = options.map(({ label, description }) => ({ const: label, title: label, description }));
  if (multiSelect === true) return { type: "array", title, items: { anyOf: choices } };
  return { type: "string", title, oneOf: choices };
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(", ");
  return value === undefined || value === null ? "(no answer)" : String(value);
}

const declineId = "decline";

/** Several answers to one question cannot be given this way. */
async function askByChoice(editor: Editor, asked: AskedQuestions): Promise<Answers> {
  const { sessionId, callId, questions, signal } = asked;
  const answers: string[] = [];
  for (const { question, options } of questions) {
    const title = showTerminalControls(question);
    const lines = options.map(({ label, description }) => `- **${label}** ${description}`);
    const choices: PermissionOption[] = options.map(({ label }, index) => ({
      optionId: `option_${index + 1}`,
      name: showTerminalControls(label),
      kind: "allow_once",
    }));
    const text = showTerminalControls(lines.join("\n"));
    const { outcome } = await editor.request(
      "session/request_permission",
      {
        sessionId,
        toolCall: {
          toolCallId: callId,
          title,
          kind: "other",
          status: "pending",
          content: [{ type: "content", content: { type: "text", text } }],
        },
        options: [...choices, { optionId: declineId, name: "Do not answer", kind: "reject_once" }],
      },
      { cancellationSignal: signal },
    );
    if (outcome.outcome === "cancelled") return { kind: "called-off" };
    const chosen = options[choices.findIndex(({ optionId }) => optionId === outcome.optionId)];
    if (chosen === undefined) return { kind: "declined" };
    answers.push(chosen.label);
  }
  return { kind: "answered", answers };
}
