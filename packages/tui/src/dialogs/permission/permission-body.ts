/** What a person sees before answering a permission question: everything whole, nothing in words of the model alone. */

import { type PermissionRequest, permissionQuestion, reasonSentence } from "@kedge/protocol";
import { cleanLine, judgedLine } from "../../screen/clean-text.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import type { View } from "../../screen/view.ts";
import { permissionTexts } from "../../texts/permission-questions.ts";
import type { Theme } from "../../theme/theme.ts";
import { choiceHeadColumns } from "../choice/choice-menu.ts";
import { flowJudged, hang, wrapExactly } from "../text/dialog-text.ts";
import { createFlowingView, type DrawFlowing } from "../text/flowing-view.ts";
import { patchInPreview } from "./patch-in-preview.ts";
import { isLasting, judgedTexts, projectLabel, reasonBeside, rulesOf, sessionLabel } from "./permission-answers.ts";

export type PermissionBodyProps = {
  readonly request: PermissionRequest;
  /** The command of the call, where it runs one. */
  readonly command?: string;
  readonly directory: string;
  /** How many other requests wait behind this one. */
  readonly waitingCount: number;
  /** The worker that asks; absent for the session itself. */
  readonly agent?: string;
  /** What this session changed so far, in the same directory. */
  readonly changedFiles?: readonly string[];
  readonly theme: () => Theme;
  readonly createDiff?: (patch: string, path: string) => View;
};

const shortRowsMax = 8;
/** More files than a person reads through. */
const changedFilesMax = 200;

export function createPermissionBody(props: PermissionBodyProps): View {
  const { request, theme } = props;
  const diff = diffOf(props);
  const draw: DrawFlowing = (width, colours, inside) => {
    const judged = judgedTexts(props, diff?.beside).flatMap((text) => quoted(text, width, colours));
    const what = ["", ...judged, ...inside];
    const why = [
      "",
      ...flowJudged(reasonSentence(reasonBeside(request)), width).map((line) => colours.fg("muted", line)),
      ...evidenceLines(request, width, colours),
      ...changedLines(props, width, colours),
    ];
    return [
      ...headLines(props, width, colours),
      // What warns must not be below what is long.
      ...(what.length > shortRowsMax ? [...why, ...what] : [...what, ...why]),
      ...lastingLines(request, width, colours),
    ];
  };
  return createFlowingView(theme, draw, diff?.view);
}

function headLines(props: PermissionBodyProps, width: number, theme: Theme): readonly string[] {
  const { request, waitingCount, agent, directory } = props;
  const notes = [
    cleanLine(permissionQuestion(request)),
    ...(agent === undefined ? [] : [permissionTexts.fromAgent(cleanLine(agent))]),
    ...(waitingCount > 0 ? [permissionTexts.moreWaiting(waitingCount)] : []),
  ];
  return [
    ...(request.isIrreversible ? [theme.fg("error", theme.bold(permissionTexts.irreversible))] : []),
    ...flowJudged(notes.join(` ${theme.symbols.separator} `), width).map((line) => theme.fg("accent", line)),
    ...flowJudged(permissionTexts.toolInDirectory({ tool: cleanLine(request.tool), directory }), width).map((line) =>
      theme.fg("muted", line),
    ),
  ];
}

/** A bar before every line, so that nothing in it can pass for a line of ours. */
function quoted(text: string, width: number, theme: Theme): readonly string[] {
  const bar = theme.fg("borderMuted", `${theme.symbols.quote} `);
  return wrapExactly(text, width - 2).map((line) => bar + theme.fg("text", line));
}

function evidenceLines({ evidence = [] }: PermissionRequest, width: number, theme: Theme): readonly string[] {
  const mark = theme.fg("warning", "! ");
  return evidence.flatMap((line) =>
    hang(
      mark,
      flowJudged(line, width - 2).map((row) => theme.fg("warning", row)),
    ),
  );
}

function changedLines(props: PermissionBodyProps, width: number, theme: Theme): readonly string[] {
  const { request, changedFiles = [] } = props;
  if (!request.isIrreversible || changedFiles.length === 0) return [];
  const more = changedFiles.length - changedFilesMax;
  return [
    "",
    theme.fg("warning", permissionTexts.changedInSession),
    ...changedFiles.slice(0, changedFilesMax).flatMap((path) => hang("  ", wrapExactly(judgedLine(path), width - 2))),
    ...(more > 0 ? [permissionTexts.andMore(more)] : []),
  ];
}

/** All rules of a lasting answer, where its own line has no room for them. */
function lastingLines(request: PermissionRequest, width: number, theme: Theme): readonly string[] {
  const labels = [sessionLabel(request), ...(request.isSavable ? [projectLabel(request)] : [])];
  const isCut = labels.some((label) => visibleWidth(label) > width - choiceHeadColumns);
  if (!isLasting(request) || !isCut) return [];
  return [
    "",
    theme.fg("muted", request.isSavable ? permissionTexts.rulesOfEither : permissionTexts.rulesOfSession),
    ...rulesOf(request).flatMap((rule) => hang("  ", wrapExactly(rule, width - 2))),
  ];
}

/** A preview that is a patch, as it is drawn, and the words around the patch. What a command shows is never one. */
function diffOf(props: PermissionBodyProps): { readonly view: View; readonly beside: string } | undefined {
  const { request, command, createDiff } = props;
  const found = createDiff === undefined || command !== undefined ? undefined : patchInPreview(request.preview);
  if (createDiff === undefined || found === undefined) return undefined;
  return { view: createDiff(found.patch, found.path || (request.patterns[0] ?? "")), beside: found.beside };
}
