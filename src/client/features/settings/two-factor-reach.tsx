import { errorText } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import classes from "./settings.module.css";

/** The effect of making two-factor sign-in mandatory, and the people it concerns. */
export function TwoFactorReach() {
  const { data, error } = trpc.twoFactor.adminsWithout.useQuery(undefined, { staleTime: 0 });
  if (!data && !error) {
    return (
      <Loading label="Looking who has none yet">
        <SkeletonText lines={4} />
      </Loading>
    );
  }
  return (
    <ul className={classes.consequences}>
      {error && <li role="alert">Who has none yet could not be loaded: {errorText(error)}</li>}
      {data?.count === 0 && <li>Every administrator has set it up already: nobody is stopped.</li>}
      {data && data.count > 0 && (
        <li>
          {data.count === 1 ? "1 administrator has" : `${data.count} administrators have`} none yet:{" "}
          <strong>{namesOf(data)}</strong>.
        </li>
      )}
      <li>
        Whoever has none must set it up at their next click. Until then nothing can be done in the admin area, you too.
      </li>
      <li>Nobody can switch it off again for themselves while this is on.</li>
    </ul>
  );
}

type Reach = { count: number; admins: { fullName: string; isSelf: boolean }[] };

function namesOf({ count, admins }: Reach): string {
  const names = admins.map(({ fullName, isSelf }) => (isSelf ? `${fullName} (you)` : fullName));
  return count > names.length ? `${names.join(", ")} and ${count - names.length} more` : names.join(", ");
}
