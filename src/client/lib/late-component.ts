import { type ComponentType, useCallback, useState } from "react";

/**
 * A component that is fetched when it is first needed, and is null until then. `load` must stay the same function.
 * Where the fetch fails the page does without it, and the next call tries again. Fetching tells whether it is there.
 */
export function useLateComponent<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): [component: ComponentType<Props> | null, fetchIt: () => Promise<boolean>] {
  const [component, setComponent] = useState<ComponentType<Props> | null>(null);
  const fetchIt = useCallback(() => {
    return load().then(
      (module) => {
        setComponent(() => module.default);
        return true;
      },
      () => false,
    );
  }, [load]);
  return [component, fetchIt];
}
