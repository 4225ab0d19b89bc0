/** The shape of the record of a reproduction in an imported session. */
import { type JsonSchema, reproductionStates } from "@kedge/protocol";

const text: JsonSchema = { type: "string" };
const optional = { optional: text };
const runs: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    properties: { exitCode: { anyOf: [{ type: "number" }, { type: "null" }] }, digest: text },
    required: ["exitCode", "digest"],
  },
};

export const reproductionShape = {
  ...{ id: text, issue: text, before: runs, after: runs },
  state: { enum: [...reproductionStates] },
  ...{ task: optional, file: optional, fileDigest: optional, command: optional },
  ...{ signature: optional, base: optional, why: optional },
};
