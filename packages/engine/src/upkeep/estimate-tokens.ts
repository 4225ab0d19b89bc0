/** How many tokens something probably has, without asking anybody: rather too many than too few. */
import {
  type AssistantBlock,
  type CallResult,
  type ConversationItem,
  imageSizeOf,
  type Media,
  type QueuedPrompt,
} from "@kedge/protocol";

const charactersPerToken = 4;

/** A document, or a picture that does not tell its size: the length of its base64 text says nothing about its tokens. */
const tokensPerMedium = 2_000;

/** An undercount costs a whole failed call, an overcount only a compaction that comes a little early. */
const padding = 4 / 3;

/** What all results of one answer are shown of together, however long they are. */
const resultsCharactersMax = 200_000;

/** Of one item of the conversation, of a text, or of so many characters, padded. */
export function estimateTokens(what: ConversationItem | string | number): number {
  if (typeof what === "number") return padTokens(what / charactersPerToken);
  return padTokens(typeof what === "string" ? tokensOfText(what) : tokensOfItem(what));
}

export function padTokens(tokens: number): number {
  return Math.ceil(tokens * padding);
}

export function unpadTokens(tokens: number): number {
  return Math.floor(tokens / padding);
}

/** Not padded: for what is freed or protected, where too many would be the wrong side. */
export function tokensOfText(text: string): number {
  return text.length / charactersPerToken;
}

/** Not padded. */
export function tokensOfItem(item: ConversationItem): number {
  switch (item.type) {
    case "prompt":
      return tokensOfPrompt(item);
    case "reminder":
    case "record":
      return tokensOfText(item.text);
    case "answer": {
      let characters = 0;
      for (const block of item.content) characters += charactersOf(block);
      return characters / charactersPerToken;
    }
    case "results":
      return tokensOfResults(item.results);
    case "report": {
      let tokens = tokensOfText(item.report);
      for (const prompt of item.said) tokens += tokensOfPrompt(prompt);
      for (const { path } of item.files) tokens += tokensOfText(path);
      return tokens;
    }
    case "compaction": {
      // One of the two is shown, and which one depends on the model.
      const standing = Math.max(tokensOfText(item.summary), item.vendorHistory?.tokens ?? 0);
      let tokens = standing + tokensOfMedia(item.frames);
      for (const text of item.restored) tokens += tokensOfText(text);
      return tokens;
    }
  }
}

/** Not padded. */
export function tokensOfPrompt({ text, attachments }: Pick<QueuedPrompt, "text" | "attachments">): number {
  return tokensOfText(text) + tokensOfMedia(attachments);
}

/** What the model sees of a result by itself, not padded. */
export function tokensOfResult({ cleared, output, media }: CallResult): number {
  return tokensOfText(cleared ?? output) + tokensOfMedia(media);
}

/** How many tokens all results of one answer together have beyond what is shown of them. */
export function hiddenTokens(results: readonly CallResult[]): number {
  let characters = 0;
  for (const { cleared, output } of results) characters += (cleared ?? output).length;
  return Math.max(0, characters - resultsCharactersMax) / charactersPerToken;
}

function tokensOfResults(results: readonly CallResult[]): number {
  let characters = 0;
  let media = 0;
  for (const result of results) {
    characters += (result.cleared ?? result.output).length;
    media += tokensOfMedia(result.media);
  }
  return Math.min(characters, resultsCharactersMax) / charactersPerToken + media;
}

function tokensOfMedia(media: readonly Media[] | undefined): number {
  return media === undefined ? 0 : media.reduce((sum, medium) => sum + tokensOfMedium(medium), 0);
}

/** As most vendors count, whatever the model: a token for each square, after a large picture was shrunk. */
const squarePx = 28;
const edgePxMax = 1_792;

function tokensOfMedium({ base64 }: Media): number {
  // Only the places that are looked at are decoded: pictures are large, and this is asked for again and again.
  const size = imageSizeOf((start, length) => decodedPart(base64, start, length));
  return size === undefined ? tokensPerMedium : tokensOfPicture(size);
}

function tokensOfPicture({ width, height }: { readonly width: number; readonly height: number }): number {
  const scale = Math.min(1, edgePxMax / Math.max(width, height));
  return Math.ceil((width * scale) / squarePx) * Math.ceil((height * scale) / squarePx);
}

/** Four characters stand for three bytes, wherever in the text. */
function decodedPart(base64: string, start: number, length: number): Uint8Array {
  const from = Math.floor(start / 3);
  const part = Buffer.from(base64.slice(from * 4, Math.ceil((start + length) / 3) * 4), "base64");
  return part.subarray(start - from * 3, start - from * 3 + length);
}

/**
 * Signatures, hidden reasoning and blocks of the vendor are not counted by length: it says nothing about their tokens,
 * and would have the conversation shortened long before it is full. They count once the vendor has reported them.
 */
function charactersOf(block: AssistantBlock): number {
  switch (block.type) {
    case "text":
    case "reasoning":
      return block.text.length;
    case "tool-call":
      return block.tool.length + block.inputText.length;
    case "vendor":
      return 0;
  }
}
