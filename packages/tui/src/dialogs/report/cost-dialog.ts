/** What the session has cost: in total and per model, with the models whose price is unknown. */

import { costText, type QueryAnswers, type Usage } from "@kedge/protocol";
import { barText } from "../../charts/bar-text.ts";
import type { Dialog } from "../../screen/view.ts";
import { countText, durationText, moneyText } from "../../status/short-figures.ts";
import { costTexts } from "../../texts/reports.ts";
import type { Theme } from "../../theme/theme.ts";
import { flowText } from "../text/dialog-text.ts";
import { edgedLine } from "../text/edged-line.ts";
import { createReadingDialog, type ReadingPage } from "./reading-dialog.ts";

export type SessionCost = QueryAnswers["session.cost"];

export type CostDialogProps = {
  /** Undefined while it is asked for. */
  readonly cost: () => SessionCost | undefined;
  readonly problem?: () => string | undefined;
  readonly theme: () => Theme;
};

export function createCostDialog({ cost, problem, theme }: CostDialogProps): Dialog {
  return createReadingDialog<SessionCost>({
    title: costTexts.title,
    theme,
    content: cost,
    problem,
    loadingText: costTexts.loading,
    draw: costLines,
  });
}

function costLines(cost: SessionCost, { width, theme }: ReadingPage): readonly string[] {
  const { total, usage, turns } = cost;
  const models = Object.entries(cost.byModel).toSorted(([, left], [, right]) => right.cost.usd - left.cost.usd);
  if (models.length === 0) return flowText(costTexts.empty, width);
  const whole = costTexts.inTurns({ cost: costText(total, moneyText), turns });
  return [
    theme.bold(theme.fg("accent", edgedLine(costTexts.total, whole, width, theme))),
    ...usageLines(usage, width, theme),
    ...workLines(cost, width, theme),
    ...budgetLines(cost, width, theme),
    ...models.flatMap(([model, own]) => {
      const share = shareOfModel(own, cost);
      const right = `${costText(own.cost, moneyText)} ${percentText(share)}`;
      return [
        "",
        edgedLine(model, right, width, theme),
        barText(share, width, theme),
        ...usageLines(own.usage, width, theme),
      ];
    }),
    ...agentLines(cost, width, theme),
    ...unpricedLines(cost, width, theme),
  ];
}

/** How long it took, and what came of it. */
function workLines({ apiMs, toolMs, lines }: SessionCost, width: number, theme: Theme): readonly string[] {
  const figures = [
    costTexts.apiTime(durationText(apiMs)),
    costTexts.toolTime(durationText(toolMs)),
    costTexts.lines(lines),
  ];
  return flowText(figures.join(` ${theme.symbols.separator} `), width).map((line) => theme.fg("muted", line));
}

function agentLines({ children }: SessionCost, width: number, theme: Theme): readonly string[] {
  if (children === undefined) return [];
  return [
    "",
    edgedLine(costTexts.agents(children.sessions), costText(children.cost, moneyText), width, theme),
    ...usageLines(children.usage, width, theme),
  ];
}

const budgetNames = { session: costTexts.session, day: costTexts.day, month: costTexts.month } as const;

function budgetLines({ budgets = [] }: SessionCost, width: number, theme: Theme): readonly string[] {
  if (budgets.length === 0) return [];
  const rows = budgets.flatMap(({ window, usd, usdMax }) => {
    const left = Math.max(0, usdMax - usd);
    const share = usdMax === 0 ? 1 : Math.min(1, usd / usdMax);
    const figures = costTexts.used({ used: moneyText(usd), limit: moneyText(usdMax), left: moneyText(left) });
    return [edgedLine(budgetNames[window], figures, width, theme), barText(share, width, theme)];
  });
  const note = costTexts.aboutLimits;
  return ["", theme.bold(costTexts.limits), ...rows, ...flowText(note, width).map((line) => theme.fg("muted", line))];
}

/** Where a price is unknown, what was written and read tells the models apart. */
function shareOfModel(own: SessionCost["byModel"][string], { total, usage }: SessionCost): number {
  if (total.usd > 0 && !total.estimated) return own.cost.usd / total.usd;
  const all = tokensOf(usage);
  return all === 0 ? 0 : tokensOf(own.usage) / all;
}

export function tokensOf({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite;
}

function usageLines(usage: Usage, width: number, theme: Theme): readonly string[] {
  const { input, output, reasoning, cacheRead, cacheWrite, webSearches = 0 } = usage;
  const figures = [
    costTexts.input(countText(input)),
    costTexts.output(countText(output)),
    ...(reasoning > 0 ? [costTexts.thinking(countText(reasoning))] : []),
    costTexts.cacheRead(countText(cacheRead)),
    costTexts.cacheWrite(countText(cacheWrite)),
    ...(webSearches > 0 ? [costTexts.searches(webSearches)] : []),
  ];
  return flowText(figures.join(` ${theme.symbols.separator} `), width).map((line) => theme.fg("muted", line));
}

function unpricedLines({ byModel }: SessionCost, width: number, theme: Theme): readonly string[] {
  const unpriced = Object.entries(byModel).filter(([, { cost }]) => cost.estimated);
  if (unpriced.length === 0) return [];
  const models = unpriced.map(([model]) => model).join(", ");
  const sentence = costTexts.notPriced(models);
  return ["", ...flowText(sentence, width).map((line) => theme.fg("warning", line))];
}

export function percentText(share: number): string {
  const percent = Math.round(100 * share);
  return percent === 0 && share > 0 ? "<1 %" : `${percent} %`;
}
