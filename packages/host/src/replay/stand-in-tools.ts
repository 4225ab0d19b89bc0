/** Tools of a replay: those confined to files of the workspace run again, everything else is taken from the record. */
import { statSync } from "node:fs";
import type { JsonObject, Need, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import type { RecordedCall, RecordedStep } from "./recorded-session.ts";
import type { RecordedWorld } from "./recorded-world.ts";
import type { ScratchWorkspace } from "./scratch-workspace.ts";
import { structuredTool } from "./wanted-form.ts";

/** They change and tell nothing but the state of the session. */
const sessionTools: ReadonlySet<string> = new Set(["todo_write", "todo_read", "checkpoint", "rewind"]);
/** What they give follows from the files alone. `glob` and `list` order by time, which no tree keeps. */
const lookingTools: ReadonlySet<string> = new Set(["read", "grep", "ast_grep"]);
const changingTools: ReadonlySet<string> = new Set([
  "edit",
  "multi_edit",
  "write",
  "apply_patch",
  "notebook_edit",
  "edit_lines",
  "ast_edit",
]);

export type StandInParts = {
  readonly world: RecordedWorld;
  readonly scratch: ScratchWorkspace;
  /** The tree that stood on the disk at a step, by its id. */
  readonly trees: ReadonlyMap<string, string>;
  readonly isInside: (path: string) => boolean;
  readonly interrupt: () => Promise<void>;
  readonly reachedEnd: () => void;
};

/** `names` are those that the record calls. */
export function createStandInTools(
  real: readonly Tool[],
  names: Iterable<string>,
  parts: StandInParts,
): readonly Tool[] {
  const behaviour = createBehaviour(parts);
  const known = new Set(real.flatMap(({ name, aliases = [] }) => [name, ...aliases]).map((name) => name.toLowerCase()));
  // The engine makes the tool for answers in a wanted form itself.
  const isUnknown = (name: string) => name !== structuredTool && !known.has(name.toLowerCase());
  const unknown = [...new Set(names)].filter(isUnknown);
  return [...real.map((tool) => standIn(tool, behaviour)), ...unknown.map((name) => recordedTool(name, behaviour))];
}

type Behaviour = (tool: Tool | undefined, input: unknown, context: ToolContext) => Promise<ToolOutput>;

function mayRunAgain(name: string): boolean {
  return sessionTools.has(name) || lookingTools.has(name) || changingTools.has(name);
}

function standIn(tool: Tool, behave: Behaviour): Tool {
  if (!mayRunAgain(tool.name))
    return { ...recordedTool(tool.name, behave), ...(tool.aliases && { aliases: tool.aliases }) };
  const { searchHint: _, validate: __, preview: ___, caution: ____, interruptible: _____, ...kept } = tool;
  return {
    ...kept,
    parse: (input) => tool.parse(input),
    needs: () => [],
    readOnly: (input) => tool.readOnly(input),
    concurrencySafe: (input) => tool.concurrencySafe(input),
    run: (input, context) => behave(tool, input, context),
  };
}

/** Does nothing, so that it may do it beside others. */
function recordedTool(name: string, behave: Behaviour): Tool {
  return {
    name,
    description: name,
    inputSchema: { type: "object" },
    resultCharactersMax: Number.POSITIVE_INFINITY,
    parse: (input) => ({ ok: true, input }),
    needs: () => [],
    readOnly: () => false,
    concurrencySafe: () => true,
    run: (input, context) => behave(undefined, input, context),
  };
}

/** How exact the throw-away workspace is within one step. */
type StepPlace = {
  readonly step: RecordedStep;
  ready: Promise<boolean> | undefined;
  /** Something that may have changed files was taken from the record. */
  isBehind: boolean;
};

function createBehaviour({ world, scratch, trees, isInside, interrupt, reachedEnd }: StandInParts): Behaviour {
  let place: StepPlace | undefined;
  /** A file was read in the record that was not read again, so that the tools do not know it as read. */
  let lacksReads = false;

  function placeOf(step: RecordedStep): StepPlace {
    if (place?.step === step) return place;
    if (place?.isBehind) scratch.forget();
    else if (place?.step.changes !== undefined) scratch.moved(place.step.changes.after);
    place = { step, ready: undefined, isBehind: false };
    return place;
  }

  function isReady(at: StepPlace): Promise<boolean> {
    const tree = trees.get(at.step.started.stepId);
    at.ready ??= tree === undefined ? Promise.resolve(false) : scratch.bringTo(tree);
    return at.ready;
  }

  async function runsAgain(tool: Tool, input: unknown, call: RecordedCall): Promise<boolean> {
    const { step } = world;
    const { ended, started } = call;
    if (step === undefined || step.ended?.outcome !== "answered") return false;
    if (ended.outcome === "refused" || ended.outcome === "interrupted") return false;
    // The tool was not offered then.
    if (started === undefined && ended.output.startsWith("There is no tool named")) return false;
    if (call.isEdited) return false;
    if (sessionTools.has(tool.name)) return true;
    // What a look misses may lie among the files that no tree holds.
    if (lookingTools.has(tool.name) && ended.outcome !== "completed") return false;
    const at = placeOf(step);
    if (at.isBehind || !(await isReady(at))) return false;
    return staysInside(tool, tool.needs(input, scratch.cwd));
  }

  function staysInside({ name }: Tool, needs: readonly Need[]): boolean {
    const isConfined = ({ access, paths = [] }: Need) =>
      (access === "read" || access === "write") && paths.length > 0 && paths.every(isInside);
    if (needs.length === 0 || !needs.every(isConfined)) return false;
    // A listing shows ages, and what git ignores is in no tree.
    return name !== "read" || needs.every(({ paths = [] }) => paths.every(isFile));
  }

  async function take(call: RecordedCall, context: ToolContext): Promise<ToolOutput> {
    const { ended, started } = call;
    const { step } = world;
    world.taken.add(ended.callId);
    if (step !== undefined && started?.fact.readOnly === false) placeOf(step).isBehind = true;
    if (ended.tool === "read" && ended.outcome === "completed") lacksReads = true;
    if (ended.outcome === "interrupted" && step?.ended?.outcome === "answered") await stopAsRecorded(step, context);
    const { output, title = "", metadata, media, outcome } = ended;
    const shown: { metadata?: JsonObject } = metadata === undefined ? {} : { metadata };
    return {
      output,
      title,
      ...shown,
      ...(media !== undefined && { media }),
      ...(outcome !== "completed" && { isError: true }),
    };
  }

  /** The calls that still ended in the record end first. */
  async function stopAsRecorded(step: RecordedStep, { signal }: ToolContext): Promise<void> {
    const others = [...step.calls.values()].filter(({ ended }) => ended.outcome !== "interrupted");
    await Promise.race([world.whenEnded(others.map(({ ended }) => ended.callId)), aborted(signal)]);
    if (!signal.aborted) await interrupt();
    await aborted(signal);
    throw new Error("interrupted");
  }

  /** Nobody knows how it ended: the process died. */
  async function neverEnded({ signal }: ToolContext): Promise<never> {
    await Promise.race([world.whenEnded([...(world.step?.calls.keys() ?? [])]), aborted(signal)]);
    reachedEnd();
    await aborted(signal);
    throw new Error("interrupted");
  }

  return async (tool, input, context) => {
    const call = world.callOf(context.callId);
    if (call === undefined) return neverEnded(context);
    const mapped = scratch.inwards(input);
    if (tool === undefined || !(await runsAgain(tool, mapped, call))) return take(call, context);
    const again = await runReal(tool, mapped, context);
    const result = scratch.outwards(again.output);
    const isError = again.output.isError === true;
    const isOtherwise = isError === (call.ended.outcome === "completed");
    if (!isOtherwise || !(world.hasSummary || (lacksReads && isError))) return result;
    // It may have changed a file that the record did not.
    if (world.step !== undefined) placeOf(world.step).isBehind = true;
    return take(call, context);
  };
}

async function runReal(tool: Tool, input: unknown, context: ToolContext): Promise<{ readonly output: ToolOutput }> {
  try {
    const objection = await tool.validate?.(input, context);
    if (objection !== undefined) return { output: { output: objection, title: "", isError: true } };
    return { output: await tool.run(input, context) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { output: { output: message, title: "", isError: true } };
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
