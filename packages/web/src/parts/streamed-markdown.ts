/** Markdown that is being written: drawn once per frame, and of it only the blocks that are not finished. */
import type { Block } from "@kedge/tui/drawing";
import { Component, h, type JSX } from "preact";
import { useRef } from "preact/hooks";
import { useFramed } from "./framed.ts";
import type { Look } from "./look.ts";
import { MarkdownBlock } from "./markdown.ts";
import { createMarkdownFeed, type MarkdownFeed } from "./markdown-feed.ts";

export type StreamedMarkdownProps = {
  readonly text: string;
  readonly isWhole: boolean;
  readonly look: Look;
  /** Another number once more colours of code are there. */
  readonly colours: number;
};

export function StreamedMarkdown({ text, isWhole, look, colours }: StreamedMarkdownProps): JSX.Element {
  const feed = useRef<MarkdownFeed | undefined>(undefined);
  feed.current ??= createMarkdownFeed();
  const shown = useFramed(text, { isLast: isWhole });
  feed.current.take(shown, { isWhole });
  const { finished, open } = feed.current;
  const blocks = isWhole ? finished : [...finished, ...open];
  const drawn: JSX.Element[] = [];
  for (let at = 0; at < blocks.length; at += groupSize)
    drawn.push(h(SteadyGroup, { key: at, blocks: blocks.slice(at, at + groupSize), look, colours }));
  return h("div", { class: "markdown", dir: "auto" }, drawn);
}

/** With every frame only as many are compared one by one as there are in the last group: a long answer has thousands. */
const groupSize = 64;

type GroupProps = { readonly blocks: readonly Block[]; readonly look: Look; readonly colours: number };

class SteadyGroup extends Component<GroupProps> {
  override shouldComponentUpdate({ blocks, look, colours }: GroupProps): boolean {
    const { props: before } = this;
    const isSame = blocks.length === before.blocks.length && blocks.every((block, at) => block === before.blocks[at]);
    return !isSame || look !== before.look || colours !== before.colours;
  }

  override render({ blocks, look, colours }: GroupProps): readonly JSX.Element[] {
    return blocks.map((block, index) => h(SteadyBlock, { key: index, block, look, colours }));
  }
}

type SteadyProps = { readonly block: Block; readonly look: Look; readonly colours: number };

/** A finished block stays the same object, so it is drawn once, and once more when its colours come. */
class SteadyBlock extends Component<SteadyProps> {
  override shouldComponentUpdate({ block, look, colours }: SteadyProps): boolean {
    return block !== this.props.block || look !== this.props.look || colours !== this.props.colours;
  }

  override render({ block, look }: SteadyProps): JSX.Element {
    return h(MarkdownBlock, { block, look });
  }
}
