/** Signing in to a provider: which way, who pays, and where the person has to go meanwhile. */

import { cleanLine } from "../../screen/clean-text.ts";
import type { Dialog } from "../../screen/view.ts";
import { loginTexts } from "../../texts/onboarding.ts";
import type { Theme } from "../../theme/theme.ts";
import { createChoiceDialog } from "../choice/choice-dialog.ts";
import type { Choice } from "../choice/choice-menu.ts";
import { flowText } from "../text/dialog-text.ts";
import { createFlowingView } from "../text/flowing-view.ts";
import type { ProviderList } from "./model-dialog.ts";

export type Login = NonNullable<ProviderList["providers"][number]["logins"]>[number];

export type LoginMethodProps = {
  readonly name: string;
  readonly logins: readonly Login[];
  readonly theme: () => Theme;
  readonly onKey: () => void;
  readonly onLogin: (login: Login) => void;
  readonly onEscape: () => void;
};

export function createLoginMethodDialog(props: LoginMethodProps): Dialog {
  const key: Choice<Login | undefined> = { value: undefined, key: "1", label: loginTexts.keyOrToken };
  const accounts = props.logins.map((login, at): Choice<Login | undefined> => {
    const about = login.missing === undefined ? {} : { about: login.missing };
    return { value: login, key: String(at + 2), label: cleanLine(login.label), ...about };
  });
  return createChoiceDialog<Login | undefined>({
    title: loginTexts.chooseTitle(cleanLine(props.name)),
    theme: props.theme,
    body: createFlowingView(props.theme, (width) => flowText(loginTexts.choose, width)),
    choices: [key, ...accounts],
    onChoose: (login) => (login === undefined ? props.onKey() : props.onLogin(login)),
    onEscape: props.onEscape,
  });
}

export type LoginConsentProps = {
  readonly login: Login;
  readonly theme: () => Theme;
  readonly onYes: () => void;
  readonly onBack: () => void;
};

/** Who pays is in sight before anything begins; a sign-in that lacks something says what, and does not begin. */
export function createLoginConsentDialog({ login, theme, onYes, onBack }: LoginConsentProps): Dialog {
  const { label, notice, missing } = login;
  const back: Choice<boolean> = { value: false, key: "b", label: loginTexts.back };
  const yes: Choice<boolean> = { value: true, key: "s", label: loginTexts.signIn };
  return createChoiceDialog({
    title: cleanLine(label),
    theme,
    body: createFlowingView(theme, (width) => flowText(missing ?? notice, width)),
    choices: missing === undefined ? [back, yes] : [back],
    onChoose: (isYes) => (isYes ? onYes() : onBack()),
    onEscape: onBack,
  });
}

export type LoginWaitProps = {
  readonly name: string;
  readonly url: string;
  readonly code?: string | undefined;
  readonly theme: () => Theme;
  readonly onCopy: () => void;
  readonly onCancel: () => void;
};

/** In sight while the person is in the browser; whoever opened it closes it. */
export function createLoginWaitDialog(props: LoginWaitProps): Dialog {
  const steps = [
    loginTexts.openUrl(props.url),
    ...(props.code === undefined ? [] : [loginTexts.enterCode(cleanLine(props.code))]),
    loginTexts.continues,
  ];
  return createChoiceDialog<"copy" | "cancel">({
    title: loginTexts.waitTitle(cleanLine(props.name)),
    theme: props.theme,
    body: createFlowingView(props.theme, (width) => steps.flatMap((step) => flowText(step, width))),
    choices: [
      { value: "copy", key: "c", label: loginTexts.copyUrl },
      { value: "cancel", key: "x", label: loginTexts.cancel },
    ],
    onChoose: (choice) => (choice === "copy" ? props.onCopy() : props.onCancel()),
    onEscape: props.onCancel,
  });
}
