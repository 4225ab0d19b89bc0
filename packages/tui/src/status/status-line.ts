/** The last line of the screen: model, mode, place, size and cost, in the order the user wants. */

import { costText, isUnknownCost, type SessionView } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import { truncateToWidth, visibleWidth } from "../screen/text-width.ts";
import type { ClientState } from "../state/client-state.ts";
import { statusLineTexts } from "../texts/terminal.ts";
import type { ForegroundToken, Theme } from "../theme/theme.ts";
import { remoteLine, remoteList } from "./remote-values.ts";
import { countText, isFigure, moneyText } from "./short-figures.ts";

export const statusSegments = [
  "model",
  "mode",
  "path",
  "branch",
  "context",
  "cost",
  "vim",
  "agents",
  "tasks",
  "session",
] as const;

export type StatusSegment = (typeof statusSegments)[number];

export const statusSegmentsShown: readonly StatusSegment[] = [
  "model",
  "mode",
  "path",
  "branch",
  "context",
  "cost",
  "vim",
  "agents",
  "tasks",
];

/** What is left out first where there is no room. */
const dispensable: readonly StatusSegment[] = [
  "session",
  "path",
  "branch",
  "tasks",
  "vim",
  "agents",
  "cost",
  "context",
];

export type StatusLook = {
  readonly state: ClientState;
  readonly theme: Theme;
  readonly width: number;
  readonly segments: readonly StatusSegment[];
  readonly userDirectory: string;
  readonly vimMode?: "normal" | "insert";
  /** What the user's own command printed, in the place of everything. */
  readonly own?: string;
};

export function statusLine(look: StatusLook): string {
  const { theme, width, own } = look;
  if (own !== undefined) {
    return truncateToWidth(theme.fg("statusLineOutput", cleanLine(own)), width, theme.symbols.ellipsis);
  }
  const separator = theme.fg("statusLineSep", ` ${theme.symbols.separator} `);
  let left = look.segments.filter((segment) => segmentText(segment, look) !== "");
  const text = () => left.map((segment) => segmentText(segment, look)).join(separator);
  for (const segment of dispensable) {
    if (visibleWidth(text()) <= width) break;
    left = left.filter((each) => each !== segment);
  }
  return truncateToWidth(text(), width, theme.symbols.ellipsis);
}

/** Warned of from here on, and loudly from there on: what is left of the room before the conversation is shortened. */
const roomWarning = 0.2;
const roomAlarm = 0.05;

function segmentText(segment: StatusSegment, look: StatusLook): string {
  const { state, theme, userDirectory, vimMode } = look;
  const { session, effort, repository, context, tasks } = state;
  switch (segment) {
    case "model": {
      // Until the session is open, what the user's settings say; nothing can be sent before it is known for sure.
      const isOpening = state.connection === "starting" || (session === undefined && state.expectedModel !== undefined);
      const model =
        remoteLine(session?.model) ||
        (isOpening ? remoteLine(state.expectedModel) || statusLineTexts.starting : statusLineTexts.noModel);
      return theme.fg("statusLineModel", `${model} ${remoteLine(effort)}`.trimEnd());
    }
    case "mode":
      return session === undefined ? "" : shown(modeToken(session.mode), modeText(session), theme);
    case "path":
      return shown("statusLinePath", homely(remoteLine(state.directory), userDirectory), theme);
    case "branch": {
      const name = remoteLine(repository?.branch);
      if (repository === undefined || name === "") return "";
      const { staged, changed, untracked } = repository;
      const marks = [
        ...(isFigure(staged) && staged > 0 ? [theme.fg("statusLineStaged", `+${staged}`)] : []),
        ...(isFigure(changed) && changed > 0 ? [theme.fg("statusLineDirty", `*${changed}`)] : []),
        ...(isFigure(untracked) && untracked > 0 ? [theme.fg("statusLineUntracked", `?${untracked}`)] : []),
      ];
      const token = marks.length === 0 ? "statusLineGitClean" : "statusLineGitDirty";
      const branch = theme.fg(token, `${theme.symbols.branch} ${name}`);
      return [branch, ...marks].join(" ");
    }
    case "context": {
      if (context === undefined || ![context.tokens, context.windowTokens, context.compactAt].every(isFigure))
        return "";
      if (context.windowTokens === 0) return "";
      const share = Math.round((100 * context.tokens) / context.windowTokens);
      const room = context.compactAt - context.tokens;
      const text = statusLineTexts.context({ percent: share, window: countText(context.windowTokens) });
      if (room > roomWarning * context.compactAt) return theme.fg("statusLineContext", text);
      return theme.fg(
        room > roomAlarm * context.compactAt ? "warning" : "error",
        statusLineTexts.contextNearlyFull(text),
      );
    }
    case "cost": {
      if (!isFigure(session?.cost?.usd)) return "";
      const text = costText(session.cost, moneyText);
      return theme.fg("statusLineCost", isUnknownCost(session.cost) ? statusLineTexts.cost(text) : text);
    }
    case "vim":
      return vimMode === undefined ? "" : theme.fg("muted", vimMode.toUpperCase());
    case "agents":
      return agentsText(look);
    case "tasks": {
      const running = remoteList(tasks).filter(({ status }) => status === "running").length;
      return running === 0 ? "" : theme.fg("statusLineSubagents", statusLineTexts.tasks(running));
    }
    case "session":
      return shown("muted", remoteLine(session?.title), theme);
  }
}

function agentsText({ state, theme }: StatusLook): string {
  const running = remoteList(state.agents).filter((agent) => agent.state === "running");
  if (running.length === 0) return "";
  const count = theme.fg("statusLineSubagents", statusLineTexts.agents(running.length));
  const asking = running.filter(({ isAsking }) => isAsking === true).length;
  return asking === 0 ? count : `${count} ${theme.fg("warning", statusLineTexts.asking(asking))}`;
}

/** A style around nothing would still count as a segment. */
function shown(token: ForegroundToken, text: string, theme: Theme): string {
  return text === "" ? "" : theme.fg(token, text);
}

/** With the level of brevity, which changes how everything reads. */
function modeText({ mode, brevity }: Pick<SessionView, "mode" | "brevity">): string {
  return brevity === undefined
    ? remoteLine(mode)
    : statusLineTexts.brief({ mode: remoteLine(mode), brevity: remoteLine(brevity) });
}

function modeToken(mode: string): ForegroundToken {
  switch (mode) {
    case "plan":
      return "accent";
    case "accept-edits":
      return "success";
    case "bypass":
      return "error";
    case "auto":
      return "warning";
    default:
      return "muted";
  }
}

/** A directory below the home of the user, with `~` in its place. */
export function homely(directory: string, userDirectory: string): string {
  const isBelow = userDirectory !== "" && (directory === userDirectory || directory.startsWith(`${userDirectory}/`));
  return isBelow ? `~${directory.slice(userDirectory.length)}` : directory;
}
