/** What a person sees before answering a permission question: everything whole, nothing in words of the model alone. */
import {
  namedInQuestion,
  type PermissionRequest,
  permissionQuestion,
  readUnifiedDiff,
  reasonSentence,
} from "@kedge/protocol";
import { cleanLine } from "../../screen/clean-text.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import type { View } from "../../screen/view.ts";
import type { Theme } from "../../theme/theme.ts";
import { choiceHeadColumns } from "../choice/choice-menu.ts";
import { flowJudged, hang, judgedLine, wrapExactly } from "../text/dialog-text.ts";
import { createFlowingView, type DrawFlowing } from "../text/flowing-view.ts";

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
      ...flowJudged(`${reasonSentence(request.reason)}`, width).map((line) => colours.fg("muted", line)),
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
    ...(agent === undefined ? [] : [`agent ${cleanLine(agent)}`]),
    ...(waitingCount > 0 ? [`${waitingCount} more waiting`] : []),
  ];
  return [
    ...(request.isIrreversible ? [theme.fg("error", theme.bold("This can't be undone."))] : []),
    ...flowJudged(notes.join(` ${theme.symbols.separator} `), width).map((line) => theme.fg("accent", line)),
    ...flowJudged(`${cleanLine(request.tool)} in ${directory}`, width).map((line) => theme.fg("muted", line)),
  ];
}

/** The command first, then what is judged and what is shown of it; only what stands there already is not repeated. */
function judgedTexts(
  { request, command, directory }: PermissionBodyProps,
  besideDiff: string | undefined,
): readonly string[] {
  const texts: string[] = command === undefined ? [] : [command];
  const named = namedInQuestion(request);
  for (const pattern of request.patterns) if (pattern !== named && !texts.includes(pattern)) texts.push(pattern);
  // Without a preview the call's own input says what exactly is meant, such as which file of a directory.
  const input = command === undefined ? (request.inputText ?? "") : "";
  const preview = besideDiff ?? request.preview ?? input;
  const isShown = texts.some((text) => preview === text || preview === `${text}\n(in ${directory})`);
  return preview === "" || isShown ? texts : [...texts, preview];
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
    theme.fg("warning", "Changed in this session:"),
    ...changedFiles.slice(0, changedFilesMax).flatMap((path) => hang("  ", wrapExactly(judgedLine(path), width - 2))),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** All rules of a lasting answer, where its own line has no room for them. */
function lastingLines(request: PermissionRequest, width: number, theme: Theme): readonly string[] {
  const labels = [sessionLabel(request), ...(request.isSavable ? [projectLabel(request)] : [])];
  const isCut = labels.some((label) => visibleWidth(label) > width - choiceHeadColumns);
  if (!isLasting(request) || !isCut) return [];
  return [
    "",
    theme.fg("muted", request.isSavable ? "Rules added by a and p:" : "Rules added by a:"),
    ...rulesOf(request).flatMap((rule) => hang("  ", wrapExactly(rule, width - 2))),
  ];
}

/** An answer that holds for longer is offered. */
export function isLasting({ always, isIrreversible }: PermissionRequest): boolean {
  return always.length > 0 && isIrreversible !== true;
}

export function sessionLabel({ always }: PermissionRequest): string {
  return `Allow for this session: ${always.map(judgedLine).join(", ")}`;
}

export function projectLabel(request: PermissionRequest): string {
  return `Always allow in this project: ${rulesOf(request).join(", ")}`;
}

/** As they would be written to the settings; one question may be about several permissions, so none is guessed. */
function rulesOf({ always, saves }: PermissionRequest): readonly string[] {
  if (saves === undefined) return always.map((pattern) => `"${judgedLine(pattern)}"`);
  return saves.map(
    ({ permission, pattern, action }) => `${judgedLine(action)} ${judgedLine(permission)} "${judgedLine(pattern)}"`,
  );
}

const patchBegin = /^(?:--- |diff )/m;
const patchLine = /^[-+ @\\]/;

/**
 * A preview that is a patch, as it is drawn, and the words around the patch. What a command shows is never one, nor is a
 * patch with a line that would not be drawn.
 */
function diffOf(props: PermissionBodyProps): { readonly view: View; readonly beside: string } | undefined {
  const { request, command, createDiff } = props;
  const { preview = "", patterns } = request;
  const at = preview.search(patchBegin);
  if (createDiff === undefined || command !== undefined || at < 0 || !/^@@ /m.test(preview)) return undefined;
  const lines = preview.slice(at).trimEnd().split("\n");
  const end = lines.findLastIndex((line) => patchLine.test(line)) + 1;
  const patch = lines.slice(0, end).join("\n");
  const { files, isWhole } = readUnifiedDiff(patch);
  if (!isWhole) return undefined;
  const beside = [preview.slice(0, at).trimEnd(), ...lines.slice(end)].filter((text) => text !== "").join("\n");
  return { view: createDiff(`${patch}\n`, files[0]?.newPath ?? files[0]?.oldPath ?? patterns[0] ?? ""), beside };
}
