/** A tool that a program brings along: a name, a schema and a function. */
import {
  checkSchema,
  describeProblems,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type Need,
  type Tool,
} from "@kedge/protocol";
import { sdkTexts } from "../texts/sdk.ts";

export type ProgramTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** It changes nothing anywhere: it counts as reading, under its name, and nobody has to be asked. */
  readonly isReadOnly?: boolean;
  /** What it gives back, or throws, is told to the model. */
  readonly run: (input: JsonObject, options: { readonly signal: AbortSignal }) => string | Promise<string>;
};

const resultCharactersMax = 50_000;

/** What every vendor accepts. */
const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** A sentence about the first name that cannot be used; names of our own tools are known only to those who list them. */
export function wrongNames(tools: readonly ProgramTool[]): string | undefined {
  const seen = new Set<string>();
  for (const { name } of tools) {
    if (!namePattern.test(name)) {
      return sdkTexts.badToolName(JSON.stringify(name));
    }
    if (seen.has(name)) return sdkTexts.twoTools(name);
    seen.add(name);
  }
  return undefined;
}

export function toolOf(given: ProgramTool): Tool<JsonObject> {
  const { name, description, inputSchema, isReadOnly = false } = given;
  return {
    name,
    description,
    inputSchema,
    resultCharactersMax,
    parse(input) {
      const problems = checkSchema(inputSchema, input);
      // What fits a schema of an object came as JSON from the model.
      if (problems.length === 0 && isJsonObject(input)) return { ok: true, input: input as JsonObject };
      return { ok: false, report: problems.length === 0 ? sdkTexts.inputIsObject : describeProblems(problems) };
    },
    needs: () => [
      isReadOnly ? readingNeed(name) : { permission: name, patterns: ["*"], always: ["*"], access: "execute" },
    ],
    readOnly: () => isReadOnly,
    concurrencySafe: () => isReadOnly,
    async run(input, { signal }) {
      try {
        return { output: await given.run(input, { signal }), title: name };
      } catch (error) {
        // A function of somebody else: whatever it throws is its way to say that it did not work.
        return { output: error instanceof Error ? error.message : String(error), isError: true, title: name };
      }
    },
  };
}

/** An unknown permission asks; reading is allowed, unless a rule says otherwise. */
function readingNeed(name: string): Need {
  return { permission: "read", patterns: [name], always: [name], access: "read" };
}
