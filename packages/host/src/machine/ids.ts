/** Makes ids that are unique across restarts and sort by creation time. */
import { randomUUID } from "node:crypto";

const timeDigits = 9;
const counterDigits = 4;
const counterMax = 36 ** counterDigits - 1;
const randomDigits = 10;

/** `prefix`, milliseconds, a counter within the millisecond, randomness; all in base 36, so text order is time order. */
export function createIds(now: () => number, randomBytes: (size: number) => Buffer): (prefix: string) => string {
  let time = 0;
  let counter = 0;
  return (prefix) => {
    const current = now();
    if (current > time) {
      time = current;
      counter = 0;
    } else if (counter < counterMax) {
      // Also taken when the clock went back: order matters more here than the exact time.
      counter += 1;
    } else {
      time += 1;
      counter = 0;
    }
    return prefix + digits(time, timeDigits) + digits(counter, counterDigits) + randomText(randomBytes);
  };
}

export function newRequestId(): string {
  return randomUUID();
}

function digits(value: number, count: number): string {
  return value.toString(36).padStart(count, "0");
}

function randomText(randomBytes: (size: number) => Buffer): string {
  const number = randomBytes(6).readUIntBE(0, 6);
  return number.toString(36).padStart(randomDigits, "0");
}
