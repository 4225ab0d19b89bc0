/** The dialog that is open: each by the name that commands and keys know it by. */
import type { OpenDialog } from "../app/page.ts";
import { AskDialog } from "./ask-dialog.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { CommandPicker, SessionPicker, TreePicker } from "./place-pickers.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { RewindDialog } from "./rewind-dialog.tsx";
import { AgentPicker, EffortPicker, ModelPicker, ModePicker, ThemePicker } from "./run-pickers.tsx";
import { StatusDialog } from "./status-dialog.tsx";

export function ShownDialog({ dialog: { name, argument, asking } }: { readonly dialog: OpenDialog }) {
  if (asking !== undefined) return <AskDialog key={asking.id} asking={asking} />;
  switch (name) {
    case "models":
    case "providers":
      return <ModelPicker />;
    case "modes":
      return <ModePicker />;
    case "agent":
      return <AgentPicker />;
    case "effort":
      return <EffortPicker />;
    case "themes":
      return <ThemePicker />;
    case "palette":
      return <CommandPicker />;
    case "sessions":
    case "pick":
      return <SessionPicker query={argument} />;
    case "tree":
      return <TreePicker query={argument} />;
    case "rewind":
      return <RewindDialog messageId={argument} />;
    case "rename":
      return <RenameDialog />;
    case "help":
      return <HelpDialog />;
    default:
      return <StatusDialog />;
  }
}
