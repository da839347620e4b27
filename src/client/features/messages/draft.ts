import { useSyncExternalStore } from "react";

/**
 * A message that isn't sent yet. The key names one sending of this very text: it stays while the text does, so that
 * sending again after a lost answer sends nothing twice, also after the page was loaded anew.
 */
export type Draft = { text: string; key: string | null };

const empty: Draft = { text: "", key: null };
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

function read(name: string): Draft {
  const known = drafts.get(name);
  if (known) return known;
  const draft = parse(readStored(name));
  drafts.set(name, draft);
  return draft;
}

function readStored(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function parse(stored: string | null): Draft {
  try {
    const { text, key } = JSON.parse(stored ?? "");
    return typeof text === "string" ? { text, key: typeof key === "string" ? key : null } : empty;
  } catch {
    return empty;
  }
}

function write(name: string, draft: Draft) {
  drafts.set(name, draft);
  try {
    if (draft.text) sessionStorage.setItem(name, JSON.stringify(draft));
    else sessionStorage.removeItem(name);
  } catch {
    // Storage is blocked or full: the draft lives as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** What an account writes about a project, in this tab: it outlives a reload, and is nobody else's. */
export function useDraft(owner: { accountId: string; projectId: number }) {
  const name = `message-draft:${owner.accountId}:${owner.projectId}`;
  return {
    draft: useSyncExternalStore(subscribe, () => read(name)),
    /** Another text is another message: it has no key yet. */
    setText: (text: string) => write(name, { text, key: null }),
    /** The key to send this draft with. */
    takeKey: (): string => {
      const { text, key = null } = read(name);
      const taken = key ?? crypto.randomUUID();
      write(name, { text, key: taken });
      return taken;
    },
    /** The next sending is another one, of the same text. */
    dropKey: () => write(name, { text: read(name).text, key: null }),
    clear: () => write(name, empty),
  };
}
