import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkFile, findCircles, findFeatures, listImports } from "#tests/support/import-rules.ts";

/** The features that the examples name; holds stand within projects' folder. */
const examples = findFeatures(
  ["media", "payments", "people/team", "people/users", "projects", "projects/holds", "settings"].map(
    (feature) => `src/server/features/${feature}/service.ts`,
  ),
);
const sources = globSync("src/**/*.{ts,tsx}").filter((file) => !file.endsWith(".gen.ts"));

test("every file of src/ keeps the import rules", () => {
  expect(sources).not.toHaveLength(0);
  const features = findFeatures(sources);
  expect(sources.flatMap((file) => checkFile(file, readFileSync(file, "utf8"), features))).toEqual([]);
});

test("no imports go round in a circle, those of types neither", () => {
  expect(findCircles(new Map(sources.map((file) => [file, readFileSync(file, "utf8")])))).toEqual([]);
});

test("circles are found among files, through types, and among features", () => {
  const server = (path: string) => `src/server/${path}`;
  expect(
    findCircles(
      new Map([
        [server("db/open.ts"), 'import { a } from "./errors.ts";'],
        [server("db/errors.ts"), 'import type { b } from "#server/db/open.ts";'],
        [server("features/people/users/service.ts"), 'import "#server/features/people/team/queries.ts";'],
        [server("features/people/team/service.ts"), 'import "#server/features/people/users/service.ts";'],
        [server("features/people/team/queries.ts"), ""],
      ]),
    ),
  ).toEqual([
    "src/server/db/open.ts → src/server/db/errors.ts → src/server/db/open.ts",
    "src/server/features/people/users → src/server/features/people/team → src/server/features/people/users",
  ]);
});

test("imports are found in every form", () => {
  const source = `import "a";\nimport b, {\n  c,\n} from 'b';\nexport { d } from "d";\nexport * from "e";
import type { F } from "f";\nconst g = await import("g");\nexport const h = "from";\n// import "i";`;
  expect(listImports(source).map((it) => it.specifier)).toEqual(["a", "b", "d", "e", "f", "g"]);
  expect(listImports(source).filter((it) => it.isType)).toEqual([{ specifier: "f", isType: true }]);
});

test.each([
  ["src/server/main.ts", 'import { buildApp } from "./app.ts";'],
  ["src/server/main.ts", 'import { openDatabase } from "#server/db/open.ts";'],
  ["src/server/app.ts", 'import { appRouter } from "./router.ts";'],
  ["src/server/accounts/sessions.ts", 'import { Lucia } from "lucia";'],
  ["src/server/platform/env.ts", "export const raw = process.env;"],
  ["src/server/root.ts", "const here = import.meta.dirname;"],
  ["src/server/db/migrate.ts", 'import { migrationsFolder } from "#server/root.ts";'],
  ["src/server/platform/audit.ts", "// reads no process.env"],
  ["src/server/features/projects/media/router.ts", 'import { submitReceipt } from "./service.ts";'],
  ["src/server/features/payments/service.ts", 'import { closeProject } from "#server/features/projects/service.ts";'],
  ["src/server/features/projects/media/routes.ts", 'import { submitReceipt } from "./service.ts";'],
  ["src/server/books/events/payments.ts", 'import { post } from "#server/books/post.ts";'],
  ["src/server/features/payments/service.ts", 'import type { LedgerEntry } from "#server/books/post.ts";'],
  ["src/client/lib/trpc.ts", 'import type { AppRouter } from "#server/api-types.ts";'],
  ["src/client/routes/index.tsx", 'import { Hero } from "#client/features/home/hero.tsx";'],
  ["src/shared/payments/inputs.ts", 'import { z } from "zod";\nimport { maxAmount } from "./money.ts";'],
])("%s may hold %s", (file, source) => {
  expect(checkFile(file, source, examples)).toEqual([]);
});

