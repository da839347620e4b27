import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";

type Person = { closedAt: AnyPgColumn; fullName: AnyPgColumn };

/** The name of a person, of `users` or an alias of it: null where there is no row, no name, or a closed account. */
export const personName = ({ closedAt, fullName }: Person): SQL<string | null> =>
  sql<string | null>`case when ${closedAt} is null then nullif(btrim(${fullName}), '') end`;

/** The same as lists show it. */
export const shownName = (person: Person): SQL<string> => sql<string>`coalesce(${personName(person)}, 'Unknown')`;
