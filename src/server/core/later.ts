const loads: (() => Promise<unknown>)[] = [];

/**
 * For a package that a start doesn't wait for: gives the function that loads it when it is first needed, as in
 * `const loadSharp = later(() => import("sharp"))`. To be called once, at the top of a module.
 */
export function later<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Promise<Module> | undefined;
  const loadOnce = () => {
    loaded ??= load();
    return loaded;
  };
  loads.push(loadOnce);
  return loadOnce;
}

/** Loads all of them, one by one: what can't be loaded is an error of the start, not of who first needs it. */
export async function loadTheRest(): Promise<void> {
  for (const load of loads) await load();
}
