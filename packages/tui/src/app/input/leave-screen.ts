/** Gives the terminal to somebody else for a while: the user's editor, or the shell that kedge was started from. */
import type { DialogStack } from "../../dialogs/stack/dialog-stack.ts";
import type { Screen } from "../../screen/open-screen.ts";

export type LeftScreen = { readonly screen: Screen; readonly dialogs: DialogStack };

const notSuspendedMs = 200;

/** Gives back the way back. */
export function leaveScreen({ screen, dialogs }: LeftScreen): () => void {
  screen.stop();
  return () => {
    screen.start();
    screen.redrawAll();
    dialogs.rearmTop();
  };
}

/** The shell has the terminal until it gives it back; where there is no shell, the system does not stop us. */
export function suspend(left: LeftScreen): void {
  const comeBack = leaveScreen(left);
  const resume = () => {
    clearTimeout(timer);
    process.off("SIGCONT", resume);
    comeBack();
  };
  const timer = setTimeout(resume, notSuspendedMs);
  process.once("SIGCONT", resume);
  process.kill(process.pid, "SIGTSTP");
}
