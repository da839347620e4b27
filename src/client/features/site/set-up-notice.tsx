import { can, useViewer } from "#client/lib/session/session.ts";
import { useSite } from "#client/lib/site.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { setupProgress } from "#shared/site/setup-texts.ts";
import classes from "./set-up.module.css";

/** How far the set-up is, for owners, until all of it is done. Nothing in the demo, and where it can't be told. */
export default function SetUpNotice() {
  const { isDemo } = useSite();
  const isAsked = can(useViewer(), "settings:manage") && !isDemo;
  const { data } = trpc.setup.steps.useQuery(undefined, { enabled: isAsked, staleTime: 0 });
  if (!data || data.steps.every(({ isDone }) => isDone)) return null;
  return (
    <div className={classes.notice}>
      <Notice
        tone={data.isClosedForMoney ? "caution" : "neutral"}
        title={
          <TextLink to="/admin/set-up" inherit>
            Set up this site
          </TextLink>
        }
      >
        <p>{setupProgress(data.steps)}</p>
      </Notice>
    </div>
  );
}