test.each([
  ["src/server/platform/audit.ts", 'import { buildApp } from "#server/app.ts";', "never go back up"],
  ["src/server/main.ts", 'import { buildApp } from "#server/app.ts";', "./ within one folder"],
  ["src/server/db/open.ts", 'import { env } from "#server/platform/env.ts";', "never go back up"],
  ["src/server/platform/deps.ts", 'import type { Mailer } from "#server/mail/mailer.ts";', "never go back up"],
  ["src/server/mail/outbox.ts", 'import "#server/accounts/emails.ts";', "never go back up"],
  ["src/server/accounts/sign-in.ts", 'import "#server/features/people/users/queries.ts";', "never go back up"],
  ["src/server/accounts/router.ts", 'import { users } from "#server/db/schema/users.ts";', "no database here"],
  [
    "src/server/features/people/users/service.ts",
    'import { page } from "#server/http/pages/page-heads.ts";',
    "never go back up",
  ],
  [
    "src/server/features/people/users/router.ts",
    'import { users } from "#server/db/schema/users.ts";',
    "no database here",
  ],
  ["src/server/http/health.ts", 'import { pending } from "#server/db/migrate.ts";', "no database here"],
  [
    "src/server/features/payments/service.ts",
    'import { post } from "#server/books/post.ts";',
    "only books/events posts",
  ],
  ["src/server/books/post.ts", 'import "#server/features/payments/service.ts";', "never go back up"],
  ["src/server/router.ts", 'import { users } from "#server/db/schema/users.ts";', "no database here"],
  ["src/server/features/people/users/rules.ts", 'import type { Db } from "#server/db/open.ts";', "no database here"],
  ["src/server/features/people/users/router.ts", 'import "#server/features/settings/queries.ts";', "its own service"],
  [
    "src/server/features/people/users/service.ts",
    'import "#server/features/settings/rules.ts";',
    "only its service, queries, arrivals, notices, second-person, strikes or today",
  ],
  ["src/server/app.ts", 'import "#client/main.tsx";', "server must not import client"],
  ["src/server/app.ts", 'import { Lucia } from "lucia";', "only src/server/accounts/sessions.ts"],
  ["src/server/app.ts", 'import { S3Client } from "@aws-sdk/client-s3";', "only src/server/files/s3-storage.ts"],
  ["src/server/app.ts", 'import { Google } from "arctic";', "only src/server/accounts/google/oidc.ts"],
  ["src/server/app.ts", 'import { fork } from "node:child_process";', "only src/server/platform/processes.ts"],
  ["src/server/app.ts", "const port = process.env.PORT;", "only platform/env.ts"],
  ["src/server/app.ts", 'import { env } from "node:process";', "only src/server/platform/env.ts"],
  ["src/server/db/migrate.ts", 'new URL("./a.sql", import.meta.url);', "only root.ts asks where it stands"],
  ["src/server/platform/index.ts", 'export * from "./audit.ts";', "no barrels"],
  ["src/server/db/open.ts", 'import { users } from "./schema/users.ts";', "within one folder"],
  ["src/client/ui/card.tsx", 'import { brand } from "../../shared/brand.ts";', "no ../"],
  ["src/client/ui/card.tsx", 'import { Hero } from "#client/features/home/hero.tsx";', "never go back up"],
  ["src/client/features/home/hero.tsx", 'import("#client/features/projects/card.tsx");', "don't import each other"],
  [
    "src/client/features/home/hero.tsx",
    'import type { AppRouter } from "#server/api-types.ts";',
    "only client/lib/trpc",
  ],
  ["src/client/lib/trpc.ts", 'import { appRouter } from "#server/router.ts";', "client must not import server"],
  ["src/client/lib/trpc.ts", 'import { AppRouter } from "#server/api-types.ts";', "as import type"],
  ["src/shared/money.ts", 'import { sum } from "lodash";', "zod only"],
  ["src/shared/money.ts", 'import { env } from "#server/platform/env.ts";', "shared must not import server"],
  ["src/lib/money.ts", "", "server, client and shared only"],
  ["src/client/routes/index.tsx", 'import { lazy, Suspense } from "react";', "only lib/lazy-or.ts"],
])("%s must not hold %s", (file, source, problem) => {
  expect(checkFile(file, source, examples)).toEqual([expect.stringContaining(problem)]);
});
