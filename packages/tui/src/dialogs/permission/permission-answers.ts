/** The answers to a permission question, the same on every screen: which there are, what each means, who gave it. */

import {
  type AskingAgent,
  type FactOf,
  namedInQuestion,
  type PermissionReply,
  type PermissionRequest,
} from "@kedge/protocol";
import { cleanLine, judgedLine } from "../../screen/clean-text.ts";
import { permissionTexts } from "../../texts/permission-questions.ts";
import type { Choice } from "../choice/choice-menu.ts";
import type { CommandInput } from "./command-input.ts";

export type PermissionAction = PermissionReply | "all-edits" | "message" | "edit";

export type AnswerWish = {
  readonly request: PermissionRequest;
  /** False where the mode already says what becomes of edits. */
  readonly canAcceptEdits?: boolean;
};

export type PermissionResolution = Pick<FactOf<"permission.answered">, "source" | "reply">;

/** As in other agents: the key that changes the mode elsewhere. */
export const acceptEditsKey = "shift+tab";

/** They hold for long, so that their letters only select them. */
export const confirmedActions: readonly PermissionAction[] = ["all-edits", "session", "project"];

export const insteadQuestion = permissionTexts.askInstead;
export const editQuestion = permissionTexts.askCommand;

export function permissionTitle({ isIrreversible, agent }: PermissionRequest): string {
  return withBadge(isIrreversible ? permissionTexts.irreversibleTitle : permissionTexts.title, agent);
}

/** Who asks, where it is not the session itself. */
export function withBadge(what: string, agent: PermissionRequest["agent"]): string {
  return agent === undefined ? what : permissionTexts.askedBy({ what, agent: badgeOf(agent) });
}

function badgeOf({ agent, name }: AskingAgent): string {
  const kind = permissionTexts.agent(cleanLine(agent));
  return name === undefined ? kind : permissionTexts.namedAgent({ name: cleanLine(name), agent: kind });
}

/** An edit that only waits for a general yes. */
export function offersAllEdits({ request, canAcceptEdits = false }: AnswerWish): boolean {
  // Whatever an agent asks, the mode of the session stays as it is.
  if (request.agent !== undefined) return false;
  return canAcceptEdits && request.permission === "edit" && isLasting(request);
}

/** The same answers as in the console: none that the request would not accept. */
export function permissionChoices(
  wish: AnswerWish,
  input: CommandInput | undefined,
): readonly Choice<PermissionAction>[] {
  const { request } = wish;
  const once: Choice<PermissionAction> = { value: "once", key: "y", label: permissionTexts.once };
  const reject: Choice<PermissionAction> = { value: "reject", key: "n", label: permissionTexts.reject };
  const message: Choice<PermissionAction> = {
    value: "message",
    key: "m",
    label: permissionTexts.rejectWithMessage,
  };
  const edit: readonly Choice<PermissionAction>[] =
    input === undefined ? [] : [{ value: "edit", key: "e", label: permissionTexts.editCommand }];
  if (request.isIrreversible) return [reject, message, { ...once, tone: "error" }, ...edit];
  const allEdits: Choice<PermissionAction> = {
    value: "all-edits",
    key: "s",
    label: permissionTexts.allEdits(acceptEditsKey),
  };
  return [once, ...(offersAllEdits(wish) ? [allEdits] : []), ...lastingChoices(request), reject, message, ...edit];
}

function lastingChoices(request: PermissionRequest): readonly Choice<PermissionAction>[] {
  if (!isLasting(request)) return [];
  const session: Choice<PermissionAction> = { value: "session", key: "a", label: sessionLabel(request) };
  const project: Choice<PermissionAction> = { value: "project", key: "p", label: projectLabel(request) };
  return request.isSavable ? [session, project] : [session];
}

export function resolutionSentence(tool: string, { source, reply }: PermissionResolution): string {
  const name = cleanLine(tool);
  const outcome = reply === "reject" ? permissionTexts.rejected : permissionTexts.allowed;
  switch (source) {
    case "user":
      return permissionTexts.byOtherClient({ tool: name, outcome });
    case "classifier":
      return permissionTexts.byClassifier({ tool: name, outcome });
    case "interrupt":
      return permissionTexts.byInterrupt(name);
    case "sibling":
      return permissionTexts.byPreviousAnswer({ tool: name, outcome });
    case "timeout":
      return permissionTexts.byTimeout({ tool: name, outcome });
  }
}

/** An answer that holds for longer is offered. */
export function isLasting({ always, isIrreversible }: PermissionRequest): boolean {
  return always.length > 0 && isIrreversible !== true;
}

export function sessionLabel({ always }: PermissionRequest): string {
  return permissionTexts.session(always.map(judgedLine).join(", "));
}

export function projectLabel(request: PermissionRequest): string {
  return permissionTexts.project(rulesOf(request).join(", "));
}

/** As they would be written to the settings; one question may be about several permissions, so none is guessed. */
export function rulesOf({ always, saves }: PermissionRequest): readonly string[] {
  if (saves === undefined) return always.map((pattern) => `"${judgedLine(pattern)}"`);
  return saves.map(
    ({ permission, pattern, action }) => `${judgedLine(action)} ${judgedLine(permission)} "${judgedLine(pattern)}"`,
  );
}

export type JudgedRequest = {
  readonly request: PermissionRequest;
  /** The command of the call, where it runs one. */
  readonly command?: string;
  readonly directory: string;
};

/** What the evidence below says as well is said there. */
export function reasonBeside({ reason, evidence = [] }: PermissionRequest): string {
  return evidence.reduce((rest, line) => rest.replace(`; ${line}`, ""), reason);
}

/** The command first, then what is judged and what is shown of it; only what stands there already is not repeated. */
export function judgedTexts({ request, command, directory }: JudgedRequest, besideDiff?: string): readonly string[] {
  const texts: string[] = command === undefined ? [] : [command];
  const named = namedInQuestion(request);
  // Without a preview the call's own input says what exactly is meant, such as which file of a directory.
  const input = command === undefined ? plainInput(request.inputText ?? "") : "";
  const pieces = command === undefined ? [] : commandPieces(command);
  const isSaid = (pattern: string) =>
    pattern === named || pieces.includes(pattern) || (input !== "" && input.startsWith(`${pattern}/`));
  for (const pattern of request.patterns) if (!isSaid(pattern) && !texts.includes(pattern)) texts.push(pattern);
  const preview = besideDiff ?? request.preview ?? input;
  const isShown = preview === named || texts.includes(preview) || isSaidOfShell(preview);
  return preview === "" || isShown ? texts : [...texts, preview];

  /** The commands that a line consists of and where it runs, all of which stand there already. */
  function isSaidOfShell(shown: string): boolean {
    const place = `\n(in ${directory})`;
    if (!shown.endsWith(place)) return false;
    const commands = shown.slice(0, -place.length);
    return (
      texts.includes(commands) || commands.split("\n").every((line) => texts.includes(line) || pieces.includes(line))
    );
  }
}

/** The commands of a line, without what redirects their output. The line itself is always shown. */
function commandPieces(command: string): readonly string[] {
  return command.split(/&&|\|\||[;|\n]/).map((piece) => piece.replace(/\s+\d?>.*$/, "").trim());
}

/** The one value of a call that has only one; otherwise the input as it is. */
function plainInput(inputText: string): string {
  try {
    const values: unknown[] = Object.values(JSON.parse(inputText) as object);
    const [value] = values;
    return values.length === 1 && typeof value === "string" ? value : inputText;
  } catch {
    return inputText;
  }
}
