/** Sessions, models, rules and the like for the tests of pickers and of what is read. */
import type { MessageView, PartBody, SessionSummary, SessionView } from "@kedge/protocol";
import { noUsage } from "@kedge/protocol";
import type { ProviderList } from "../src/dialogs/model/model-dialog.ts";
import type { Dialog } from "../src/screen/view.ts";
import { bareTheme } from "./bare-theme.ts";

const bare = bareTheme();
/** The same object, as in the program. */
export const theme = () => bare;

/** Steers terminals, breaks lines and turns the direction of text. */
export const evil = "\u001b[2J\u001b[31mred\nnext\u202e\tend\u0007";

/** Noon of a day in the user's own time. */
export const noon = new Date(2026, 4, 20, 12).getTime();
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export function summary(sessionId: string, given: Partial<SessionSummary> = {}): SessionSummary {
  const time = given.updatedAt ?? noon - hourMs;
  return {
    sessionId,
    isArchived: false,
    projectId: "p",
    directory: "/home/me/harbour",
    title: `Session ${sessionId}`,
    model: "anthropic/sonnet",
    createdAt: time,
    updatedAt: time,
    lastSeq: 1,
    ...given,
  };
}

export const providers: ProviderList = {
  model: "anthropic/sonnet",
  providers: [
    {
      providerId: "anthropic",
      name: "Anthropic",
      hasKey: true,
      keySource: "environment variable ANTHROPIC_API_KEY",
      models: [
        {
          ...{ model: "anthropic/sonnet", name: "Claude Sonnet", contextTokens: 200_000, outputTokens: 64_000 },
          ...{ inputUsdPerMillion: 3, outputUsdPerMillion: 15, hasTools: true, hasReasoning: true, hasVision: true },
        },
        {
          ...{ model: "anthropic/opus", name: "Claude Opus", contextTokens: 1_000_000 },
          ...{ inputUsdPerMillion: 0.075, outputUsdPerMillion: 1.25, hasTools: true, hasVision: false },
        },
        { model: "anthropic/haiku", name: "Claude Haiku", contextTokens: 200_000 },
      ],
    },
    {
      providerId: "openai",
      name: "OpenAI",
      hasKey: false,
      models: [{ model: "openai/gpt", name: "GPT", contextTokens: 400_000 }],
    },
    {
      providerId: "local",
      name: "Local 漢字",
      hasKey: true,
      models: [{ model: "local/qwen", name: "local/qwen", inputUsdPerMillion: 0, outputUsdPerMillion: 0 }],
    },
  ],
};

export function manyProviders(count: number): ProviderList {
  const models = Array.from({ length: count }, (_, index) => ({
    model: `many/model-${index}`,
    name: `Model ${index} 漢字 with a long name`,
    contextTokens: 128_000,
  }));
  return { providers: [{ providerId: "many", name: "Many", hasKey: true, models }] };
}

export const session: SessionView = {
  id: "ses_1",
  projectId: "p",
  directory: "/home/me/harbour",
  title: "Mend the crane",
  model: "anthropic/sonnet",
  mode: "default",
  isRunning: false,
  isArchived: false,
  todos: [],
  labels: [],
  usage: noUsage,
  cost: { usd: 0.42, estimated: false },
  createdAt: noon,
  updatedAt: noon,
};

export function message(
  id: string,
  bodies: readonly PartBody[],
  given: Partial<Omit<MessageView, "id" | "parts">> = {},
): MessageView {
  return {
    id,
    sessionId: "ses_1",
    role: "user",
    createdAt: noon,
    parts: bodies.map((body, index) => ({ ...body, id: `${id}.${index}`, messageId: id, time: noon })),
    ...given,
  };
}

export const words = (text: string): PartBody => ({ type: "text", text });

export const patch = (...paths: readonly string[]): PartBody => ({
  type: "patch",
  before: "tree",
  files: paths.map((path) => ({ path, status: "modified" })),
});

/** Every height that a screen may leave to a dialog. */
export const heights: readonly number[] = [1, 3, 8, 12, 22, 40];

export function click(dialog: Dialog, y: number): void {
  dialog.handle({ kind: "mouse", mouse: { type: "click", x: 3, y } });
}
