/** What files may say about conversations, in every form they may say it. */
import { defaultCompaction, unexpectedStopDefaults } from "@kedge/engine";
import { expect, test } from "vitest";
import { conversationSettings, readConversationSettings } from "./conversation-settings.ts";

test("what nobody set has its default", () => {
  expect(readConversationSettings({})).toEqual({
    compaction: defaultCompaction,
    snapcompact: {},
    signsJournal: true,
    titles: {},
    workSummary: { model: "fast" },
    unexpectedStop: unexpectedStopDefaults,
    steeringMode: "all",
    followUpMode: "one-at-a-time",
  });
});

test("everything can be set", () => {
  const settings = {
    compaction: {
      strategy: "off",
      model: "a/b",
      keepRecentTokens: 5,
      idle: { enabled: true },
      remoteEndpoint: "https://sum.example/",
      remoteAllowedHosts: ["sum.example"],
    },
    snapcompact: { shape: "8x8u", framesMax: 3, resultCharactersMax: 100 },
    contextPromotion: { enabled: true, model: "c/d" },
    titles: { model: "e/f" },
    branchSummary: { enabled: true },
    summary: { model: "i/j" },
    unexpectedStop: { detection: "smart", model: "g/h", questions: true },
    steeringMode: "one-at-a-time",
    followUpMode: "all",
  };
  expect(readConversationSettings(settings)).toEqual({
    compaction: {
      ...defaultCompaction,
      strategy: "off",
      keepRecentTokens: 5,
      idle: { ...defaultCompaction.idle, enabled: true },
    },
    compactionModel: "a/b",
    remoteSummary: { endpoint: "https://sum.example/", allowedHosts: ["sum.example"] },
    snapcompact: { shape: "8x8u", framesMax: 3, resultCharactersMax: 100 },
    signsJournal: true,
    promotionModel: "c/d",
    titles: { model: "e/f" },
    branchSummary: { reserveTokens: 16_384 },
    workSummary: { model: "i/j" },
    unexpectedStop: { detection: "smart", model: "g/h", questions: true },
    steeringMode: "one-at-a-time",
    followUpMode: "all",
  });
});

test("other spellings mean the same", () => {
  const { compaction, unexpectedStop, titles, promotionModel } = readConversationSettings({
    compaction: {
      strategy: "context-full",
      idleEnabled: true,
      idleThresholdTokens: 7,
      idleTimeoutSeconds: 60,
    },
    contextPromotion: { model: "c/d" },
    titles: { enabled: false },
    unexpectedStop: "none",
  });
  expect(compaction.strategy).toBe("summary");
  expect(compaction.idle).toEqual({ enabled: true, thresholdTokens: 7, seconds: 60 });
  expect(unexpectedStop).toEqual({ detection: "none", questions: false });
  expect([titles, promotionModel]).toEqual([undefined, undefined]);
});

test.each([
  ["compaction", { strategy: "forget" }, "compaction.strategy"],
  ["compaction", { remoteEndpoint: "http://example.com" }, "compaction.remoteEndpoint"],
  ["compaction", { remoteAllowedHosts: "example.com" }, "compaction.remoteAllowedHosts"],
  ["compaction", { idle: { seconds: 1 } }, "compaction.idle.seconds"],
  ["snapcompact", { shape: "9x9" }, "snapcompact.shape"],
  ["snapcompact", { framesMax: 0 }, "snapcompact.framesMax"],
  ["contextPromotion", { model: "x" }, "contextPromotion.model"],
  ["titles", { enabled: "yes" }, "titles.enabled"],
  ["branchSummary", { reserveTokens: -1 }, "branchSummary.reserveTokens"],
  ["unexpectedStop", "clever", "unexpectedStop"],
  ["unexpectedStop", { detection: "clever" }, "unexpectedStop.detection"],
] as const)("%s %j is refused at %s", (name, value, path) => {
  expect(conversationSettings[name].check(value, name).map((problem) => problem.path)).toEqual([path]);
});
