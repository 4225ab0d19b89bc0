/** A tool that exists for one run: the model gives its final answer through it, checked against the wanted schema. */
import { checkSchema, describeProblems, type Json, type JsonSchema, type Tool } from "@kedge/protocol";

export interface StructuredOutput {
  readonly tool: Tool<Json>;
  /** The accepted answer. */
  accepted(): Json | undefined;
  /** Why the last attempt was not accepted; told once per attempt. */
  takeProblems(): string | undefined;
}

const resultCharactersMax = 2000;

export function createStructuredOutput(schema: JsonSchema): StructuredOutput {
  let accepted: Json | undefined;
  let problems: string | undefined;
  return {
    tool: {
      name: "structured_output",
      description: "Gives the final answer in the wanted form. Call it once, last.",
      inputSchema: schema,
      resultCharactersMax,
      // The schema is the user's, so a misfit is counted and fed back by the loop rather than reported by the parser.
      parse: (input) => ({ ok: true, input: input as Json }),
      needs: () => [],
      readOnly: () => true,
      concurrencySafe: () => false,
      async run(input) {
        const found = checkSchema(schema, input);
        if (found.length > 0) {
          problems = describeProblems(found);
          return { output: problems, isError: true, title: "answer did not fit the schema" };
        }
        accepted = input;
        return { output: "Accepted.", title: "answer accepted" };
      },
    },
    accepted: () => accepted,
    takeProblems() {
      const taken = problems;
      problems = undefined;
      return taken;
    },
  };
}
