import type { Deps } from "#server/platform/deps.ts";
import { EnvError } from "#server/platform/env.ts";
import { AppError } from "#server/platform/errors.ts";
import { hasDemoAccounts, isDatabaseEmpty, seedDemoData } from "./seed.ts";
import { newPassword } from "./seed-people.ts";

/** Demo farms for local use, with accounts whose random passwords are printed once. */
const ownerEmail = "owner@demo.example";
const secondOwnerEmail = "second-owner@demo.example";
const backerEmail = "backer@demo.example";
/** The farms' people in demo/reports.json. */
const keeperEmail = "keeper@demo.example";
const reporterEmail = "reporter@demo.example";
/** Administrators with a grant. */
const accountantEmail = "accountant@demo.example";
const cashierEmail = "cashier@demo.example";
const demoEmails = [
  ownerEmail,
  secondOwnerEmail,
  backerEmail,
  keeperEmail,
  reporterEmail,
  accountantEmail,
  cashierEmail,
];

/** Loads the demo into an empty database. Throws AppError if that isn't allowed. Returns the lines to print. */
export async function seedDemo(deps: Deps): Promise<string[]> {
  const { db, env } = deps;
  if (!env.isLocalUse)
    throw new AppError("forbidden", "The demo is for local use only: demo accounts would be real ones here.");
  if (!(await isDatabaseEmpty(db))) throw new AppError("conflict", "The database is not empty: nothing was changed.");
  const owner = newSignIn(ownerEmail);
  const second = newSignIn(secondOwnerEmail);
  const backer = newSignIn(backerEmail);
  const keeper = newSignIn(keeperEmail);
  const reporter = newSignIn(reporterEmail);
  const accountant = newSignIn(accountantEmail);
  const cashier = newSignIn(cashierEmail);
  await seedDemoData(deps, { owner, second, backer, farmPeople: [keeper, reporter], granted: { accountant, cashier } });
  const [administrators, others] = [`${env.publicUrl}/admin/login`, `${env.publicUrl}/login      `];
  return [
    "",
    "Demo farms are loaded. Sign in with (shown only this once):",
    `  owner       ${administrators}   ${owner.email}   ${owner.password}`,
    `  second      ${administrators}   ${second.email}   ${second.password}`,
    `  accountant  ${administrators}   ${accountant.email}   ${accountant.password}`,
    `  cashier     ${administrators}   ${cashier.email}   ${cashier.password}`,
    `  backer      ${others}   ${backer.email}   ${backer.password}`,
    `  keeper      ${others}   ${keeper.email}   ${keeper.password}`,
    `  reporter    ${others}   ${reporter.email}   ${reporter.password}`,
    "",
  ];
}

/**
 * Demo accounts exist only in local use (Product decision). Elsewhere the server refuses to start on a database with
 * them.
 */
export async function refuseDemoAccounts({ db, env }: Pick<Deps, "db" | "env">): Promise<void> {
  if (env.isLocalUse || !(await hasDemoAccounts(db, demoEmails))) return;
  throw new EnvError([
    "This database holds the demo's accounts, which are for local use only: use another DATA_DIR or DATABASE_URL, or a loopback HOST and PUBLIC_URL without NODE_ENV=production",
  ]);
}

/** Loads the demo at the server's first start on an empty database. */
export async function seedDemoOnce(deps: Deps): Promise<void> {
  if (!(await isDatabaseEmpty(deps.db))) return;
  process.stdout.write("Loading the demo farms and playing their season: this takes half a minute, once.\n");
  process.stdout.write(`${(await seedDemo(deps)).join("\n")}\n`);
}

const newSignIn = (email: string) => ({ email, password: newPassword() });
