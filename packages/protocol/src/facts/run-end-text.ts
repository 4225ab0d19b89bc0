/** How the end of a run reads on a screen. Reasons are words of programs and are never shown as they are. */
import type { RunReason } from "./fact-words.ts";

/** One or two words, such as "finished" or "turn limit reached". */
export function runEndWords(reason: RunReason): string {
  switch (reason) {
    case "completed":
      return "finished";
    case "aborted":
      return "interrupted";
    case "error_max_turns":
      return "turn limit reached";
    case "error_max_budget":
      return "budget reached";
    case "error_max_structured_output_retries":
      return "no answer that matches the schema";
    case "stopped_by_hook":
      return "stopped by a hook";
    case "error_during_execution":
      return "failed";
  }
}

/** What happened and what to do next, for a run that ended early without a failure that says so. */
export function runEndSentence(reason: RunReason): string {
  switch (reason) {
    case "completed":
      return "Finished.";
    case "aborted":
      return "Interrupted.";
    case "error_max_turns":
      return "Turn limit reached. Send a prompt to continue.";
    case "error_max_budget":
      return "Budget reached. Raise the limit, or send a prompt to continue with the same one.";
    case "error_max_structured_output_retries":
      return "The model returned no answer that matches the schema. Simplify the schema or try another model.";
    case "stopped_by_hook":
      return "Stopped by a hook. /hooks lists the hooks of this session.";
    case "error_during_execution":
      return "The run failed. Try again, or check the setup with /doctor.";
  }
}
