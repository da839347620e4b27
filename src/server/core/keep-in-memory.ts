type Options<Value> = {
  maxBytes: number;
  bytesOf: (value: Value) => number;
  /** Whether a kept value may still be given out; without it, always. */
  isFresh?: (value: Value) => boolean;
};

export type KeptInMemory<Value> = ReturnType<typeof keepInMemory<Value>>;

/**
 * What is dear to make, kept by name up to `maxBytes`, names too: the least recently used goes first. Several who ask
 * for the same at once wait for one making; a failed one is not kept.
 */
export function keepInMemory<Value>({ maxBytes, bytesOf, isFresh = () => true }: Options<Value>) {
  const kept = new Map<string, Value>();
  const inMaking = new Map<string, Promise<Value>>();
  let bytes = 0;

  // Askers make up names, and an answer may be shorter than its name: that counts too, at two bytes a letter.
  const costOf = (name: string, value: Value) => bytesOf(value) + 2 * name.length;

  const drop = (name: string, value: Value) => {
    kept.delete(name);
    bytes -= costOf(name, value);
  };
  const keep = (name: string, value: Value) => {
    const old = kept.get(name);
    if (old !== undefined) drop(name, old);
    kept.set(name, value);
    bytes += costOf(name, value);
    for (const [oldest, least] of kept) {
      if (bytes <= maxBytes) break;
      drop(oldest, least);
    }
  };

  const peek = (name: string): Value | undefined => {
    const value = kept.get(name);
    if (value === undefined || !isFresh(value)) return undefined;
    // A map keeps the order of writing: used now, it is the last to go.
    kept.delete(name);
    kept.set(name, value);
    return value;
  };

  return {
    has: (name: string) => kept.has(name) || inMaking.has(name),
    /** What is kept and fresh, without making it. */
    peek,
    /** What is being made now. */
    whenMade: (name: string) => inMaking.get(name),
    async get(name: string, make: () => Promise<Value>): Promise<Value> {
      const value = peek(name);
      if (value !== undefined) return value;
      const running =
        inMaking.get(name) ??
        make()
          .then((made) => {
            keep(name, made);
            return made;
          })
          .finally(() => inMaking.delete(name));
      inMaking.set(name, running);
      return running;
    },
  };
}
