import type { Deps } from "#server/platform/deps.ts";
import type { FaultKind } from "./faults.ts";

/** A fault put into the product on purpose, by what it is given from outside: a run on it has to find it out. */
export interface SeededFault {
  name: string;
  /** Changes what the server's process is given. */
  sow?: (deps: Deps) => void;
  /** Changes the database. */
  statement?: string;
  /** What has to happen besides for it to do harm. */
  faults: FaultKind[];
}

/** Every row of the table is changed by `change` before it is written. */
export const onWrite = (table: string, event: "insert" | "update", change: string): string => `
  create function seeded_fault() returns trigger language plpgsql as $$ begin ${change} return new; end $$;
  create trigger seeded_fault before ${event} on ${table} for each row execute function seeded_fault()`;
