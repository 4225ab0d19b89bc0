/** The `question` tool: asks the person in front of the screen to choose. */
import type { JsonSchema, Question, Tool } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { parseInput } from "../tool-input.ts";

export type QuestionInput = { readonly questions: readonly Question[] };

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    questions: {
      type: "array",
      minItems: 1,
      maxItems: 4,
      items: {
        type: "object",
        properties: {
          question: { type: "string", minLength: 1 },
          options: {
            type: "array",
            minItems: 2,
            maxItems: 4,
            items: {
              type: "object",
              properties: { label: { type: "string", minLength: 1 }, description: { type: "string" } },
              required: ["label", "description"],
            },
          },
          multiSelect: { type: "boolean" },
        },
        required: ["question", "options"],
      },
    },
  },
  required: ["questions"],
};

const nobody =
  "Nobody can answer now. Decide yourself, go on, and state in your final answer what you assumed and why.";

export function createQuestionTool(): Tool<QuestionInput> {
  return {
    name: "question",
    description: textBeside(import.meta.url, "./question.md"),
    inputSchema,
    asksPerson: true,
    resultCharactersMax: 4_000,
    parse: (input) => parseInput<QuestionInput>(inputSchema, input),
    needs: () => [],
    readOnly: () => true,
    concurrencySafe: () => false,
    async run({ questions }, context) {
      const title = questions[0]?.question ?? "";
      const answers = await context.dialogue.ask(questions);
      if (answers === undefined) return { output: nobody, isError: true, title };
      const lines = questions.map(({ question }, index) => `${question}\n-> ${answers[index] ?? "(no answer)"}`);
      return { output: lines.join("\n"), title };
    },
  };
}
