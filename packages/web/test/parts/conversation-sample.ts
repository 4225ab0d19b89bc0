/** A conversation with every kind of part in it, for looks and accessibility. */
import type { MessageView } from "@kedge/protocol";
import { callOf, messageOf } from "./message-samples.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const diff = `--- a/src/cart.ts
+++ b/src/cart.ts
@@ -10,7 +10,8 @@ export class Cart {
   items: Item[] = [];
 
   total(): number {
-    return this.items.reduce((sum, item) => sum + item.price, 0);
+    const sum = this.items.reduce((sum, item) => sum + item.price * item.count, 0);
+    return Math.round(sum * 100) / 100;
   }
 
   add(item: Item): void {
`;

const answer = `The total ignored the **count** of each item. I changed \`src/cart.ts:12\` and ran the tests.

### What changed

1. \`total()\` multiplies by \`count\`.
2. It rounds to cents, see [the guide](https://developer.example.com/money).

| case | before | after |
|---|---:|---:|
| one item | 4.50 | 4.50 |
| three items | 4.50 | 13.50 |

\`\`\`ts
// Adds up prices in cents.
export function total(items: readonly Item[]): number {
  return items.reduce((sum, { price, count }) => sum + price * count, 0);
}
\`\`\`

> Prices are stored with two digits.

- [x] Fix the total
- [ ] Show the currency
`;

const usage = { input: 12_480, output: 860, reasoning: 0, cacheRead: 48_200, cacheWrite: 0 };
const todos = [
  { content: "Find the wrong total", status: "completed" },
  { content: "Fix it and run the tests", status: "in_progress" },
  { content: "Show the currency", status: "pending" },
  { content: "Rewrite the cart", status: "cancelled" },
];
const testOutput = `\u001b[1m\u001b[32m✓\u001b[0m cart totals \u001b[2m(3 tests)\u001b[0m
\u001b[31m✕ currency is shown\u001b[0m
  expected "€" to be in "4.50"
Tests: \u001b[31m1 failed\u001b[0m, \u001b[32m3 passed\u001b[0m`;

export const conversation: readonly MessageView[] = [
  messageOf(
    [
      { type: "text", text: "The total in the cart is wrong for more than one item. Fix it, please." },
      { type: "file", media: { name: "cart.png", mediaType: "image/png", base64: pixel } },
    ],
    { role: "user" },
  ),
  messageOf(
    [
      { type: "reasoning", text: "The cart sums the prices.\nIt does not look at the count." },
      callOf(
        "read",
        { filePath: "src/cart.ts" },
        { title: "src/cart.ts", output: "1: x", metadata: { totalLines: 84 } },
      ),
      callOf(
        "grep",
        { pattern: "total" },
        { output: "src/cart.ts\n  12: total()\nsrc/page.ts\n  4: total", metadata: { count: 2, fileCount: 2 } },
      ),
      callOf("todo_write", { todos }),
      callOf(
        "edit",
        { filePath: "src/cart.ts" },
        { title: "src/cart.ts", metadata: { diff, additions: 2, deletions: 1 } },
      ),
      callOf(
        "bash",
        { command: "npm test -- cart" },
        { output: testOutput, metadata: { exitCode: 1, durationMs: 2_340, stderrRanges: [] } },
      ),
      callOf(
        "webfetch",
        { url: "https://developer.example.com/money" },
        { output: "Money in code.", metadata: { bytes: 18_420 } },
      ),
      callOf(
        "agent",
        { name: "explorer", description: "Find other places that sum prices" },
        { output: "Two places.", metadata: { turns: 4, tokens: 8_200 } },
      ),
      callOf("mcp__tracker__create_issue", { title: "Show the currency" }, { output: "Created #12." }),
      callOf(
        "question",
        { questions: [{ question: "Which currency?", options: [{ label: "Euro" }, { label: "Dollar" }] }] },
        { output: "Which currency?\n-> Euro" },
      ),
      callOf("bash", { command: "rm -rf build" }, { status: "error", error: "The command failed." }),
      callOf(
        "read",
        { filePath: "shot.png" },
        { title: "shot.png", attachments: [{ name: "shot.png", mediaType: "image/png", base64: pixel }] },
      ),
      { type: "text", text: answer },
      {
        type: "patch",
        before: "tree",
        files: [
          { path: "src/cart.ts", status: "modified" },
          { path: "src/money.ts", status: "added" },
        ],
      },
    ],
    { model: "anthropic/claude-sonnet-4-5", usage, cost: { usd: 0.0421, estimated: false } },
  ),
  messageOf(
    [
      {
        type: "compaction",
        trigger: "manual",
        shortSummary: "The total of the cart was fixed.",
        tokensBefore: 61_000,
        tokensAfter: 4_200,
        itemsReplaced: 14,
        boundary: {},
      },
    ],
    { role: "user" },
  ),
  messageOf([{ type: "text", text: "Also show the currency." }], { role: "user", isQueued: true, delivery: "steer" }),
  messageOf([{ type: "retry", retry: { attempt: 1, code: "rate_limit", status: 529, delayMs: 2_000 } }], {
    failure: {
      code: "unknown",
      message: "The provider is overloaded.",
      recovery: "Try again in a minute.",
      retryable: true,
    },
  }),
];
