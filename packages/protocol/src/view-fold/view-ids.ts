/** The ids of messages and parts: made from the ids of what they show, so that every fold gives the same ones. */

const orderDigits = 5;

/** Sorts behind every other part of its message. */
export const lastOrder = 10 ** orderDigits - 1;

/** A prompt, a step, a record and a compaction each have a message with the same tail as their own id. */
export function messageIdOf(id: string): string {
  return `msg_${tailOf(id)}`;
}

/** The answer that stands for older messages; its question has the id of the compaction. */
export function summaryIdOf(compactionId: string): string {
  return `${messageIdOf(compactionId)}.summary`;
}

/** What the model brought back to its checkpoint with this step. */
export function reportIdOf(stepId: string): string {
  return `${messageIdOf(stepId)}.report`;
}

/** The order of parts is the order of their ids. */
export function partIdOf(messageId: string, order: number): string {
  return `prt_${tailOf(messageId)}.${String(order).padStart(orderDigits, "0")}`;
}

function tailOf(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}
