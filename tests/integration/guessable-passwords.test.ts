import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { findGuessableFault } from "#server/accounts/passwords.ts";
import { mailAccountLink } from "#server/accounts/send-links.ts";
import { createAdmin as createAdminByCommand } from "#server/accounts/users.ts";
import { rateLimits } from "#server/db/schema/sessions.ts";
import { adminInvites } from "#server/db/schema/team.ts";
import { users } from "#server/db/schema/users.ts";
import { guessableTexts as texts } from "#shared/accounts/password.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { invitesMailedTo } from "#tests/support/invites.ts";
import { callAs, createAdmin, createUser, testPassword } from "#tests/support/people.ts";
import { gona } from "#tests/support/site.ts";

const deps = await openTestDeps();
const fullName = "Ngozi Okafor";
let people = 0;
const newAddress = () => {
  people += 1;
  return `person-${people}@farmers.example`;
};
const rowOf = async (email: string) => (await deps.db.select().from(users).where(eq(users.email, email)))[0];
/** The refusal as the pages need it: at its field, with the sentence. */
const refusedFor = (text: string) => ({ code: "BAD_REQUEST", message: text, cause: { fields: { password: [text] } } });

beforeEach(async () => {
  await deps.db.delete(rateLimits);
});

describe("a password that meets the requirements and would be guessed is refused", () => {
  test.each([
    ["Password1!", texts.common],
    ["Admin123!@#", texts.common],
    ["Gona2026!!", texts.site],
    ["Person-Okafor-1990", texts.personal],
  ])("at sign-up: %s", async (password, text) => {
    const visitor = await callAs(deps, "anonymous");
    const { token: formToken } = await visitor.auth.formToken();
    const input = { fullName, email: newAddress(), acceptTerms: true as const, formToken };
    await expect(visitor.auth.signUp({ ...input, password })).rejects.toMatchObject(refusedFor(text));
    expect(await rowOf(input.email)).toBeUndefined();
    await visitor.auth.signUp({ ...input, password: testPassword });
  });

  test("at sign-up: the own address", async () => {
    const visitor = await callAs(deps, "anonymous");
    const { token: formToken } = await visitor.auth.formToken();
    const email = newAddress();
    const input = { fullName, email, password: email, acceptTerms: true as const, formToken };
    await expect(visitor.auth.signUp(input)).rejects.toMatchObject(refusedFor(texts.personal));
    expect(await rowOf(email)).toBeUndefined();
  });

  test.each(["/reset-password", "/admin/reset-password"])("at %s, and the link still works", async (page) => {
    const user = page.startsWith("/admin")
      ? await createAdmin(deps.db, "viewer", { fullName })
      : await createUser(deps.db, { fullName });
    await mailAccountLink(deps, { purpose: "reset_password", email: user.email });
    const mail = (await queuedMailsTo(deps.db, user.email)).at(-1);
    expect(mail?.text).toContain(`${page}#`);
    const token = /access_token=([0-9a-f]{64})/.exec(mail?.text ?? "")?.[1] ?? "";
    const visitor = await callAs(deps, "anonymous");
    const reset = (password: string) => visitor.auth.resetPassword({ token, password });
    await expect(reset("Okafor2026!!")).rejects.toMatchObject(refusedFor(texts.personal));
    expect(await rowOf(user.email)).toMatchObject({ passwordHash: user.passwordHash });
    await reset("Cassava-Harvest-2027");
    expect((await rowOf(user.email))?.passwordHash).not.toBe(user.passwordHash);
  });

  test("at a change of the password, and the session goes on", async () => {
    const user = await createUser(deps.db, { fullName });
    const caller = await callAs(deps, user);
    const change = caller.users.changePassword({ currentPassword: testPassword, password: "Ngozi-Okafor-12" });
    await expect(change).rejects.toMatchObject(refusedFor(texts.personal));
    expect(await rowOf(user.email)).toMatchObject({ passwordHash: user.passwordHash });
    await caller.auth.touch();
  });

  test("where an invitation is accepted, which stays open", async () => {
    const email = newAddress();
    await (await callAs(deps, "owner")).team.invite({ email, fullName, role: "manager" });
    const token = (await invitesMailedTo(deps, email)).at(-1) ?? "";
    const visitor = await callAs(deps, "anonymous");
    const accept = (password: string) => visitor.team.acceptInvite({ token, fullName, password });
    await expect(accept("Gona2026!!")).rejects.toMatchObject(refusedFor(texts.site));
    expect(await rowOf(email)).toBeUndefined();
    const [open] = await deps.db.select().from(adminInvites).where(eq(adminInvites.email, email));
    expect(open?.consumedAt).toBeNull();
    await accept("Cassava-Harvest-2027");
  });

  test("at the command line", async () => {
    const input = { email: newAddress(), fullName, role: "owner" as const, password: "Welcome2026!" };
    await expect(createAdminByCommand(deps, input)).rejects.toThrow(texts.common);
    expect(await rowOf(input.email)).toBeUndefined();
  });
});

const person = { fullName: "Ọlá Adébáyọ̀", email: "ola.adebayo1990@mail.example" };
test.each([
  ["OlaAdebayo1!", texts.personal],
  ["Ọlá-Adébáyọ̀-77", texts.personal],
  ["Ol@Adebayo#12", texts.personal],
  ["ola.adebayo1990@mail.example", texts.personal],
  ["G0na2026!!", texts.site],
  ["P@ssw0rd2026!", texts.common],
  ["Summer2026!!", texts.word],
  ["Abcabcabc1!", texts.pattern],
])("%s: %s", async (password, text) => {
  expect(await findGuessableFault(password, { ...person, site: gona })).toBe(text);
});

test.each(["xK9#mQ2$", "Mvq8!rtz", "Tomato-Bicycle-9", "correct horse battery staple", "Ola's goats sleep at 9"])(
  "%s is not guessable",
  async (password) => {
    expect(await findGuessableFault(password, { ...person, site: gona })).toBeNull();
  },
);
