/** What a call hands to its tool: the services of the session, bound to this call. */
import type { Addresses, Children, OutputSink, ToolCallBlock } from "@kedge/protocol";
import { harmless } from "../prompt-texts.ts";
import { bindAddresses } from "./bind-addresses.ts";
import type { CallContext, CallOrigin } from "./call.ts";
import type { CallServices } from "./call-services.ts";

/** Each that it gives has an output of its own. */
export function createToolContexts(
  { engine, journal, context }: Pick<CallServices, "engine" | "journal" | "context">,
  { callId, tool }: ToolCallBlock,
  { stepId, signal }: CallOrigin,
  runChildren: Children["run"],
): () => CallContext {
  const { services, files, editMode, dialogue, checkpoints } = context;
  const { sessionId } = journal.state;
  const { neutralise = harmless, isSuspicious } = engine;
  let count = 0;
  /** What a phase will take out of the result is not to be seen on the way either. */
  const isRedacted =
    engine.callPhases?.some(({ redacts, tools }) => redacts && (tools?.includes(tool) ?? true)) ?? false;
  const onProgress = (text: string, stream: "stdout" | "stderr") => {
    if (isRedacted) return;
    count += 1;
    journal.signal({ type: "tool.progress", sessionId, callId, count, text, stream });
  };
  return () => {
    let sink: OutputSink | undefined;
    let addresses: Addresses | undefined;
    let hasFenced = false;
    return {
      ...services,
      editMode,
      callId,
      cwd: engine.workspace.cwd,
      signal,
      files,
      // Most calls print nothing while they run, so the sink is made by the first that does.
      get sink() {
        sink ??= engine.resources.newOutputSink({ onProgress, openArtifact: () => services.artifacts.create(tool) });
        return sink;
      },
      get addresses() {
        addresses ??= bindAddresses(engine.addressSchemes ?? [], { sessionId, signal });
        return addresses;
      },
      dialogue: {
        ask: (questions, withdrawn) =>
          dialogue.ask(questions, { callId, signal: withdrawn ? AbortSignal.any([signal, withdrawn]) : signal }),
      },
      children: { run: runChildren },
      async fence(text) {
        hasFenced = true;
        return { text: neutralise(text, "web"), isSuspicious: (await isSuspicious?.(text)) ?? false };
      },
      get hasFenced() {
        return hasFenced;
      },
      checkpoints: checkpoints.of({ callId, stepId }),
    };
  };
}
