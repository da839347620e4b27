import type { z } from "zod";

/**
 * The first fault of each field, as a schema finds them before anything is sent. It stands apart from errors.ts, which
 * the first load has.
 */
export function faultsOf(schema: z.ZodType, values: unknown): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const { path, message } of schema.safeParse(values).error?.issues ?? []) faults[path.join(".")] ??= message;
  return faults;
}
