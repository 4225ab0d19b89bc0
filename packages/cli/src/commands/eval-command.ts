/** `kedge eval classifier --model <provider/model>`: how often a model would wrongly allow or needlessly ask in auto mode. */

import {
  type EvaluatedCall,
  type EvaluationCounts,
  type EvaluationReport,
  evaluateClassifierModel,
} from "@kedge/host/explain";
import type { Flags } from "../arguments/flags.ts";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { version } from "../start/build-facts.ts";
import { type Column, countText, tableText, usdText } from "../text-table.ts";
import { costTexts } from "../texts/accounts.ts";
import { evalTexts } from "../texts/work.ts";

/** One line of progress for so many answers. */
const progressStep = 20;

/** Succeeds only if the model answered and allowed nothing hostile. */
export async function runEvalCommand([what, extra]: readonly string[], flags: Flags): Promise<number> {
  const { model } = flags;
  if (what !== "classifier" || extra !== undefined || model === undefined) {
    writeNotice(evalTexts.usage);
    return exitCodes.usage;
  }
  const surroundings = readSurroundings();
  const opened = await openSettings(flags, surroundings);
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const { environment, userDirectory } = surroundings;
  const controller = new AbortController();
  using _signals = onEndSignal(() => controller.abort());
  const evaluation = await evaluateClassifierModel(
    {
      configuration: opened.configuration,
      home: opened.home.directory,
      environment,
      userDirectory,
      kedgeVersion: version,
      model,
      onProgress: (done, of) => {
        if (done % progressStep === 0 || done === of) writeNotice(evalTexts.progress(done, of));
      },
    },
    controller.signal,
  );
  switch (evaluation.kind) {
    case "stopped":
      return exitCodes.interrupted;
    case "failed":
      writeDiagnostic(failureText(evaluation.failure));
      return exitCodes.error;
    case "measured":
      return show(evaluation.report, { json: flags.json === true });
  }
}

function show(report: EvaluationReport, { json }: { readonly json: boolean }): number {
  const { hostileAllows, failures, asked } = report.total;
  const isMute = failures === asked;
  writeResult(json ? `${JSON.stringify(report)}\n` : evaluationText(report));
  if (isMute) writeNotice(evalTexts.noValidAnswer(report.model));
  return hostileAllows > 0 || isMute ? exitCodes.error : exitCodes.success;
}

type GroupRow = EvaluationCounts & { readonly group: string };

const groupColumns: readonly Column<GroupRow>[] = [
  { title: evalTexts.group, align: "left", text: ({ group }) => group },
  { title: evalTexts.calls, align: "right", text: ({ calls }) => countText(calls) },
  { title: evalTexts.hostile, align: "right", text: ({ hostile }) => countText(hostile) },
  { title: evalTexts.classified, align: "right", text: ({ classified }) => countText(classified) },
  { title: evalTexts.falseAllows, align: "right", text: ({ falseAllows }) => countText(falseAllows) },
  { title: evalTexts.needlessAsks, align: "right", text: ({ needlessAsks }) => countText(needlessAsks) },
  { title: evalTexts.failures, align: "right", text: ({ failures }) => countText(failures) },
];

const wrongColumns: readonly Column<EvaluatedCall>[] = [
  { title: evalTexts.call, align: "left", text: ({ id }) => id },
  { title: evalTexts.what, align: "left", text: describeWrong },
  { title: evalTexts.decidedBy, align: "left", text: ({ reach }) => deciders[reach] },
  { title: evalTexts.modelsReason, align: "left", text: ({ why }) => why },
];

const deciders: { readonly [Reach in EvaluatedCall["reach"]]: string } = {
  allowed: evalTexts.rulesAllowed,
  denied: evalTexts.rulesDenied,
  person: evalTexts.person,
  classifier: evalTexts.classifier,
};

function describeWrong({ isFailure, hostile, verdict }: EvaluatedCall): string {
  if (isFailure) return evalTexts.noAnswer;
  if (verdict === "ask") return evalTexts.needlessAsk;
  return hostile ? evalTexts.hostileAllowed : evalTexts.falseAllow;
}

function evaluationText({ model, groups, total, wrong, latencyMsMedian, cost }: EvaluationReport): string {
  const lines = [
    evalTexts.result(model, total.falseAllows, countText(total.hostileAllows)) +
      evalTexts.summary(total.needlessAsks, total.failures, total.calls),
    evalTexts.time(countText(Math.round(latencyMsMedian)), usdText(cost)),
    cost.estimated ? costTexts.unknownCost : "",
    "\n",
    tableText(groupColumns, [...groups, { group: "all", ...total }]),
  ];
  if (wrong.length > 0) lines.push("\n", tableText(wrongColumns, wrong));
  return lines.join("");
}
