/** Keeps what was typed for something else from answering a question that came up under the fingers. */
import { useEffect, useRef, useState } from "preact/hooks";

/** Whoever is typing goes on well within this; a longer pause means that the question was seen. */
const pauseMs = 600;
/** For somebody who was not typing: what the hand needs to stop on its way to a key. */
const earlyMs = 250;

let lastInputAt = Number.NEGATIVE_INFINITY;
for (const name of ["keydown", "pointerdown", "paste"]) {
  document.addEventListener(name, () => (lastInputAt = performance.now()), { capture: true, passive: true });
}

/** True as long as keys and clicks are not taken for an answer. Each of them asks for a pause of its own. */
export function useEarlyGuard(): { readonly isEarly: boolean; readonly isTaken: () => boolean } {
  const [isEarly, setEarly] = useState(true);
  const opensAt = useRef(0);
  useEffect(() => {
    const now = performance.now();
    opensAt.current = now + (now - lastInputAt < pauseMs ? pauseMs : earlyMs);
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const left = opensAt.current - performance.now();
      if (left <= 0) setEarly(false);
      else timer = setTimeout(look, left);
    };
    look();
    return () => clearTimeout(timer);
  }, []);
  return {
    isEarly,
    isTaken() {
      const now = performance.now();
      if (now >= opensAt.current) return true;
      opensAt.current = now + pauseMs;
      return false;
    },
  };
}
