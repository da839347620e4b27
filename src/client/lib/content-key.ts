import { useRef } from "react";

/** A key for what a form holds: the same one for the same content. */
export function useContentKey() {
  const last = useRef<{ content: string; key: string } | null>(null);
  return {
    find: (values: object): string => {
      const content = JSON.stringify(values, (_, value: unknown) =>
        value instanceof File ? [value.name, value.size, value.lastModified] : value,
      );
      if (last.current?.content !== content) last.current = { content, key: crypto.randomUUID() };
      return last.current.key;
    },
    forget: () => {
      last.current = null;
    },
  };
}
