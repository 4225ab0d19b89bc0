/** The permission rules that hold, in the order in which they are looked at, with where each one comes from. */

import type { ListedRule, PermissionAction, PermissionMode } from "@kedge/protocol";
import { judgedText } from "../../screen/clean-text.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import { ruleTexts } from "../../texts/permission-questions.ts";
import type { ForegroundToken, Theme } from "../../theme/theme.ts";
import { createConfirmDialog } from "../choice/confirm-dialog.ts";
import type { ListItem } from "../list/list-dialog.ts";
import { createPicker } from "../list/picker-dialog.ts";
import { flowText } from "../text/dialog-text.ts";

export type RulesDialogProps = {
  /** In the order of evaluation; undefined while they are asked for. */
  readonly rules: () => readonly ListedRule[] | undefined;
  readonly problem?: () => string | undefined;
  readonly mode: () => PermissionMode;
  readonly theme: () => Theme;
  readonly onRemove: (ruleId: string) => void;
};

type Value = { readonly rule: ListedRule; readonly at: number };

const tones: { readonly [Action in PermissionAction]: ForegroundToken } = {
  allow: "success",
  ask: "warning",
  deny: "error",
};

export function createRulesDialog({ rules, problem, mode, theme, onRemove }: RulesDialogProps): Dialog {
  const remembered = createRemembered<readonly ListItem<Value>[] | undefined>();
  /** Said when a rule was chosen that cannot be taken away here. */
  let told: string | undefined;
  const picker = createPicker<Value>({
    title: ruleTexts.title,
    theme,
    problem,
    items: () => remembered([rules()], () => rules()?.map(ruleItem)),
    loadingText: ruleTexts.loading,
    emptyText: ruleTexts.empty,
    onChoose: remove,
    onSelect() {
      told = undefined;
    },
    keys: [{ key: "ctrl+d", label: ruleTexts.remove, press: remove }],
    toneOf: (right) => Object.entries(tones).find(([action]) => right.endsWith(action))?.[1],
    sameAs: (left, right) => left.at === right.at,
    above: ({ width, theme: colours }) => [
      ...flowText(ruleTexts.mode(mode()), width).map((line) => colours.fg("muted", line)),
      "",
    ],
    below: ({ width, theme: colours }) =>
      told === undefined ? [] : flowText(told, width).map((line) => colours.fg("warning", line)),
  });

  function remove({ rule }: Value): void {
    const { ruleId } = rule;
    if (ruleId === undefined) {
      told = ruleTexts.comesFrom(sourceText(rule));
      return;
    }
    picker.ask(
      createConfirmDialog({
        title: ruleTexts.removeTitle,
        theme,
        sentence: ruleTexts.askRemove({ action: rule.action, rule: ruleText(rule) }),
        yes: ruleTexts.confirmRemove,
        no: ruleTexts.cancel,
        onAnswer(isYes) {
          picker.backToList();
          if (isYes) onRemove(ruleId);
        },
      }),
    );
  }

  return picker.dialog;
}

function ruleItem(rule: ListedRule, at: number): ListItem<Value> {
  return {
    value: { rule, at },
    label: ruleText(rule),
    right: `${rule.source} ${rule.action}`,
    keywords: `${rule.source} ${rule.action}`,
  };
}

/** Whatever hides in a pattern is made visible, since it decides what is allowed. */
function ruleText({ permission, pattern }: ListedRule): string {
  return judgedText(`${permission} ${pattern}`).replaceAll("\n", "␊");
}

function sourceText({ source }: ListedRule): string {
  switch (source) {
    case "builtin":
      return ruleTexts.ofKedge;
    case "agent":
      return ruleTexts.ofAgent;
    case "policy":
      return ruleTexts.ofPolicy;
    case "command-line":
    case "flag":
      return ruleTexts.ofCommandLine;
    case "session":
      return ruleTexts.ofOtherSession;
    case "local":
    case "user":
    case "project":
      return ruleTexts.ofSettings(source);
  }
}
