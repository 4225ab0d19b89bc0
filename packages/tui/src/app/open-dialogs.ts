/** Opens dialogs by their name, with what the engine knows at the moment. */
import type { CommandContext, DialogName } from "../commands/command-context.ts";
import type { Action } from "../keys/actions.ts";
import type { AppCommandParts } from "./app-commands.ts";

export type DialogDoorParts = {
  readonly app: AppCommandParts;
  readonly context: CommandContext;
  readonly saveSetting: (path: readonly string[], value: string | boolean) => void;
  readonly setTheme: (name: string) => void;
  readonly run: (line: string) => void;
  readonly perform: (action: Action) => void;
};

export interface DialogDoor {
  open(name: DialogName, argument?: string): void;
  welcome(): void;
}

export function createDialogDoor({ app }: DialogDoorParts): DialogDoor {
  return {
    open: (name) => app.notice("info", `dialog ${name}`),
    welcome: () => app.notice("warning", "no model"),
  };
}
