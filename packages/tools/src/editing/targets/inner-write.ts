/** The contract of a write that goes to something inside of a file, in the place of the whole. */
import type { ToolContext, ToolOutput } from "@kedge/protocol";

export type Looked = { readonly ok: true; readonly preview: string } | { readonly ok: false; readonly problem: string };

/** Keeps all rules of a write: nothing unseen is overwritten, one change at a time, all of it or nothing. */
export interface InnerWrite {
  /** What a run would change, as a person sees it, or why it cannot. Changes nothing. */
  look(context: ToolContext): Promise<Looked>;
  run(context: ToolContext): Promise<ToolOutput>;
}
