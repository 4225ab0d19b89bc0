/** The ids of frames: with the last one that it saw, a client goes on where its stream was cut. */

export type StreamPlace = {
  /** Of the newest fact that was sent. */
  readonly position: number;
  /** Of the newest signal or view event that was sent; counts from 1 in every life of a hub. */
  readonly number: number;
};

export function frameIdOf({ position, number }: StreamPlace, life: string): string {
  return `${position}-${life}-${number}`;
}

/** Undefined for what no hub ever wrote. */
export function parseFrameId(id: string): (StreamPlace & { readonly life: string }) | undefined {
  const [, position, life, number] = /^(\d{1,15})-(.+)-(\d{1,15})$/.exec(id) ?? [];
  if (position === undefined || life === undefined || number === undefined) return undefined;
  return { position: Number(position), life, number: Number(number) };
}
