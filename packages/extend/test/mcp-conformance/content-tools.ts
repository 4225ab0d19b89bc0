/** Tools of the conformance server that show kinds of content, progress, logs and questions of the older protocol. */
import { MissingRequiredClientCapabilityError } from "@modelcontextprotocol/server";
import { capabilitiesOf } from "../../src/mcp/serve/tasks.ts";
import { type FixtureTool, picture, sound, text, wait } from "./fixture-tool.ts";

const embedded = {
  type: "resource" as const,
  resource: {
    uri: "test://embedded-resource",
    mimeType: "text/plain",
    text: "This is an embedded resource content.",
  },
};

const mixed = {
  uri: "test://mixed-content-resource",
  mimeType: "application/json",
  text: JSON.stringify({ test: "data", value: 123 }),
};

const image = { type: "image" as const, data: picture, mimeType: "image/png" };

const options = ["option1", "option2", "option3"];
const titled = (words: readonly string[]) =>
  words.map((title, index) => ({ const: `value${index + 1}`, title: `${title} Option` }));

export function contentTools(onChange: (kind: "tools" | "prompts") => void): readonly FixtureTool[] {
  return [
    {
      name: "test_simple_text",
      description: "Returns a text",
      run: () => text("This is a simple text response for testing."),
    },
    { name: "test_image_content", description: "Returns a picture", run: () => ({ content: [image] }) },
    {
      name: "test_audio_content",
      description: "Returns a sound",
      run: () => ({ content: [{ type: "audio", data: sound, mimeType: "audio/wav" }] }),
    },
    { name: "test_embedded_resource", description: "Returns a resource", run: () => ({ content: [embedded] }) },
    {
      name: "test_multiple_content_types",
      description: "Returns a text, a picture and a resource",
      run: () => ({
        content: [{ type: "text", text: "Multiple content types test:" }, image, { type: "resource", resource: mixed }],
      }),
    },
    {
      name: "test_tool_with_logging",
      description: "Writes to the log while it runs",
      async run(_given, { mcpReq }) {
        await mcpReq.log("info", "Tool execution started");
        await wait(50);
        await mcpReq.log("info", "Tool processing data");
        await wait(50);
        await mcpReq.log("info", "Tool execution completed");
        return text("Tool with logging executed successfully");
      },
    },
    {
      name: "test_logging_tool",
      description: "Writes to the log, if the request wants to hear of it",
      async run(_given, { mcpReq }) {
        await mcpReq.log("info", "A line of the log");
        return text("logged");
      },
    },
    {
      name: "test_tool_with_progress",
      description: "Reports how far it is",
      async run(_given, { mcpReq }) {
        const progressToken = mcpReq._meta?.progressToken;
        for (const progress of [0, 50, 100]) {
          if (progressToken !== undefined)
            await mcpReq.notify({
              method: "notifications/progress",
              params: { progressToken, progress, total: 100, message: `${progress} of 100` },
            });
          await wait(50);
        }
        return text("Tool with progress executed successfully");
      },
    },
    {
      name: "test_error_handling",
      description: "Fails",
      run() {
        throw new Error("This tool intentionally returns an error for testing");
      },
    },
    {
      name: "test_missing_capability",
      description: "Needs a client that samples",
      run(_given, context) {
        if (capabilitiesOf(context).sampling === undefined)
          throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
        return text("The client samples.");
      },
    },
    {
      name: "test_trigger_tool_change",
      description: "Changes the list of tools",
      run() {
        onChange("tools");
        return text("changed");
      },
    },
    {
      name: "test_trigger_prompt_change",
      description: "Changes the list of prompts",
      run() {
        onChange("prompts");
        return text("changed");
      },
    },
    ...questionTools,
  ];
}

/** They send their questions as requests, as the older protocol does. */
const questionTools: readonly FixtureTool[] = [
  {
    name: "test_sampling",
    description: "Has the client ask its model",
    properties: { prompt: { type: "string" } },
    async run({ prompt }, { mcpReq }) {
      const answer = await mcpReq.requestSampling({
        messages: [{ role: "user", content: { type: "text", text: String(prompt) } }],
        maxTokens: 100,
      });
      const content = Array.isArray(answer.content) ? answer.content[0] : answer.content;
      return text(`LLM response: ${content?.type === "text" ? content.text : ""}`);
    },
  },
  {
    name: "test_elicitation",
    description: "Asks the user",
    properties: { message: { type: "string" } },
    async run({ message }, { mcpReq }) {
      const { action, content } = await mcpReq.elicitInput({
        message: String(message),
        requestedSchema: {
          type: "object",
          properties: {
            username: { type: "string", description: "User's response" },
            email: { type: "string", description: "User's email address" },
          },
          required: ["username", "email"],
        },
      });
      return text(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`);
    },
  },
  {
    name: "test_elicitation_sep1034_defaults",
    description: "Asks the user, with suggestions",
    async run(_given, { mcpReq }) {
      const { action, content } = await mcpReq.elicitInput({
        message: "Please review the suggestions",
        requestedSchema: {
          type: "object",
          properties: {
            name: { type: "string", default: "John Doe" },
            age: { type: "integer", default: 30 },
            score: { type: "number", default: 95.5 },
            status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
            verified: { type: "boolean", default: true },
          },
        },
      });
      return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
    },
  },
  {
    name: "test_elicitation_sep1330_enums",
    description: "Asks the user to choose",
    async run(_given, { mcpReq }) {
      const { action, content } = await mcpReq.elicitInput({
        message: "Please choose",
        requestedSchema: {
          type: "object",
          properties: {
            untitledSingle: { type: "string", enum: options },
            titledSingle: { type: "string", oneOf: titled(["First", "Second", "Third"]) },
            legacyEnum: {
              type: "string",
              enum: ["opt1", "opt2", "opt3"],
              enumNames: ["Option One", "Option Two", "Option Three"],
            },
            untitledMulti: { type: "array", items: { type: "string", enum: options } },
            titledMulti: { type: "array", items: { anyOf: titled(["First", "Second", "Third"]) } },
          },
        },
      });
      return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
    },
  },
];
