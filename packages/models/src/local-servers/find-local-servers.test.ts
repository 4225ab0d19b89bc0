import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createModels } from "../create-models.ts";
import { findLocalServers } from "./find-local-servers.ts";

type Answer = unknown | ((body: string) => unknown);

const servers: Server[] = [];
const { signal } = new AbortController();

/** A server that answers each path with the JSON of its value, and everything else with 404. */
async function serve(answers: { readonly [path: string]: Answer }): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      asked.push(`${request.method} ${request.url}`);
      const answer = answers[request.url ?? ""];
      const value: unknown = typeof answer === "function" ? answer(body) : answer;
      response.writeHead(value === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(value ?? { error: "not found" }));
    });
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { port: (server.address() as AddressInfo).port, asked };
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((closed) => server.close(closed))));
});

/** As documented for GET /api/tags and POST /api/show of Ollama. */
const ollama = {
  "/api/tags": {
    models: [
      { name: "qwen3-coder:30b", model: "qwen3-coder:30b", size: 18_556_701_140, details: { family: "qwen3moe" } },
      { name: "llama3.2:3b", model: "llama3.2:3b", size: 2_019_393_189, details: { family: "llama" } },
    ],
  },
  "/api/show": (body: string) =>
    JSON.parse(body).model === "llama3.2:3b"
      ? {
          parameters: 'num_ctx                        8192\nstop                           "<|eot_id|>"',
          model_info: { "general.architecture": "llama", "llama.context_length": 131_072 },
        }
      : { parameters: "", model_info: { "general.architecture": "qwen3moe", "qwen3moe.context_length": 262_144 } },
};

test("each kind of server is found with its models and their context", async () => {
  const ports = {
    ollama: (await serve(ollama)).port,
    // As documented for GET /api/v0/models of LM Studio.
    lmstudio: (
      await serve({
        "/api/v0/models": {
          object: "list",
          data: [
            { id: "qwen2-vl-7b", object: "model", type: "vlm", state: "not-loaded", max_context_length: 32_768 },
            { id: "loaded", type: "llm", state: "loaded", max_context_length: 131_072, loaded_context_length: 4_096 },
            { id: "text-embedding-nomic", type: "embeddings", state: "not-loaded", max_context_length: 2_048 },
          ],
        },
      })
    ).port,
    // As documented for GET /props and GET /v1/models of llama.cpp's server.
    llamacpp: (
      await serve({
        "/props": { default_generation_settings: { id: 0, n_ctx: 16_384 }, total_slots: 1, model_path: "model.gguf" },
        "/v1/models": { object: "list", data: [{ id: "model.gguf", object: "model", meta: { n_ctx_train: 131_072 } }] },
      })
    ).port,
    // As documented for GET /v1/models of vLLM.
    vllm: (
      await serve({
        "/v1/models": { object: "list", data: [{ id: "Qwen/Qwen3-8B", object: "model", max_model_len: 40_960 }] },
      })
    ).port,
  };
  expect(await findLocalServers({ signal, ports })).toEqual([
    {
      provider: "ollama",
      baseURL: `http://127.0.0.1:${ports.ollama}/v1`,
      models: [
        { id: "qwen3-coder:30b", contextTokens: 262_144 },
        { id: "llama3.2:3b", contextTokens: 8_192 },
      ],
    },
    {
      provider: "lmstudio",
      baseURL: `http://127.0.0.1:${ports.lmstudio}/v1`,
      models: [
        { id: "qwen2-vl-7b", contextTokens: 32_768 },
        { id: "loaded", contextTokens: 4_096 },
      ],
    },
    {
      provider: "llamacpp",
      baseURL: `http://127.0.0.1:${ports.llamacpp}/v1`,
      models: [{ id: "model.gguf", contextTokens: 16_384 }],
    },
    {
      provider: "vllm",
      baseURL: `http://127.0.0.1:${ports.vllm}/v1`,
      models: [{ id: "Qwen/Qwen3-8B", contextTokens: 40_960 }],
    },
  ]);
});

test("whatever else listens there, or does not answer, is left out", async () => {
  const other = await serve({ "/": "hello" });
  const { port: silent } = await serve({});
  servers.at(-1)?.removeAllListeners("request");
  const ports = { ollama: other.port, lmstudio: other.port, llamacpp: silent, vllm: 9 };
  expect(await findLocalServers({ signal, ports })).toEqual([]);
  servers.at(-1)?.closeAllConnections();
});

test("a model of a local server has the context that its server gives it, asked for once", async () => {
  const { port, asked } = await serve(ollama);
  const models = createModels({ ollama: { baseURL: `http://127.0.0.1:${port}/v1` } });
  const expected = { ok: true, model: { contextTokens: 8_192, prices: { input: 0, output: 0 } } };
  expect(await models.find("ollama/llama3.2:3b")).toMatchObject(expected);
  expect(await models.find("ollama/llama3.2:3b")).toMatchObject(expected);
  expect(asked).toEqual(["POST /api/show"]);
});

test("a context that the user chose is not asked for", async () => {
  const { port, asked } = await serve(ollama);
  const ollamaSetting = { baseURL: `http://127.0.0.1:${port}/v1`, models: { "llama3.2:3b": { context: 5_000 } } };
  const found = await createModels({ ollama: ollamaSetting }).find("ollama/llama3.2:3b");
  expect(found).toMatchObject({ ok: true, model: { contextTokens: 5_000 } });
  expect(asked).toEqual([]);
});
