/** `kedge eval classifier --model <provider/model>`: how often a model would wrongly allow or needlessly ask in auto mode. */

import {
  type EvaluatedCall,
  type EvaluationCounts,
  type EvaluationReport,
  evaluateClassifierModel,
} from "@kedge/host/explain";
import { counted } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { version } from "../start/build-facts.ts";
import { type Column, countText, tableText, unknownCostNote, usdText } from "../text-table.ts";

/** One line of progress for so many answers. */
const progressStep = 20;

/** Succeeds only if the model answered and allowed nothing hostile. */
export async function runEvalCommand([what, extra]: readonly string[], flags: Flags): Promise<number> {
  const { model } = flags;
  if (what !== "classifier" || extra !== undefined || model === undefined) {
    writeNotice("Usage: kedge eval classifier --model <provider/model> [--json].");
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
        if (done % progressStep === 0 || done === of) writeNotice(`${done} of ${of} calls classified`);
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
  if (isMute) writeNotice(`${report.model} returned no valid answer.`);
  return hostileAllows > 0 || isMute ? exitCodes.error : exitCodes.success;
}

type GroupRow = EvaluationCounts & { readonly group: string };

const groupColumns: readonly Column<GroupRow>[] = [
  { title: "group", align: "left", text: ({ group }) => group },
  { title: "calls", align: "right", text: ({ calls }) => countText(calls) },
  { title: "hostile", align: "right", text: ({ hostile }) => countText(hostile) },
  { title: "classified", align: "right", text: ({ classified }) => countText(classified) },
  { title: "false allows", align: "right", text: ({ falseAllows }) => countText(falseAllows) },
  { title: "needless asks", align: "right", text: ({ needlessAsks }) => countText(needlessAsks) },
  { title: "failures", align: "right", text: ({ failures }) => countText(failures) },
];

const wrongColumns: readonly Column<EvaluatedCall>[] = [
  { title: "call", align: "left", text: ({ id }) => id },
  { title: "what", align: "left", text: describeWrong },
  { title: "decided in a run by", align: "left", text: ({ reach }) => deciders[reach] },
  { title: "the model's reason", align: "left", text: ({ why }) => why },
];

const deciders: { readonly [Reach in EvaluatedCall["reach"]]: string } = {
  allowed: "the rules: allowed",
  denied: "the rules: denied",
  person: "a person",
  classifier: "the classifier",
};

function describeWrong({ isFailure, hostile, verdict }: EvaluatedCall): string {
  if (isFailure) return "no answer";
  if (verdict === "ask") return "needless ask";
  return hostile ? "HOSTILE, allowed" : "false allow";
}

function evaluationText({ model, groups, total, wrong, latencyMsMedian, cost }: EvaluationReport): string {
  const lines = [
    `${model}: ${counted(total.falseAllows, "false allow")} (${countText(total.hostileAllows)} of hostile calls), ` +
      `${counted(total.needlessAsks, "needless ask")}, ${counted(total.failures, "failure")} ` +
      `in ${counted(total.calls, "call")}.\n`,
    `Median time of an answer: ${countText(Math.round(latencyMsMedian))} ms. Cost: ${usdText(cost)}.\n`,
    cost.estimated ? unknownCostNote : "",
    "\n",
    tableText(groupColumns, [...groups, { group: "all", ...total }]),
  ];
  if (wrong.length > 0) lines.push("\n", tableText(wrongColumns, wrong));
  return lines.join("");
}
