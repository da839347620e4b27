import type { FastifyBaseLogger } from "fastify";

/**
 * Runs a job's items one after the other: one that fails is logged and keeps none behind it waiting.
 * Throws at the end if any failed, so that the job is tried again.
 */
export async function forEachOnItsOwn<Item>(
  log: Pick<FastifyBaseLogger, "error">,
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
): Promise<void> {
  let failures = 0;
  for (const item of items) {
    try {
      await run(item);
    } catch (error) {
      failures += 1;
      log.error({ err: error, item }, "an item of a job failed; the next ones go on");
    }
  }
  if (failures > 0) throw new Error(`${failures} of ${items.length} items failed`);
}
