import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { describeFailure } from "#server/failure.ts";
import { openDeps } from "#server/open-deps.ts";
import { type Env, readAdminPassword, readEnv, readOldSecret } from "#server/platform/env.ts";
import { AppError } from "#server/platform/errors.ts";
import { type Role, roles } from "#shared/permissions.ts";
import { type Command, type CommandResult, runCommand } from "./commands.ts";
import { askServer } from "./control.ts";
import { restoreBackup } from "./restore.ts";
import { rotateSecret } from "./rotate-secret.ts";

const usage = `Usage:
  npm run admin -- create --email E --name N --role ${roles.join("|")}
      makes an administrator; asks for the password, or reads ADMIN_PASSWORD
  npm run admin -- invite --email E --name N [--role ${roles.join("|")}]
      mails an invitation to become an administrator (a manager if nothing else is said); prints its link where no mail
      server is set
  npm run admin -- reset-two-factor --email E
      takes an administrator's second factor away (a lost phone) and ends their sessions
  npm run admin -- rotate-secret
      brings the second factors to a new APP_SECRET, with every server stopped: asks for the old one, or reads
      OLD_APP_SECRET; makes a new one where the secret is kept in DATA_DIR
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
  const { isOk, lines } = await run(readEnv(), args);
  for (const line of lines) process.stdout.write(`${line}\n`);
  process.exitCode = isOk ? 0 : 1;
}

async function run(env: Env, args: string[]): Promise<CommandResult> {
  if (args[0] === "restore") return restore(env, args.slice(1));
  if (args[0] === "admin" && args[1] === "rotate-secret") return rotate(env, args.slice(2));
  return execute(env, await readCommand(args));
}

/** Never sent to a running server, which would continue with the old secret. */
async function rotate(env: Env, more: string[]): Promise<CommandResult> {
  if (more.length > 0) throw new UsageError(usage);
  const oldSecret = readOldSecret() ?? (env.appSecret === undefined ? undefined : await ask("Old APP_SECRET: "));
  const { deps, close } = await openDeps(env, { isRotating: true });
  try {
    return await reportRefusal(() => rotateSecret(deps, { oldSecret }));
  } finally {
    await close();
  }
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

/** Never sent to a running server, which already has a database. */
async function restore(env: Env, [path, ...more]: string[]): Promise<CommandResult> {
  if (!path || more.length > 0) throw new UsageError(usage);
  return reportRefusal(() => restoreBackup(env, resolve(path)));
}

/** Turns a refusal into a line and a failure. */
async function reportRefusal(command: () => Promise<CommandResult>): Promise<CommandResult> {
  try {
    return await command();
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
    // Absolute, because the server that writes it may run in another folder.
    return { name: "backup", path: resolve(rest[0] ?? `backup-${stamp}.tar`) };
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
  return { name: "create-admin", email, fullName, role, password: readAdminPassword() ?? (await ask("Password: ")) };
}

function isRole(value: string | undefined): value is Role {
  return roles.some((role) => role === value);
}

/** Asks without echoing the typed text. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY });
  const answer = await terminal.question("");
  terminal.close();
  process.stderr.write("\n");
  return answer;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof UsageError ? error.message : describeFailure(error)}\n`);
  process.exitCode = 1;
});
