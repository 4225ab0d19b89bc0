/** Tools of the conformance server that need an answer of the client before they can end. */
import {
  acceptedContent,
  type ElicitInputParams,
  type InputRequests,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
} from "@modelcontextprotocol/server";
import { capabilitiesOf } from "../../src/mcp/serve/tasks.ts";
import { type FixtureTool, text } from "./fixture-tool.ts";

export type RoundState = { readonly round: number };

export function ask(message: string, name: string, type: "string" | "boolean" = "string") {
  const requestedSchema: ElicitInputParams["requestedSchema"] = {
    type: "object",
    properties: { [name]: type === "string" ? { type } : { type } },
    required: [name],
  };
  return inputRequired.elicit({ message, requestedSchema });
}

const question = (words: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: words } }],
    maxTokens,
  });

export function roundTools({ mint }: RequestStateCodec<RoundState>): readonly FixtureTool[] {
  /** One question with a state that must come back unchanged. */
  const withState = (name: string): FixtureTool => ({
    name,
    description: "Asks for a confirmation, and remembers where it was",
    async run(_given, { mcpReq }) {
      const isConfirmed = acceptedContent(mcpReq.inputResponses, "confirm") !== undefined;
      if (isConfirmed && mcpReq.requestState<RoundState>()?.round === 1) return text("state-ok");
      return inputRequired({
        inputRequests: { confirm: ask("Please confirm", "ok", "boolean") },
        requestState: await mint({ round: 1 }),
      });
    },
  });
  return [
    {
      name: "test_input_required_result_elicitation",
      description: "Asks for a name",
      run(_given, { mcpReq }) {
        const name = acceptedContent(mcpReq.inputResponses, "user_name")?.["name"];
        if (typeof name === "string") return text(`Hello, ${name}!`);
        return inputRequired({ inputRequests: { user_name: ask("What is your name?", "name") } });
      },
    },
    {
      name: "test_streaming_elicitation",
      description: "Asks for a name",
      run: () => inputRequired({ inputRequests: { user_name: ask("What is your name?", "name") } }),
    },
    {
      name: "test_input_required_result_sampling",
      description: "Asks a model",
      run(_given, { mcpReq }) {
        const answer = inputResponse(mcpReq.inputResponses, "capital_question");
        if (answer.kind === "sampling") return text(JSON.stringify(answer.result.content));
        return inputRequired({
          inputRequests: { capital_question: question("What is the capital of France?", 100) },
        });
      },
    },
    {
      name: "test_input_required_result_list_roots",
      description: "Asks for the roots",
      run(_given, { mcpReq }) {
        const answer = inputResponse(mcpReq.inputResponses, "client_roots");
        if (answer.kind === "roots") return text(answer.roots.map(({ uri }) => uri).join("\n"));
        return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
      },
    },
    withState("test_input_required_result_request_state"),
    withState("test_input_required_result_tampered_state"),
    {
      name: "test_input_required_result_multiple_inputs",
      description: "Asks for three things at once",
      async run(_given, { mcpReq }) {
        const requests: InputRequests = {
          user_name: ask("What is your name?", "name"),
          greeting: question("Generate a greeting", 50),
          client_roots: inputRequired.listRoots(),
        };
        const isComplete = Object.keys(requests).every(
          (key) => inputResponse(mcpReq.inputResponses, key).kind !== "missing",
        );
        if (isComplete) return text("All three answers arrived.");
        return inputRequired({ inputRequests: requests, requestState: await mint({ round: 1 }) });
      },
    },
    {
      name: "test_input_required_result_multi_round",
      description: "Asks twice",
      async run(_given, { mcpReq }) {
        const round = mcpReq.requestState<RoundState>()?.round ?? 0;
        if (round === 2 && acceptedContent(mcpReq.inputResponses, "step2") !== undefined)
          return text("Both steps done.");
        const isSecond = round === 1 && acceptedContent(mcpReq.inputResponses, "step1") !== undefined;
        const inputRequests: InputRequests = isSecond
          ? { step2: ask("Step 2: What is your favorite color?", "color") }
          : { step1: ask("Step 1: What is your name?", "name") };
        return inputRequired({ inputRequests, requestState: await mint({ round: isSecond ? 2 : 1 }) });
      },
    },
    {
      name: "test_input_required_result_capabilities",
      description: "Asks what the client can answer",
      run(_given, context) {
        const { sampling, elicitation } = capabilitiesOf(context);
        const inputRequests: InputRequests = {
          ...(sampling !== undefined && { greeting: question("Generate a greeting", 50) }),
          ...(elicitation !== undefined && { user_name: ask("What is your name?", "name") }),
        };
        return Object.keys(inputRequests).length === 0
          ? text("Nothing can be asked.")
          : inputRequired({ inputRequests });
      },
    },
  ];
}
