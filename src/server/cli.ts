import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { type Command, type CommandResult, runCommand } from "#server/commands.ts";
import { askServer } from "#server/control.ts";
import { type Env, readAdminPassword, readEnv } from "#server/core/env.ts";
import { AppError } from "#server/core/errors.ts";
import { describeFailure } from "#server/failure.ts";
import { openDeps } from "#server/open-deps.ts";
import { restoreBackup } from "#server/restore.ts";
import { type Role, roles } from "#shared/permissions.ts";

const usage = `Usage:
  npm run admin -- create --email E --name N --role ${roles.join("|")}
      makes an administrator; asks for the password, or reads ADMIN_PASSWORD
  npm run admin -- invite --email E --name N [--role ${roles.join("|")}]
      mails an invitation to become an administrator (a manager if nothing else is said); prints its link where no mail
      server is set
  npm run admin -- reset-two-factor --email E
      takes an administrator's second factor away (a lost phone) and ends their sessions
  npm run check:money
      checks the books: a line per rule, every violating row, exit 1 if there is one
  npm run backup [-- FILE]
      writes the embedded database and all files into one new file, while the server runs
  npm run restore -- FILE
      puts a backup into an empty DATA_DIR, and checks the books and every file
  npm run seed
      loads the demo farms into an empty database (local use only)`;

class UsageError extends Error {}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const { isOk, lines } =
    args[0] === "restore" ? await restore(readEnv(), args.slice(1)) : await execute(readEnv(), await readCommand(args));
  for (const line of lines) process.stdout.write(`${line}\n`);
  process.exitCode = isOk ? 0 : 1;
}

async function execute(env: Env, wanted: Command): Promise<CommandResult> {
  const answer = env.databaseUrl === undefined ? await askServer(env.dataDir, wanted) : null;
  if (answer) return answer;
  const { deps, handle, close } = await openDeps(env);
  try {
    return await runCommand(deps, wanted, handle);
  } finally {
    await close();
  }
}

/** Never by a running server: it has a database. */
async function restore(env: Env, [path, ...more]: string[]): Promise<CommandResult> {
  if (!path || more.length > 0) throw new UsageError(usage);
  try {
    return await restoreBackup(env, resolve(path));
  } catch (error) {
    if (error instanceof AppError) return { isOk: false, lines: [error.message] };
    throw error;
  }
}

async function readCommand([area, ...rest]: string[]): Promise<Command> {
  if (area === "check-money" || area === "seed") return { name: area };
  if (area === "backup") {
    if (rest.length > 1) throw new UsageError(usage);
    const stamp = new Date().toISOString().slice(0, 19).replace("T", "-").replaceAll(":", "");
    // The server that writes it may run in another folder.
    return { name: "backup", path: resolve(rest[0] ?? `gona-${stamp}.tar`) };
  }
  if (area !== "admin") throw new UsageError(usage);
  if (rest[0] === "reset-two-factor") {
    const { email } = parseArgs({ args: rest.slice(1), options: { email: { type: "string" } } }).values;
    if (!email) throw new UsageError(usage);
    return { name: "reset-two-factor", email };
  }
  if (rest[0] !== "create" && rest[0] !== "invite") throw new UsageError(usage);
  const { values } = parseArgs({
    args: rest.slice(1),
    options: { email: { type: "string" }, name: { type: "string" }, role: { type: "string" } },
  });
  const { email, name: fullName, role } = values;
  if (rest[0] === "invite") {
    if (!email || !fullName) throw new UsageError(usage);
    return { name: "invite-admin", email, fullName, role: role ?? "manager" };
  }
  if (!email || !fullName || !isRole(role)) throw new UsageError(usage);
  return { name: "create-admin", email, fullName, role, password: readAdminPassword() ?? (await askPassword()) };
}

function isRole(value: string | undefined): value is Role {
  return roles.some((role) => role === value);
}

/** Asks without showing what is typed. */
async function askPassword(): Promise<string> {
  process.stderr.write("Password: ");
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY });
  const password = await terminal.question("");
  terminal.close();
  process.stderr.write("\n");
  return password;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof UsageError ? error.message : describeFailure(error)}\n`);
  process.exitCode = 1;
});
