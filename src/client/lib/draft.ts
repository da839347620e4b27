/** What was typed into a form, kept for this tab until it is sent: a reload or a closed connection takes nothing. */

/** The draft's texts in the place of the blank ones; anything else stays blank. */
export function readDraft<Values extends object>(key: string, blank: Values): Values {
  const draft = parse(readItem(key));
  const kept = Object.entries(blank).map(([name, value]) => {
    const text = draft[name];
    return [name, typeof value === "string" && typeof text === "string" ? text : value];
  });
  return Object.fromEntries(kept) as Values;
}

/** Keeps the texts of `names`; nothing where all of them are empty. */
export function keepDraft(key: string, values: object, names: readonly string[]): void {
  const texts = Object.entries(values).filter(([name, value]) => names.includes(name) && typeof value === "string");
  try {
    if (texts.some(([, text]) => text !== "")) sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(texts)));
    else sessionStorage.removeItem(key);
  } catch {
    // A browser that stores nothing, or is full: the form works all the same.
  }
}

function readItem(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function parse(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
