/** The ids of the calls of one answer, each of them once: facts and results name a call by its step and its id. */

export interface AnswerCallIds {
  /** The id of a call whose input still streams. */
  arriving(vendorId: string): string;
  /** The id of a call that is whole; the next one with the same word is another call. */
  arrived(vendorId: string): string;
}

export function createAnswerCallIds(): AnswerCallIds {
  const used = new Set<string>();

  function arriving(vendorId: string): string {
    let id = vendorId;
    for (let count = 2; used.has(id); count += 1) id = `${vendorId}-${count}`;
    return id;
  }

  return {
    arriving,
    arrived(vendorId) {
      const id = arriving(vendorId);
      used.add(id);
      return id;
    },
  };
}
