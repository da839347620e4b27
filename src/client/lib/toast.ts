export type Toast = { id: number; kind: "success" | "error" | "info"; title: string; message?: string };

/** How long a toast stays (specification, section 9). */
export const TOAST_MS = 5000;

let shown: Toast | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: Toast | null) {
  shown = next;
  for (const listener of listeners) listener();
}

function open(kind: Toast["kind"], title: string, message?: string) {
  lastId += 1;
  show({ id: lastId, kind, title, message });
}

/** One toast at a time: a new one takes the place of the shown one. Callable from anywhere, also outside of React. */
export const toast = {
  success: (title: string, message?: string) => open("success", title, message),
  error: (title: string, message?: string) => open("error", title, message),
  info: (title: string, message?: string) => open("info", title, message),
};

export function dismissToast(id: number) {
  if (shown?.id === id) show(null);
}

/** For `useSyncExternalStore` of the toaster. */
export const toastStore = {
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  current: () => shown,
};
