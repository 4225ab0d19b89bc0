/** Writes a text to an address whose scheme takes texts. */
import type { InnerWrite } from "../editing/targets/inner-write.ts";
import { type Address, describeUnknown } from "./address.ts";

export function writeAddress({ scheme, name }: Address, content: string): InnerWrite {
  const title = `${scheme}://${name}`;
  return {
    look: async (context) => {
      if (!context.addresses.schemes.some((each) => each.name === scheme))
        return { ok: false, problem: describeUnknown({ scheme, name }, context) };
      return { ok: true, preview: content };
    },
    async run(context) {
      const written = context.addresses.write(scheme, name, content);
      const problem = written === undefined ? `${scheme}:// cannot be written.` : await written;
      if (problem !== undefined) return { output: problem, isError: true, title };
      return { output: `Wrote ${title} (${content.length} characters).`, title };
    },
  };
}
