import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { acceptInvite } from "#server/accounts/invites.ts";
import { confirmEmail, signUp } from "#server/accounts/sign-up.ts";
import { createAdmin, findUserByEmail } from "#server/accounts/users.ts";
import type { Tx } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { addGrant } from "#server/features/people/admins/service.ts";
import { invite } from "#server/features/people/team/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { issueFormToken } from "#server/platform/form-token.ts";
import { type Grant, grants, type Role } from "#shared/permissions.ts";
import type { DemoCrowd, DemoFarm, DemoSeason } from "./demo-data.ts";
import type { DemoReports } from "./demo-reports.ts";
import { asOther, type Desk, findMailedToken, type Office, openDesk, type Person, type SignIn } from "./seed-office.ts";
import { openDemoSite } from "./seed-site.ts";

/** The demo's people, as people come to the product: by the command line, by an invitation, or by signing up. */

type Named = SignIn & { fullName: string };
type Joining = Omit<Desk, "signIn"> & { asOwner: (at: Date) => ActorContext; at: Date };

/** Two owners, of whom one confirms what the other can't do alone, and a backer. */
export type SeedInput = {
  owner: SignIn;
  second: SignIn;
  backer: SignIn;
  /** Those of the farms' people whose passwords somebody has to know. */
  farmPeople?: SignIn[];
  /** Who works in the office beside the owners. */
  granted?: Partial<Record<Grant, SignIn>>;
};
type Cast = SeedInput & { farms: DemoFarm[]; crowd: DemoCrowd; season: DemoSeason; reports: DemoReports };

/** When the people join: before the first farm begins. */
export const peopleDaysAgo = 180;

const grantedNames: Record<Grant, string> = { accountant: "Ngozi Balogun", cashier: "Musa Danladi" };

/** Meets the sign-up rule: upper and lower case, digits and a special character. */
export const newPassword = (): string => `Farm-${randomBytes(9).toString("base64url")}7a`;

/** The first owner opens the site, and everybody joins. */
export async function openOffice(tx: Tx, deps: Deps, cast: Cast): Promise<Office> {
  const { signIn, ...desk } = await openDesk(tx, deps);
  const [opened, at] = [desk.ago(peopleDaysAgo + 1), desk.ago(peopleDaysAgo)];
  const owner = await createOwner(desk, opened, cast.owner);
  const asOwner = await signIn(owner);
  await openDemoSite(asOwner(opened));
  const joining = { ...desk, asOwner, at };
  const second = await inviteAdmin(joining, { ...cast.second, ...cast.season.secondOwner, role: "owner" });
  for (const grant of grants) {
    const granted = cast.granted?.[grant];
    if (granted) await inviteGranted(joining, { ...granted, grant });
  }
  const backer = await joinSite(joining, { ...cast.backer, fullName: "Bola Adeyinka" });
  const farmPeople = new Map<string, Person>();
  for (const { farm, person } of cast.reports.farms) {
    const { password } = cast.farmPeople?.find(({ email }) => email === person.email) ?? { password: newPassword() };
    farmPeople.set(farm, await joinSite(joining, { ...person, password }));
  }
  const people: Person[] = [];
  for (const person of cast.crowd.people) people.push(await joinSite(joining, { ...person, password: newPassword() }));
  const farms = cast.farms.map((farm) => ({ ...farm, projectId: 0, farmId: 0 }));
  const [account] = await tx.select().from(ownAccounts).where(eq(ownAccounts.isActive, true));
  const acts = { owner: asOwner, second: await signIn(second) };
  return {
    ...desk,
    as: (who, on) => acts[who](on),
    asPerson: (person, on) => asOther(asOwner(on), person),
    ownAccountId: account?.id ?? 0,
    backer,
    people,
    personOf: (slug) => farmPeople.get(slug) ?? missing(`nobody reports for ${slug}`),
    farms,
    farmOf: (slug) => farms.find((one) => one.slug === slug) ?? missing(`the demo has no farm ${slug}`),
  };
}

function missing(what: string): never {
  throw new Error(what);
}

/** The first owner, whom the server's operator vouches for. */
async function createOwner(desk: Omit<Desk, "signIn">, at: Date, owner: SignIn): Promise<Person> {
  const named = { ...owner, fullName: "Amaka Obi" };
  const { id } = await createAdmin(desk.asVisitor(at), { ...named, role: "owner" });
  return { ...named, id };
}

/** Somebody whom an owner invites, and who accepts by the link of the mail. */
async function inviteAdmin(joining: Joining, named: Named & { role: Role }): Promise<Person> {
  const { asOwner, asVisitor, at } = joining;
  const { email, fullName, password, role } = named;
  await invite(asOwner(at), { email, fullName, role });
  await acceptInvite(asVisitor(at), { token: await findMailedToken(joining, email), fullName, password });
  return findPerson(joining, named);
}

/** Whoever works in the office with a grant, beside the owners. */
async function inviteGranted(joining: Joining, { grant, ...signIn }: SignIn & { grant: Grant }): Promise<void> {
  const { id: userId } = await inviteAdmin(joining, { ...signIn, fullName: grantedNames[grant], role: "viewer" });
  await addGrant(joining.asOwner(joining.at), { userId, grant });
}

/** A backer, or one of a farm's people: signs up, and confirms the address by the link of the mail. */
async function joinSite(joining: Joining, named: Named): Promise<Person> {
  const { asOwner, asVisitor, at } = joining;
  const { email, fullName, password } = named;
  const visitor = asVisitor(at);
  const form = { email, fullName, password, acceptTerms: true as const, formToken: issueFormToken(visitor) };
  await signUp(visitor, { ...form, next: undefined });
  const person = await findPerson(joining, named);
  await confirmEmail(asOther(asOwner(at), person), { token: await findMailedToken(joining, email) });
  return person;
}

async function findPerson({ tx }: Joining, { email, fullName, password }: Named): Promise<Person> {
  const user = await findUserByEmail(tx, email);
  if (!user) throw new Error(`${email} has not joined the demo`);
  return { id: user.id, email, fullName, password };
}
