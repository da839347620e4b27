import { z } from "zod";
import { resetTwoFactor } from "#server/accounts/two-factor-setup.ts";
import { createAdmin } from "#server/accounts/users.ts";
import type { DatabaseHandle } from "#server/db/open.ts";
import { inviteFromCommandLine } from "#server/features/people/team/service.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { checkBooksAndFiles, describeChecks } from "#server/self-check.ts";
import { inviteHours } from "#shared/people/team-texts.ts";
import { roles } from "#shared/permissions.ts";
import { writeBackup } from "./backup.ts";
import { seedDemo } from "./demo.ts";

/**
 * The maintenance commands. The command line runs them itself, or sends them to the server that has the database open.
 */
export const command = z.discriminatedUnion("name", [
  z.object({
    name: z.literal("create-admin"),
    email: z.string(),
    fullName: z.string(),
    role: z.enum(roles),
    password: z.string(),
  }),
  z.object({ name: z.literal("reset-two-factor"), email: z.string() }),
  z.object({ name: z.literal("invite-admin"), email: z.string(), fullName: z.string(), role: z.string() }),
  z.object({ name: z.literal("check-money") }),
  z.object({ name: z.literal("backup"), path: z.string() }),
  z.object({ name: z.literal("seed") }),
]);
export type Command = z.output<typeof command>;
export type CommandResult = { isOk: boolean; lines: string[] };

/** Runs a command. A mistake of the person gives a line and a failure; a fault is thrown. */
export async function runCommand(deps: Deps, input: Command, handle?: DatabaseHandle): Promise<CommandResult> {
  try {
    return await run(deps, input, handle);
  } catch (error) {
    if (error instanceof AppError) return { isOk: false, lines: [error.message] };
    throw error;
  }
}

async function run(deps: Deps, input: Command, handle: DatabaseHandle | undefined): Promise<CommandResult> {
  switch (input.name) {
    case "create-admin": {
      await createAdmin(deps, input);
      return { isOk: true, lines: [`${input.email} is now an administrator with the role ${input.role}.`] };
    }
    case "reset-two-factor": {
      await resetTwoFactor(deps, input);
      return { isOk: true, lines: [`${input.email} signs in without a code now; all sessions were ended.`] };
    }
    case "invite-admin": {
      const { link } = await inviteFromCommandLine(deps, input);
      // Without a mail server the person at the command line delivers the link.
      const lines = deps.env.smtpUrl === undefined ? [`The link, good for ${inviteHours} hours and once:`, link] : [];
      return { isOk: true, lines: [`${input.email} is invited as ${input.role}.`, ...lines] };
    }
    case "check-money":
      return describeChecks(await checkBooksAndFiles(deps));
    case "backup": {
      if (!handle) throw new Error("a backup needs the database itself");
      const { files, bytes } = await writeBackup({ deps, handle }, input.path);
      const size = `${Math.ceil(bytes / 1024 ** 2)} MB`;
      return {
        isOk: true,
        lines: [
          `${input.path} holds the database and ${files} files (${size}). Keep it where nobody else can read it.`,
        ],
      };
    }
    case "seed":
      return { isOk: true, lines: await seedDemo(deps) };
  }
}
