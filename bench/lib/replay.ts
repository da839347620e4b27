import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { type Db, rows } from "#server/db/open.ts";
import type { Deps } from "#server/platform/deps.ts";

type Sent = { text: string; values: unknown[] };

/** Runs it on a connection of its own, and gives the statements that it sent, in their order. */
export async function recordStatements(
  deps: Deps,
  databaseUrl: string,
  run: (deps: Deps) => Promise<unknown>,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  const client = postgres(databaseUrl, {
    max: 1,
    onnotice: () => {},
    // Without this the driver asks for the database's types of its own accord.
    fetch_types: false,
    debug: (_connection, text, values) => sent.push({ text: text.trim(), values: [...values] }),
  });
  try {
    await run({ ...deps, db: drizzle(client) });
  } finally {
    await client.end();
  }
  return sent;
}

/** Ids that the database gives out while the statements run, by the table that they are of. */
export type GivenId = { table: string; variable: string; id: number };

/** Lets the next ids be ones that nothing else looks like. */
export async function markNextIds(db: Db, tables: string[]): Promise<GivenId[]> {
  const given = tables.map((table, index) => ({ table, variable: `id${index}`, id: 7_300_001 + index * 10_000 }));
  for (const { table, id } of given) {
    await db.execute(sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${id - 1})`);
  }
  return given;
}

/**
 * The statements as a script for pgbench: what held the number of the recorded payment holds `:n`, and ids that were
 * given out are those that this run was given.
 */
export async function pgbenchScript(
  db: Db,
  sent: Sent[],
  { number, given }: { number: number; given: GivenId[] },
): Promise<string> {
  const lines = ["\\set i :i + 1", "\\set n :first + :client_id * :each + :i"];
  for (const [index, { text, values }] of sent.entries()) {
    const types = await parameterTypes(db, `bench_${index}`, text, values.length);
    const filled = text.replace(/\$(\d+)/g, (_, position: string) => {
      const at = Number(position) - 1;
      return expressionOf(values[at], types[at] ?? "text", { number, given });
    });
    const made = given.find(({ table }) => text.startsWith(`insert into "${table}"`) && /returning "id"/.test(text));
    lines.push(`${filled.replaceAll(/\s*\n\s*/g, " ")}${made ? ` \\gset ${made.variable}_` : ";"}`);
  }
  return `${lines.join("\n")}\n`;
}

async function parameterTypes(db: Db, name: string, text: string, count: number): Promise<string[]> {
  if (count === 0) return [];
  return db.transaction(async (tx) => {
    await tx.execute(sql.raw(`prepare ${name} as ${text}`));
    const [found] = await rows<{ types: string[] }>(
      tx,
      sql`select array_to_json(parameter_types::text[]) as types from pg_prepared_statements where name = ${name}`,
    );
    await tx.execute(sql.raw(`deallocate ${name}`));
    return found?.types ?? [];
  });
}

function expressionOf(value: unknown, type: string, { number, given }: { number: number; given: GivenId[] }): string {
  if (value === null || value === undefined) return `null::${type}`;
  const written = value instanceof Date ? value.toISOString() : String(value);
  // A Message-ID is made for each mail.
  const text = written.replace(/^<[0-9a-f-]{36}@/, `<00000000-0000-4000-8004-000000${number}@`);
  // pgbench would take a colon and what follows for a variable, in a text too.
  const quoted = `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll("\n", "\\n").replaceAll(":", "\\x3a")}'`;
  const marks = [
    { mark: String(number), variable: "n" },
    ...given.map(({ id, variable }) => ({ mark: String(id), variable: `${variable}_id` })),
  ];
  const replaced = marks
    .filter(({ mark }) => text.includes(mark))
    .reduce((inner, { mark, variable }) => `replace(${inner}, '${mark}', :${variable}::text)`, quoted);
  return `(${replaced})::${type}`;
}
