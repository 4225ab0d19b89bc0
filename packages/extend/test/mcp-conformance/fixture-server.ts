/** The tools, resources and prompts that the scenarios of the conformance suite expect, as a server of the library. */
import { randomBytes, randomUUID } from "node:crypto";
import {
  acceptedContent,
  createRequestStateCodec,
  type GetPromptResult,
  inputRequired,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
} from "@modelcontextprotocol/server";
import { createTasks, tasksExtension } from "../../src/mcp/serve/tasks.ts";
import { contentTools } from "./content-tools.ts";
import { picture, text } from "./fixture-tool.ts";
import { ask, type RoundState, roundTools } from "./round-tools.ts";
import { taskTools } from "./task-tools.ts";

export function createFixtureServer(onChange: (kind: "tools" | "prompts") => void): McpServerFactory {
  const codec = createRequestStateCodec<RoundState>({ key: randomBytes(32) });
  const tasks = createTasks({ now: Date.now, newTaskId: randomUUID });
  const tools = [...contentTools(onChange), ...roundTools(codec), ...taskTools(tasks)];
  return () => {
    const server = new Server(
      { name: "kedge-conformance", version: "1.0.0" },
      {
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: true },
          completions: {},
          logging: {},
          extensions: { [tasksExtension]: {} },
        },
        requestState: { verify: codec.verify },
      },
    );
    server.setRequestHandler("tools/list", () => ({
      tools: tools.map(({ name, description, properties = {} }) => ({
        name,
        description,
        inputSchema: { type: "object" as const, properties: { ...properties } },
      })),
    }));
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const tool = tools.find(({ name }) => name === params.name);
      if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${params.name} is not known.`);
      try {
        return await tool.run(params.arguments ?? {}, context);
      } catch (error) {
        if (error instanceof ProtocolError || !(error instanceof Error)) throw error;
        return { ...text(error.message), isError: true };
      }
    });
    offerResources(server);
    offerPrompts(server);
    server.setRequestHandler("completion/complete", () => ({ completion: { values: ["test"], total: 1 } }));
    tasks.install(server);
    return server;
  };
}

const resources = [
  { uri: "test://static-text", name: "Text", description: "A text", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "Picture", description: "A picture", mimeType: "image/png" },
  { uri: "test://watched-resource", name: "Watched", description: "May change", mimeType: "text/plain" },
];

function offerResources(server: Server): void {
  server.setRequestHandler("resources/list", () => ({ resources }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      {
        uriTemplate: "test://template/{id}/data",
        name: "Template",
        description: "Fills in an id",
        mimeType: "application/json",
      },
    ],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => ({ contents: contentsOf(uri) }));
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
}

function contentsOf(uri: string): ReadResourceResult["contents"] {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id !== undefined) {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return [{ uri, mimeType: "application/json", text: data }];
  }
  if (uri === "test://static-text")
    return [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }];
  if (uri === "test://static-binary") return [{ uri, mimeType: "image/png", blob: picture }];
  if (uri === "test://watched-resource") return [{ uri, mimeType: "text/plain", text: "Watched resource content" }];
  throw new ResourceNotFoundError(uri);
}

const prompts = [
  { name: "test_simple_prompt", description: "A prompt" },
  {
    name: "test_prompt_with_arguments",
    description: "A prompt with arguments",
    arguments: [
      { name: "arg1", description: "First test argument", required: true },
      { name: "arg2", description: "Second test argument", required: true },
    ],
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "A prompt with a resource",
    arguments: [{ name: "resourceUri", description: "The resource", required: true }],
  },
  { name: "test_prompt_with_image", description: "A prompt with a picture" },
  { name: "test_input_required_result_prompt", description: "A prompt that asks" },
];

type Content = GetPromptResult["messages"][number]["content"];

function offerPrompts(server: Server): void {
  server.setRequestHandler("prompts/list", () => ({ prompts }));
  server.setRequestHandler("prompts/get", ({ params }, { mcpReq }) => {
    const given = params.arguments ?? {};
    switch (params.name) {
      case "test_simple_prompt":
        return said({ type: "text", text: "This is a simple prompt for testing." });
      case "test_prompt_with_arguments":
        return said({
          type: "text",
          text: `Prompt with arguments: arg1='${given["arg1"]}', arg2='${given["arg2"]}'`,
        });
      case "test_prompt_with_embedded_resource":
        return said(
          {
            type: "resource",
            resource: {
              uri: given["resourceUri"] ?? "",
              mimeType: "text/plain",
              text: "Embedded resource content for testing.",
            },
          },
          { type: "text", text: "Please process the embedded resource above." },
        );
      case "test_prompt_with_image":
        return said(
          { type: "image", data: picture, mimeType: "image/png" },
          { type: "text", text: "Please analyze the image above." },
        );
      case "test_input_required_result_prompt": {
        const context = acceptedContent(mcpReq.inputResponses, "user_context")?.["context"];
        if (typeof context === "string") return said({ type: "text", text: context });
        return inputRequired({
          inputRequests: { user_context: ask("What context should the prompt use?", "context") },
        });
      }
      default:
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${params.name} is not known.`);
    }
  });
}

function said(...contents: readonly Content[]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: "user", content })) };
}
