/** The providers, their keys and accounts: stores a key, begins a sign-in, takes either away. A key is never shown. */

import { cleanLine } from "../../screen/clean-text.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import { providerTexts } from "../../texts/onboarding.ts";
import type { ForegroundToken, Theme } from "../../theme/theme.ts";
import { createConfirmDialog } from "../choice/confirm-dialog.ts";
import type { ListItem } from "../list/list-dialog.ts";
import { createPicker } from "../list/picker-dialog.ts";
import { createTextDialog } from "../text/text-dialog.ts";
import { createLoginConsentDialog, createLoginMethodDialog, type Login } from "./login-dialogs.ts";
import type { ProviderList } from "./model-dialog.ts";

export type ProviderDialogProps = {
  readonly providers: () => ProviderList | undefined;
  readonly problem?: () => string | undefined;
  readonly theme: () => Theme;
  /** Closes nothing, like the other one. */
  readonly onKey: (providerId: string, key: string) => void;
  readonly onLogin: (login: {
    readonly providerId: string;
    readonly name: string;
    readonly method: Login["method"];
  }) => void;
  readonly onRemove: (providerId: string) => void;
  /** Asks for the key of this one at once. */
  readonly providerId?: string;
};

type Provider = ProviderList["providers"][number];

const keyed = providerTexts.hasKey;

export function createProviderDialog(props: ProviderDialogProps): Dialog {
  const { providers, problem, theme } = props;
  const remembered = createRemembered<readonly ListItem<Provider>[] | undefined>();
  const picker = createPicker<Provider>({
    title: providerTexts.title,
    theme,
    problem,
    items() {
      const list = providers();
      return remembered([list], () => list && providerItems(list));
    },
    loadingText: providerTexts.loading,
    emptyText: providerTexts.empty,
    onChoose: choose,
    keys: [{ key: "ctrl+d", label: providerTexts.removeKey, press: remove }],
    toneOf: (right): ForegroundToken | undefined => (right === keyed ? "success" : undefined),
    sameAs: (left, right) => left.providerId === right.providerId,
  });
  if (props.providerId !== undefined) {
    const wanted = props.providerId;
    const found = providers()?.providers.find(({ providerId }) => providerId === wanted);
    if (found === undefined) askKey(wanted, wanted);
    else choose(found);
  }

  function choose(provider: Provider): void {
    const { providerId, name, logins = [] } = provider;
    const onKey = () => askKey(providerId, name);
    const onLogin = (login: Login) => askConsent(provider, login);
    if (logins.length === 0) onKey();
    else picker.ask(createLoginMethodDialog({ name, logins, theme, onKey, onLogin, onEscape: picker.backToList }));
  }

  function askConsent(provider: Provider, login: Login): void {
    const { providerId, name } = provider;
    picker.ask(
      createLoginConsentDialog({
        login,
        theme,
        onYes() {
          picker.backToList();
          props.onLogin({ providerId, name, method: login.method });
        },
        onBack: () => choose(provider),
      }),
    );
  }

  function askKey(providerId: string, name: string): void {
    picker.ask(
      createTextDialog({
        title: providerTexts.askKeyTitle(cleanLine(name)),
        theme,
        sentence: providerTexts.askKey,
        isSecret: true,
        onText(key) {
          picker.backToList();
          props.onKey(providerId, key);
        },
        onEscape: picker.backToList,
      }),
    );
  }

  function remove({ providerId, name, hasKey }: Provider): void {
    if (!hasKey) return;
    picker.ask(
      createConfirmDialog({
        title: providerTexts.removeKeyTitle,
        theme,
        sentence: providerTexts.askRemoveKey(cleanLine(name)),
        yes: providerTexts.remove,
        no: providerTexts.cancel,
        onAnswer(isYes) {
          picker.backToList();
          if (isYes) props.onRemove(providerId);
        },
      }),
    );
  }

  return picker.dialog;
}

/** Those with a key stand first. */
function providerItems({ providers }: ProviderList): readonly ListItem<Provider>[] {
  const ready = providers.filter(({ hasKey }) => hasKey);
  const others = providers.filter(({ hasKey }) => !hasKey);
  return [...ready, ...others].map((provider) => {
    const { providerId, name, hasKey, keySource, models } = provider;
    const count = providerTexts.models(models.length);
    return {
      value: provider,
      label: cleanLine(name) || cleanLine(providerId),
      detail: keySource === undefined ? count : `${cleanLine(keySource)}, ${count}`,
      right: hasKey ? keyed : providerTexts.noKey,
      keywords: cleanLine(providerId),
    };
  });
}
