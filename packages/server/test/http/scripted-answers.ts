/** What the model of the server tests says, chosen by the last thing it was told. */
import type { MockScript, MockToolCall } from "@kedge/testing";

/** By the words of a prompt that lead to the call. */
const calls: { readonly [words: string]: MockToolCall } = {
  "write it": { name: "write", input: { filePath: "made.txt", content: "made\n" } },
  "write another": { name: "write", input: { filePath: "other.txt", content: "other\n" } },
  "ask me": {
    name: "question",
    input: {
      questions: [
        {
          question: "Which one?",
          options: [
            { label: "left", description: "The left one." },
            { label: "right", description: "The right one." },
          ],
        },
      ],
    },
  },
};

export const scriptedAnswers: MockScript = ({ body }) => {
  const last = body.messages?.at(-1);
  const words = last?.role === "user" ? String(last.content) : "";
  const call = Object.entries(calls).find(([wanted]) => words.includes(wanted))?.[1];
  return call === undefined ? { text: "Done." } : { toolCalls: [call] };
};
