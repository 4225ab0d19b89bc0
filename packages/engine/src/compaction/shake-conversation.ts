/** Moves what is long in a conversation into artifacts of its session. */
import type { FactOf } from "@kedge/protocol";
import { planShake, type ShakeMode } from "../window/shake.ts";
import type { CareBasis } from "./care-basis.ts";

/** Undefined when there was nothing to move. */
export async function shakeConversation(
  { journal, artifacts }: Pick<CareBasis, "journal" | "artifacts">,
  mode: ShakeMode,
): Promise<FactOf<"context.cleared"> | undefined> {
  const cleared = await planShake(journal.state, {
    mode,
    save: async (text, tool) => {
      const artifact = artifacts.create(tool);
      artifact.write(text);
      artifact.close();
      return artifact.number;
    },
  });
  if (cleared !== undefined) await journal.emit(cleared);
  return cleared;
}
