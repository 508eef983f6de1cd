import { type RefObject, useCallback, useLayoutEffect, useState } from "react";

type Size = { width: number; height: number; charWidth: number };

export type Viewport = Size & { scrollTop: number; onScroll: () => void };

/** Measures one character in the font of the element. */
function measureChar(element: HTMLElement): number {
  const probe = document.createElement("span");
  probe.textContent = "0".repeat(100);
  probe.className = "log-probe";
  element.append(probe);
  const width = probe.getBoundingClientRect().width / 100;
  probe.remove();
  return width;
}

/** How large the scrolled element is, where it stands, and how wide a character of it is. */
export function useViewport(ref: RefObject<HTMLElement | null>): Viewport {
  const [size, setSize] = useState<Size>({ width: 0, height: 0, charWidth: 0 });
  const [scrollTop, setScrollTop] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) {
      return undefined;
    }
    const charWidth = measureChar(element);
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight, charWidth });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  const onScroll = useCallback(() => setScrollTop(ref.current?.scrollTop ?? 0), [ref]);
  return { ...size, scrollTop, onScroll };
}
