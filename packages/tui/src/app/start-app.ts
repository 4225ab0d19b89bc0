/** The start: the first frame at once, and the session as soon as the engine is up. */
import { FailureError } from "@kedge/protocol";
import type { DialogStack } from "../dialogs/stack/dialog-stack.ts";
import type { Prompt } from "../prompt/prompt-parts.ts";
import type { Screen } from "../screen/open-screen.ts";
import type { AppLook } from "./app-look.ts";
import { askForTrust } from "./dialogs/ask-for-trust.ts";
import { restoreDraft } from "./input/app-prompt.ts";
import type { InputIntake } from "./input/input-intake.ts";
import type { TellNotice } from "./notices.ts";
import { engineGone, failureText } from "./told-texts.ts";
import type { EngineUp, TuiExit, TuiParts } from "./tui-parts.ts";

export type StartParts = {
  readonly parts: TuiParts;
  readonly prompt: Prompt;
  readonly dialogs: DialogStack;
  readonly look: AppLook;
  readonly intake: InputIntake;
  readonly screen: Screen;
  readonly notice: TellNotice;
  readonly settingsWarnings: () => readonly string[];
  readonly redraw: () => void;
  readonly end: (exit: TuiExit) => void;
  readonly begin: (up: EngineUp) => Promise<void>;
  readonly fail: (error: unknown) => void;
  /** Whoever leaves before the engine is up does not wait for it. */
  readonly isOver: () => boolean;
};

export function startApp(app: StartParts): void {
  const { parts, dialogs, look, intake, screen, notice, redraw, end } = app;
  const { engine, now } = parts;
  restoreDraft(app.prompt, parts.files);
  engine.listen({
    onNotice: (sentence) => notice("warning", sentence.replace(/^kedge: /, "")),
    onTrustAsked: (asked) =>
      askForTrust(dialogs, { ...asked, theme: look.theme, now, lastKeyAt: intake.lastAt, redraw }),
  });
  for (const warning of app.settingsWarnings()) notice("warning", warning);
  intake.begin();
  screen.start();
  parts.onReady();
  void screen.askBackground().then((rgb) => {
    if (rgb !== undefined) look.themes.setBackground({ rgb });
  });
  screen.onSchemeChange((appearance) => look.themes.setBackground({ appearance }));
  void Promise.all([engine.gone, engine.up]).then(([reason, started]) => {
    // One that did not come up has told why, and that it went then is no news.
    if (reason !== undefined && started.ok) end({ exitCode: 1, failure: engineGone(reason), farewell: "" });
  });
  const starting = Promise.all([engine.up, look.load()]).then(async ([started]) => {
    if (app.isOver()) return;
    if (started.ok) return app.begin(started.up);
    const { failure, isUsage } = started;
    end({ exitCode: isUsage ? 2 : 1, failure, farewell: "" });
  });
  starting.catch((error: unknown) => {
    if (error instanceof FailureError) notice("error", failureText(error.failure));
    else app.fail(error);
  });
}
