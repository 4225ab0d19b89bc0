/** The newest bytes that a terminal wrote, found by how many were written before them. */

export interface OutputRing {
  append(bytes: Uint8Array): void;
  /** How many bytes were ever written. */
  end(): number;
  /** The cursor of the oldest byte that is still there. */
  oldest(): number;
  /** A copy of what lies from the cursor on, in one piece; empty at the end. The cursor must still be there. */
  read(cursor: number, bytesMax: number): Uint8Array;
}

export function createOutputRing(capacityBytes: number): OutputRing {
  // The system gives memory of zeros only when it is written to, so a quiet terminal costs nothing.
  const ring = Buffer.alloc(capacityBytes);
  let end = 0;
  const oldest = () => Math.max(0, end - capacityBytes);
  return {
    append(bytes) {
      const kept = bytes.subarray(Math.max(0, bytes.length - capacityBytes));
      const start = (end + bytes.length - kept.length) % capacityBytes;
      const head = kept.subarray(0, capacityBytes - start);
      ring.set(head, start);
      ring.set(kept.subarray(head.length), 0);
      end += bytes.length;
    },
    end: () => end,
    oldest,
    read(cursor, bytesMax) {
      if (cursor < oldest() || cursor > end) throw new Error(`the ring has no cursor ${cursor}`);
      const start = cursor % capacityBytes;
      const length = Math.min(bytesMax, end - cursor, capacityBytes - start);
      // A new array and no view: what is being sent must not change when the ring comes round.
      return Uint8Array.prototype.slice.call(ring, start, start + length);
    },
  };
}
