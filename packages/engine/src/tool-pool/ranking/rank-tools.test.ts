import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { type RankOptions, rankTools } from "./rank-tools.ts";
import { createToolIndex, type IndexedTool } from "./tool-index.ts";

const tool = (name: string, description = "", inputSchema: IndexedTool["inputSchema"] = {}): IndexedTool => ({
  name,
  description,
  inputSchema,
});

const tools: readonly IndexedTool[] = [
  tool("mcp__slack__send_message", "Post to a channel."),
  tool("mcp__slack__list_channels", "All channels of the workspace."),
  tool("mcp__github__create_issue", "Open an issue in a repository."),
  tool("mcp__email__send_email", "Deliver a mail."),
  tool("mcp__files__remove_folder", "Deletes a directory."),
  tool("mcp__files__getFileInfo", "Size and dates of a file."),
  tool("mcp__pictures__resize", "Changes width and height.", {
    type: "object",
    properties: { image: { type: "string", description: "Path of the photo" } },
  }),
  tool("mcp__sky__hui", "查询天气预报"),
  { ...tool("notebook_edit", "Changes one cell."), searchHint: "jupyter ipynb" },
  tool("mcp__shop__list_orders", "Orders of a customer."),
  tool("mcp__shop__cancel_order", "Cancels an order."),
  tool("mcp__hackernews__top", "What a hacker reads: news and comments."),
  tool("mcp__board__new_game", "Starts a new game."),
];

function namesFor(query: string, options: Partial<RankOptions> = {}, from: readonly IndexedTool[] = tools) {
  const index = createToolIndex(from);
  return rankTools(index, query, { countMax: 5, ...options }).map((number) => from[number]?.name);
}

test("the name of a server and the name of a tool count alike, and what has neither is left out", () => {
  const some = tools.slice(0, 4).map(({ name }) => tool(name));
  expect(namesFor("slack send", {}, some)[0]).toBe("mcp__slack__send_message");
  expect(namesFor("slack send", {}, some).slice(1).sort()).toEqual([
    "mcp__email__send_email",
    "mcp__slack__list_channels",
  ]);
});

test.each([
  ["stems", "creating issues", "mcp__github__create_issue"],
  ["parts of names", "file info", "mcp__files__getFileInfo"],
  ["related words", "delete directory", "mcp__files__remove_folder"],
  ["related words of a description", "erase folders", "mcp__files__remove_folder"],
  ["a typing error", "chanels", "mcp__slack__list_channels"],
  ["two letters swapped", "isseu", "mcp__github__create_issue"],
  ["the beginning of a word", "notebo", "notebook_edit"],
  ["the schema", "photo", "mcp__pictures__resize"],
  ["the hint", "jupyter", "notebook_edit"],
  ["the server", "slack", "mcp__slack__list_channels"],
  ["a description in Chinese", "weather forecast", "mcp__sky__hui"],
  ["a question in Chinese", "天气", "mcp__sky__hui"],
  ["what is done", "cancel my order", "mcp__shop__cancel_order"],
  ["a part of a name that is two words", "hacker top", "mcp__hackernews__top"],
  ["news, which are no new things", "get news", "mcp__hackernews__top"],
  ["accents and case", "CRÉATE Issue", "mcp__github__create_issue"],
])("a tool is found by %s: %s", (_, query, name) => {
  expect(namesFor(query)[0]).toBe(name);
});

test("a path says that a file is meant, and an address that the web is; neither is searched for its words", () => {
  const some = [tool("slack_data"), tool("write_file"), tool("open_page", "Opens a web page by its URL.")];
  expect(namesFor("put it into /data/slack/notes", {}, some)[0]).toBe("write_file");
  expect(namesFor("https://slack.example/data", {}, some)[0]).toBe("open_page");
});

test("required words are in every result, and a prefix keeps to one server", () => {
  expect(namesFor("send", { required: ["slack"] })).toEqual(["mcp__slack__send_message", "mcp__slack__list_channels"]);
  expect(namesFor("send", { required: ["nowhere"] })).toEqual([]);
  expect(namesFor("send", { isWanted: (name) => name.startsWith("mcp__email__") })).toEqual(["mcp__email__send_email"]);
});

test("the order of the tools does not matter, and no more are given than were asked for", () => {
  const random = createSeededRandom();
  const query = "send list order file issue";
  const expected = namesFor(query, { countMax: 3 });
  expect(expected).toHaveLength(3);
  for (let round = 0; round < 20; round += 1) {
    expect(namesFor(query, { countMax: 3 }, random.shuffle(tools))).toEqual(expected);
  }
});

test.each([
  ["", []],
  ["the of and", []],
  ["\u0000\ud800 )( [a-z]+ \\", []],
  ["constructor valueOf", []],
])("%j finds nothing and breaks nothing", (query, names) => {
  expect(namesFor(query)).toEqual(names);
});

test("schemas and texts of any form and size are read within limits", () => {
  let deep: object = { type: "string", description: "deepest" };
  for (let level = 0; level < 5_000; level += 1) deep = { type: "object", properties: { inner: deep } };
  const odd = { properties: { a: null, b: 7, c: { enum: "no list", anyOf: {} } }, items: [], anyOf: [null, deep] };
  const some = [
    tool("mcp__a__odd", "odd", odd as unknown as IndexedTool["inputSchema"]),
    tool("mcp__b__deep", "deep", deep as IndexedTool["inputSchema"]),
    tool("mcp__c__long", `${"word ".repeat(200_000)} needle`),
  ];
  expect(namesFor("odd", {}, some)).toEqual(["mcp__a__odd"]);
  expect(namesFor("deepest needle", {}, some)).not.toContain("mcp__c__long");
});
