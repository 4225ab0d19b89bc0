/** What a frame costs in tokens and how many a request may carry, by the rules of the API that bills the request. */
import type { FrameModel } from "./shape.ts";

type TokenRule =
  /** A token for each square of so many pixels, after the picture was shrunk to fit both limits. */
  | {
      readonly kind: "patches";
      readonly patchPx: number;
      readonly edgePxMax: number;
      readonly patchesMax: number;
      readonly factor: number;
    }
  /** Shrunk to fit a square and then to a short side, and paid by the tiles that are touched. */
  | { readonly kind: "tiles"; readonly base: number; readonly perTile: number }
  /** Not shrunk; paid by tiles of 768 pixels. */
  | { readonly kind: "large-tiles"; readonly perTile: number }
  | { readonly kind: "flat"; readonly tokens: number };

type Row = { readonly fits: (model: FrameModel) => boolean; readonly rule: TokenRule };

const id = (pattern: RegExp) => (model: FrameModel) => pattern.test(model.id.toLowerCase());
const patches = (patchPx: number, edgePxMax: number, patchesMax: number, factor = 1): TokenRule => ({
  kind: "patches",
  patchPx,
  edgePxMax,
  patchesMax,
  factor,
});

/** Anthropic's "Vision" guide: squares of 28 px, 1,568 px and 1,568 tokens; high-resolution lines 2,576 px and 4,784. */
const claudeHigh = patches(28, 2_576, 4_784);
const claude = patches(28, 1_568, 1_568);

/**
 * OpenAI's "Images and vision" guide: squares of 32 px; with `detail: "original"` 10,000 of them and 6,000 px, which only
 * newer models take; older ones 1,536 squares with a factor, or tiles of 512 px.
 */
const openaiRows: readonly Row[] = [
  { fits: id(/gpt-5\.4-mini|gpt-5-mini|gpt-4\.1-mini|gpt-5(\.1)?-codex-mini/), rule: patches(32, 2_048, 1_536, 1.62) },
  { fits: id(/gpt-5\.4-nano|gpt-5-nano|gpt-4\.1-nano/), rule: patches(32, 2_048, 1_536, 2.46) },
  { fits: id(/o4-mini/), rule: patches(32, 2_048, 1_536, 1.72) },
  { fits: id(/gpt-5\.[23]/), rule: patches(32, 2_048, 1_536) },
  { fits: id(/gpt-4o-mini/), rule: { kind: "tiles", base: 2_833, perTile: 5_667 } },
  { fits: id(/gpt-4/), rule: { kind: "tiles", base: 85, perTile: 170 } },
  { fits: id(/\bo[13]\b/), rule: { kind: "tiles", base: 75, perTile: 150 } },
  { fits: id(/gpt-5($|\.1|-)/), rule: { kind: "tiles", base: 70, perTile: 140 } },
];
const openaiOriginal = patches(32, 6_000, 10_000);

/** Google's "Media resolution" guide: 1,120 for a picture at the default resolution; before Gemini 3, 258 for a tile. */
const geminiOld: TokenRule = { kind: "large-tiles", perTile: 258 };
const gemini: TokenRule = { kind: "flat", tokens: 1_120 };

/** Kimi and GLM merge two by two squares of 14 px, up to 1,792 px on each side (their published preprocessors). */
const mergedPatches = patches(28, 1_792, 4_096);

/** Whoever is not known to be one of the older lines is taken for one that reads more and costs more. */
const high = /opus-4[-.][78]|claude-[a-z]+-[5-9]/;

const rows: readonly Row[] = [
  { fits: (model) => isClaude(model) && high.test(model.id.toLowerCase()), rule: claudeHigh },
  { fits: (model) => isClaude(model), rule: claude },
  { fits: (model) => isGemini(model) && /gemini-[12]/.test(model.id.toLowerCase()), rule: geminiOld },
  { fits: (model) => isGemini(model), rule: gemini },
  { fits: id(/kimi|glm-/), rule: mergedPatches },
  ...openaiRows,
  { fits: (model) => model.wire === "openai-responses" || model.provider === "openai", rule: openaiOriginal },
  { fits: id(/gpt-/), rule: openaiOriginal },
];

/** The wire says who bills; on a wire that many vendors speak, the model's name does. */
function isClaude({ id: name, wire }: FrameModel): boolean {
  return wire === "anthropic" || (wire !== "google" && name.toLowerCase().includes("claude"));
}

function isGemini({ id: name, wire }: FrameModel): boolean {
  return wire === "google" || name.toLowerCase().includes("gemini");
}

export type FrameSize = { readonly width: number; readonly height: number };

/** Whatever shape was printed. An unknown API is taken for the dearest of the usual ones. */
export function frameTokens(frame: FrameSize, model: FrameModel): number {
  const rule = rows.find(({ fits }) => fits(model))?.rule ?? mergedPatches;
  switch (rule.kind) {
    case "patches":
      return Math.ceil(patchesOf(frame, rule) * rule.factor);
    case "tiles":
      return rule.base + rule.perTile * tilesOf(shrunkForTiles(frame), 512);
    case "large-tiles":
      return rule.perTile * tilesOf(frame, 768);
    case "flat":
      return rule.tokens;
  }
}

function patchesOf(
  { width, height }: FrameSize,
  { patchPx, edgePxMax, patchesMax }: Extract<TokenRule, { kind: "patches" }>,
): number {
  const scale = Math.min(1, edgePxMax / Math.max(width, height));
  return Math.min(patchesMax, tilesOf({ width: width * scale, height: height * scale }, patchPx));
}

function tilesOf({ width, height }: FrameSize, sidePx: number): number {
  return Math.ceil(width / sidePx) * Math.ceil(height / sidePx);
}

function shrunkForTiles({ width, height }: FrameSize): FrameSize {
  const square = Math.min(1, 2_048 / Math.max(width, height));
  const side = Math.min(1, 768 / (Math.min(width, height) * square));
  return { width: Math.floor(width * square * side), height: Math.floor(height * square * side) };
}

/** No archive has more frames, whatever a request may carry. */
const archiveFramesMax = 8;
const unknownFramesMax = 5;

/** Pictures in one request: Anthropic 100, OpenAI 500, Google 3,600, Bedrock 20 by their guides. */
const requestPicturesMax: { readonly [provider: string]: number } = {
  anthropic: 100,
  openai: 500,
  google: 3_600,
  "amazon-bedrock": 20,
};

export function framesMaxFor({ provider, wire }: FrameModel): number {
  const known = requestPicturesMax[provider] ?? (wire === undefined ? undefined : requestPicturesMax[wire]);
  return known === undefined ? unknownFramesMax : Math.min(archiveFramesMax, known);
}
