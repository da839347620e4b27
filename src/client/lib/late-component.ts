import { type ComponentType, useCallback, useState } from "react";

/**
 * A component that is fetched when it is first needed, and is null until then. `load` must stay the same function.
 * Where the fetch fails the page does without it, and the next call tries again.
 */
export function useLateComponent<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): [component: ComponentType<Props> | null, fetchIt: () => void] {
  const [component, setComponent] = useState<ComponentType<Props> | null>(null);
  const fetchIt = useCallback(() => {
    load().then(
      (module) => setComponent(() => module.default),
      () => {},
    );
  }, [load]);
  return [component, fetchIt];
}
