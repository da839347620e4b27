import { Link } from "@tanstack/react-router";
import { can, useViewer } from "#client/lib/session/session.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { pageTextTexts as texts } from "#shared/site/page-texts.ts";
import classes from "./doc-page.module.css";

/** Tells an owner that the site still shows what the software's makers wrote. */
export default function DraftNotice() {
  if (!can(useViewer(), "settings:manage")) return null;
  return (
    <div className={classes.draft}>
      <Notice tone="caution" title={texts.draft}>
        <p>
          <Link to="/admin/settings" search={{ tab: "site", section: "texts" }}>
            Go to the site's texts
          </Link>
        </p>
      </Notice>
    </div>
  );
}
