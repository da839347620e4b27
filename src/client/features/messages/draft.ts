import { useSyncExternalStore } from "react";
import { keepForTab, readKept } from "#client/lib/tab-store.ts";

/**
 * A message that isn't sent yet. The key names one sending of this very text: it stays while the text does, so that
 * sending again after a lost answer sends nothing twice, also after the page was loaded anew.
 */
export type Draft = { text: string; key: string | null };

const empty: Draft = { text: "", key: null };
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

type Name = `message-draft:${string}`;

function read(name: Name): Draft {
  const known = drafts.get(name);
  if (known) return known;
  const { text, key } = readKept(name);
  const draft = typeof text === "string" ? { text, key: typeof key === "string" ? key : null } : empty;
  drafts.set(name, draft);
  return draft;
}

function write(name: Name, draft: Draft) {
  drafts.set(name, draft);
  keepForTab(name, draft.text ? draft : null);
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
  const name: Name = `message-draft:${owner.accountId}:${owner.projectId}`;
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
