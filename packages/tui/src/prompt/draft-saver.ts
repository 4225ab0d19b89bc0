/** Keeps a copy of the unsent text: soon after each change, and not more often than the limit. */

export type DraftSaver = {
  touch(): void;
  /** What waits is saved at once. */
  flush(): void;
  /** Says that there is no draft any more. */
  drop(): void;
};

const saveEveryMs = 300;

export function createDraftSaver<Draft>(
  save: (draft: Draft | undefined) => void,
  read: () => Draft | undefined,
): DraftSaver {
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    save(read());
  }

  return {
    touch() {
      timer ??= setTimeout(flush, saveEveryMs).unref();
    },
    flush,
    drop() {
      clearTimeout(timer);
      timer = undefined;
      save(undefined);
    },
  };
}
