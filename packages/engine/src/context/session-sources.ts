/** The sources of a session, in the order in which the model reads them. */
import type { ContextSource, PromptParts, Tool, Workspace } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { prompt } from "../prompt-texts.ts";
import { createBasePrompt } from "./sources/base-prompt.ts";
import { createDeferredTools } from "./sources/deferred-tools.ts";
import { createEnvironment } from "./sources/environment.ts";
import { permissionMode } from "./sources/permission-mode.ts";

const structuredAnswer = prompt(textBeside(import.meta.url, "../prompts/structured-answer.md"));
const signedReminders = prompt(textBeside(import.meta.url, "../prompts/signed-reminders.md"));

export type SessionSourceParts = {
  readonly prompt: PromptParts;
  readonly workspace: Workspace;
  /** The same array while no tool came or went. */
  readonly deferredTools: () => readonly Tool[];
  readonly outside: readonly ContextSource[];
  /** What the tags of genuine reminders carry. */
  readonly nonce?: () => string;
};

/** A text of the user is always last. */
export function createSessionSources(parts: SessionSourceParts): readonly ContextSource[] {
  const { nonce } = parts;
  const { append } = parts.prompt;
  const before = [
    createBasePrompt(parts.prompt),
    createEnvironment(parts.prompt, parts.workspace),
    createDeferredTools(parts.deferredTools),
    policy("structured answer", ({ isStructured }) =>
      isStructured ? [{ text: structuredAnswer, origin: "structured_output" }] : [],
    ),
    permissionMode,
  ];
  const after = [
    // Behind what sessions of one project share, because it differs in each.
    policy("signed reminders", () => (nonce === undefined ? [] : [{ text: signed(nonce()), origin: "session" }])),
    policy("appended prompt", () => (append === undefined ? [] : [{ text: append, origin: "--append-system-prompt" }])),
  ];
  const taken = new Set([...before, ...after].map(({ name }) => name));
  const outside = parts.outside.map((source) => (taken.has(source.name) ? refused(source) : source));
  return [...before, ...outside, ...after];
}

/** Two sources of one name would displace each other, so none from outside has a name of ours. It says so when it is read. */
function refused({ name, kind, place }: ContextSource): ContextSource {
  const read = () => {
    throw new Error(`kedge has a source named "${name}" itself`);
  };
  return { name: `${name} from outside`, kind, place, read };
}

function signed(nonce: string): string {
  return fillSlots(signedReminders, { nonce });
}

function policy(name: string, read: ContextSource["read"]): ContextSource {
  return { name, kind: "policy", place: "head", tokensMax: Number.POSITIVE_INFINITY, read };
}
