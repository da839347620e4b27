import type { Deps } from "#server/platform/deps.ts";
import type { FaultKind } from "./faults.ts";
import type { RiverKind } from "./river.ts";

/** A fault put into the product on purpose, by what it is given from outside: a run on it has to find it out. */
export interface SeededFault {
  name: string;
  /** Changes what the server's process is given. */
  sow?: (deps: Deps) => void;
  /** Changes the database. */
  statement?: string;
  /** The faults that have to happen besides for it to do harm. */
  faults: FaultKind[];
  /** The act that has to be done a few times for it to do harm: people try it more, and the run goes on until then. */
  needs?: RiverKind;
  /** The beginning of the subjects that count for it; all do without. */
  needsOf?: string;
}

/** Every row of the table is changed by `change` before it is written. */
export const onWrite = (table: string, event: "insert" | "update", change: string): string => `
  create function seeded_fault() returns trigger language plpgsql as $$ begin ${change} return new; end $$;
  create trigger seeded_fault before ${event} on ${table} for each row execute function seeded_fault()`;
