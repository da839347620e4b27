/**
 * The site's storage in the browser. One that blocks cookies has no storage, and already its name throws; a full one
 * takes nothing more. The pages then do without.
 */
type BrowserStorage = {
  read: (name: string) => string | null;
  /** Null removes it. False where the browser doesn't keep it. */
  keep: (name: string, value: string | null) => boolean;
  clear: () => void;
};

function withStorage<Result>(use: () => Result, without: Result): Result {
  try {
    return use();
  } catch {
    return without;
  }
}

const storageOf = (open: () => Storage): BrowserStorage => ({
  read: (name) => withStorage(() => open().getItem(name), null),
  keep: (name, value) =>
    withStorage(() => {
      if (value === null) open().removeItem(name);
      else open().setItem(name, value);
      return true;
    }, false),
  clear: () => withStorage(() => open().clear(), undefined),
});

/** For all tabs, until it is cleared. */
export const siteStorage = storageOf(() => localStorage);
/** For this tab, until it is closed. */
export const tabStorage = storageOf(() => sessionStorage);
