import { parseArgs } from "node:util";
import { seedDatabase } from "./lib/seed-database.ts";

/**
 * `npm run bench:seed` fills the PostgreSQL at DATABASE_URL: a million projects, payments and audit entries, five
 * million notifications. It takes minutes. `-- --rows 10000` is smaller.
 */
const { values } = parseArgs({ options: { rows: { type: "string", default: "1000000" } } });
const rows = Number(values.rows);
const url = process.env.DATABASE_URL;
if (!url || !Number.isInteger(rows) || rows < 1000 || rows > 1_000_000) {
  console.error("Set DATABASE_URL to an empty PostgreSQL database; --rows is 1000 to 1000000.");
  process.exit(1);
}
await seedDatabase(url, rows, console.log);
