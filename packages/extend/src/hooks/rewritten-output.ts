/** What is left of a result that hooks rewrote: where several do, each works on what the one before left. */
import type { Hook } from "./hook.ts";
import type { Fired } from "./hook-set.ts";

export type Rewritten = { readonly output?: string; readonly by?: string };

/** All ran at once on the original; those behind the first rewriting one run again. */
export async function rewrittenOutput(
  { answers }: Fired,
  again: (output: string, hook: Hook) => Promise<Fired>,
): Promise<Rewritten> {
  let output: string | undefined;
  const by: string[] = [];
  for (const { hook, answer } of answers) {
    if (answer.updatedOutput === undefined) continue;
    by.push(`hook ${hook.name}`);
    if (output === undefined) {
      output = answer.updatedOutput;
      continue;
    }
    const [repeated] = (await again(output, hook)).answers;
    output = repeated?.answer.updatedOutput ?? output;
  }
  return output === undefined ? {} : { output, by: by.join(", ") };
}
