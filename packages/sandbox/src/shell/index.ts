/** Shell analysis: what a command would do, told before it runs. */
import type { AnalyseShell } from "@kedge/protocol";
import { createShellAnalyser } from "./analyse-shell.ts";
import { lookIntoProgram } from "./programs/look-into-program.ts";

export { lookVariables } from "./look-variables.ts";
export { checkScript, type ScriptFinding } from "./script-check/check-script.ts";

const analyse = createShellAnalyser({ lookInto: lookIntoProgram });

/** The one catch: a defect in the reading of a command must ask a person, never let the command pass or end kedge. */
export const analyseShell: AnalyseShell = (command, place) => {
  try {
    return analyse(command, place);
  } catch (error) {
    const why = `it could not be read (${error instanceof Error ? error.message : String(error)})`;
    return { commands: [], files: [], concerns: [], unknown: why, readOnly: false, looksAt: "files" };
  }
};
