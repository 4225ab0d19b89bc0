/** Decides whether a model may answer a question about a call in auto mode, and asks it with the user's own words. */
import type { Need, PermissionMode, Tool, ToolContext } from "@kedge/protocol";
import { attempt } from "../call/attempt.ts";
import type { Journal } from "../journal.ts";
import type { EngineParts } from "../parts.ts";
import type { AskVerdict } from "../permission/index.ts";
import type { RunConduct } from "../run/conduct.ts";
import { isAskedFor } from "./asked-for.ts";
import type { Classification } from "./classify-call.ts";
import type { RunClassifier } from "./run-classifier.ts";

export type CallClassifierParts = {
  readonly engine: EngineParts;
  readonly journal: Journal;
  readonly conduct: RunConduct;
  readonly classifier: RunClassifier | undefined;
  readonly mode: () => PermissionMode;
  readonly onNotice: (text: string) => void;
};

export type CallToClassify = {
  readonly tool: Tool;
  readonly input: unknown;
  readonly needs: readonly Need[];
  readonly context: ToolContext;
};

/** Undefined where no model may answer. */
export type CallClassifier = (call: CallToClassify, verdict: AskVerdict) => Promise<Classification> | undefined;

const userTextsMax = 5;

/** One per run, made before the run has taken up its prompts. */
export function createCallClassifier(parts: CallClassifierParts): CallClassifier {
  const { engine, journal, conduct, classifier } = parts;
  const saidBefore = new Set(journal.state.items.map(({ id }) => id));
  let isLeavingAuto = false;

  function textsOf({ ofRun }: { readonly ofRun: boolean }): readonly string[] {
    return journal.state.items.flatMap((item) =>
      item.type === "prompt" && !(ofRun && saidBefore.has(item.id)) ? [item.text] : [],
    );
  }

  async function leaveAuto(why: string): Promise<void> {
    if (isLeavingAuto) return;
    isLeavingAuto = true;
    await journal.emit({ type: "mode.changed", mode: "default" });
    parts.onNotice(`Switched to default mode: the classifier failed three times in a row: ${engine.redact(why)}`);
  }

  async function classify(asked: RunClassifier, { tool, input, needs, context }: CallToClassify) {
    // What an edit writes matters more than where; commands are whole in their needs.
    const shown = needs.some(({ access }) => access === "write")
      ? await attempt(async () => tool.preview?.(input, context), engine.redact)
      : undefined;
    const call = {
      tool: tool.name,
      needs: needs.flatMap(({ permission, patterns }) => patterns.map((pattern) => `${permission}: ${pattern}`)),
      ...(shown?.ok && shown.value !== undefined && { detail: shown.value }),
      cwd: engine.workspace.cwd,
      userTexts: textsOf({ ofRun: false }).slice(-userTextsMax),
    };
    const answer = await asked.classify(call, context.signal);
    if (asked.hasGivenUp() && journal.state.mode === "auto") await leaveAuto(answer.why);
    return answer;
  }

  return (call, { canClassify, outward }) => {
    if (classifier === undefined || !canClassify || parts.mode() !== "auto") return undefined;
    if (conduct.rejected.shouldFallBack()) return undefined;
    if (outward.length > 0) {
      const said = textsOf({ ofRun: true });
      if (!outward.every((command) => isAskedFor(command, said))) return undefined;
    }
    return classify(classifier, call);
  };
}
