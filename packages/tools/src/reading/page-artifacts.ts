/** Keeps the whole text of long web pages as artifacts, one for each page however often parts of it are read. */
import type { FencedText, ToolContext } from "@kedge/protocol";
import { hashContent } from "../file-content.ts";
import { wrapUntrusted } from "../web/untrusted-text.ts";

export interface PageArtifacts {
  /** The number of the artifact that holds this text of the page. */
  keep(url: string, page: FencedText, context: ToolContext): number;
}

type Entry = { readonly contentHash: string; readonly number: number };

const entriesMax = 100;

export function createPageArtifacts(): PageArtifacts {
  const entries = new Map<string, Entry>();

  return {
    keep(url, page, { artifacts }) {
      const contentHash = hashContent(page.text);
      const entry = entries.get(url);
      if (entry?.contentHash === contentHash) return entry.number;
      const artifact = artifacts.create("read");
      // Whoever reads the file must know as well whose words it holds.
      artifact.write(wrapUntrusted({ source: url, ...page }));
      artifact.close();
      entries.delete(url);
      entries.set(url, { contentHash, number: artifact.number });
      for (const oldest of entries.keys()) {
        if (entries.size <= entriesMax) break;
        entries.delete(oldest);
      }
      return artifact.number;
    },
  };
}
