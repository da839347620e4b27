import type { ActorContext } from "#server/platform/context.ts";
import { decimalText } from "#server/platform/text.ts";
import type { Kobo } from "#shared/money.ts";

type Row = Record<string, unknown>;

/** A list is read in batches of so many rows. */
export const batch = 200;

/** Reads one batch of a list after the row `after`. `next` is where the next batch begins; null at the end. */
export type Read = (ctx: ActorContext, userId: string, after: number) => Promise<{ items: Row[]; next: number | null }>;

/** A list of rows that `read` gives in the order of their `key`; `show` makes of them what the file has. */
export function inBatches<T extends { key: number }>(
  read: (ctx: ActorContext, userId: string, after: number) => Promise<T[]>,
  show: (ctx: ActorContext, found: Omit<T, "key">[]) => Row[] | Promise<Row[]> = (_, found) => found,
): Read {
  return async (ctx, userId, after) => {
    const found = await read(ctx, userId, after);
    const next = found.length < batch ? null : (found.at(-1)?.key ?? null);
    return {
      items: await show(
        ctx,
        found.map(({ key: _, ...rest }) => rest),
      ),
      next,
    };
  };
}

export const naira = (kobo: Kobo) => ({ naira: decimalText(kobo, 2), kobo: String(kobo) });

/** "577.743" of a round's unit. */
export const units = (thousandths: bigint | null) =>
  thousandths === null
    ? null
    : {
        units: decimalText(thousandths, 3),
        thousandths: String(thousandths),
      };
