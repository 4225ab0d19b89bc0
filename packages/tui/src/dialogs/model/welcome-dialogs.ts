/** The first start: where the model comes from, a key that is checked, and three short screens on how to stay safe. */

import { textBeside } from "@kedge/protocol/text-file";
import { cutText } from "../../screen/cut-text.ts";
import { keyName } from "../../screen/input.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog, View } from "../../screen/view.ts";
import { welcomeTexts } from "../../texts/onboarding.ts";
import type { Theme } from "../../theme/theme.ts";
import { createListDialog } from "../list/list-dialog.ts";
import { flowText, hintLine, rowText } from "../text/dialog-text.ts";
import { createFlowingView } from "../text/flowing-view.ts";
import { createTextDialog } from "../text/text-dialog.ts";

export type WelcomeProvider = {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  /** It wants a key; a local server and the demo do not. */
  readonly needsKey: boolean;
};

export type WelcomeProps = {
  readonly providers: readonly WelcomeProvider[];
  readonly theme: () => Theme;
  readonly now: () => number;
  /** Tries the key, and keeps it when it works. The sentence says what is wrong and what to do. */
  readonly check: (
    attempt: { readonly id: string; readonly key: string },
    signal: AbortSignal,
  ) => Promise<{ readonly ok: boolean; readonly sentence: string }>;
  /** After the last screen. Closes nothing: whoever opened the dialog closes it. */
  readonly onDone: (providerId: string) => void;
  /** Escape; with the provider where one was settled already. */
  readonly onLeave: (providerId: string | undefined) => void;
  /** Something is to be drawn that no key caused. */
  readonly onChange: () => void;
};

const title = welcomeTexts.title;
const widthWished = 76;
const frameMs = 100;
const emptyText = welcomeTexts.noProviders;

export function createWelcome(props: WelcomeProps): Dialog {
  const { theme, onLeave } = props;
  let inner = chooseProvider(props, chosen);
  let running: KeyCheck | undefined;

  function chosen(provider: WelcomeProvider): void {
    if (provider.needsKey) inner = enterKey(provider, undefined);
    else settled(provider.id);
  }

  function enterKey(provider: WelcomeProvider, problem: string | undefined): Dialog {
    return createTextDialog({
      title,
      theme,
      sentence: welcomeTexts.askKey(rowText(provider.label)),
      isSecret: true,
      problem: () => problem,
      onText: (key) => checkKey(provider, key),
      onEscape() {
        inner = chooseProvider(props, chosen);
      },
    });
  }

  function checkKey(provider: WelcomeProvider, key: string): void {
    running = startCheck(props, { id: provider.id, key }, (result) => {
      running = undefined;
      if (result.ok) settled(provider.id);
      else inner = enterKey(provider, result.sentence);
      props.onChange();
    });
    inner = running.dialog(() => {
      running?.stop();
      running = undefined;
      inner = enterKey(provider, undefined);
    });
  }

  function settled(providerId: string): void {
    inner = createScreens({
      theme,
      onDone: () => props.onDone(providerId),
      onLeave: () => onLeave(providerId),
    });
  }

  return {
    title,
    widthWished,
    render: (width, height) => inner.render(width, height),
    handle(input) {
      if (inner.handle(input)) return true;
      if (input.kind !== "key" || keyName(input.key) !== "escape") return false;
      onLeave(undefined);
      return true;
    },
    closed: () => running?.stop(),
  };
}

function chooseProvider(props: WelcomeProps, onChoose: (provider: WelcomeProvider) => void): Dialog {
  const items = props.providers.map((provider) => ({
    value: provider,
    label: rowText(provider.label),
    detail: rowText(provider.detail),
    keywords: rowText(provider.id),
  }));
  return createListDialog({
    title,
    items: () => items,
    theme: props.theme,
    onChoose,
    emptyText,
    hint: welcomeTexts.exit,
  });
}

type KeyCheck = { stop(): void; dialog(onEscape: () => void): Dialog };

/** Runs one check with a line that moves; after `stop` its result counts no more. */
function startCheck(
  { check, theme, now, onChange }: WelcomeProps,
  attempt: { readonly id: string; readonly key: string },
  onResult: (result: { readonly ok: boolean; readonly sentence: string }) => void,
): KeyCheck {
  const controller = new AbortController();
  const timer = setInterval(onChange, frameMs);
  const stop = () => {
    clearInterval(timer);
    controller.abort();
  };
  const end = (result: { readonly ok: boolean; readonly sentence: string }) => {
    if (controller.signal.aborted) return;
    stop();
    onResult(result);
  };
  check(attempt, controller.signal).then(end, (error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    end({ ok: false, sentence: welcomeTexts.keyNotVerified(why) });
  });
  return {
    stop,
    dialog: (onEscape) => ({
      title,
      widthWished,
      render(width) {
        const { statusFrames, ellipsis } = theme().symbols;
        const frame = statusFrames[Math.floor(now() / frameMs) % statusFrames.length] ?? "";
        const line = cutText(
          `${frame} ${welcomeTexts.verifyingKey}${ellipsis} ${welcomeTexts.cancel}`,
          width,
          ellipsis,
        );
        return [theme().fg("accent", line)];
      },
      handle(input) {
        if (input.kind === "key" && keyName(input.key) === "escape") onEscape();
        return true;
      },
    }),
  };
}

type ScreenParts = { readonly theme: () => Theme; readonly onDone: () => void; readonly onLeave: () => void };

/** The screens of the text beside this file, one per heading. */
function createScreens({ theme, onDone, onLeave }: ScreenParts): Dialog {
  const screens = textBeside(import.meta.url, "./welcome.md")
    .split(/^# /m)
    .filter((text) => text.trim() !== "")
    .map((text) => screenView(text, theme));
  const cached = createRemembered<readonly string[]>();
  let at = 0;
  return {
    title,
    widthWished,
    render(width, height) {
      const colours = theme();
      const isLast = at === screens.length - 1;
      const hints = [`${at + 1}/${screens.length}`, isLast ? welcomeTexts.start : welcomeTexts.next, welcomeTexts.exit];
      const lines = screens[at]?.render(width) ?? [];
      return cached([lines, height], () => [
        ...lines.slice(0, Math.max(1, height - 2)),
        "",
        hintLine(hints, width, colours),
      ]);
    },
    handle(input) {
      if (input.kind === "key") {
        const name = keyName(input.key);
        if (name === "enter" && at === screens.length - 1) onDone();
        else if (name === "enter") at += 1;
        else if (name === "escape") onLeave();
        else if (name === "left" || name === "backspace") at = Math.max(0, at - 1);
      }
      return true;
    },
  };
}

function screenView(text: string, theme: () => Theme): View {
  const [heading = "", ...sentences] = text.split("\n").filter((line) => line.trim() !== "");
  return createFlowingView(theme, (width, colours) => [
    colours.bold(colours.fg("accent", cutText(heading, width, colours.symbols.ellipsis))),
    "",
    ...sentences.flatMap((sentence) => flowText(sentence, width)),
  ]);
}
