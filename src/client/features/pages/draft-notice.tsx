import { can, useViewer } from "#client/lib/session/session.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { pageTextTexts as texts } from "#shared/site/page-texts.ts";

/** Tells an owner that the site still shows what the software's makers wrote. */
export default function DraftNotice() {
  if (!can(useViewer(), "settings:manage")) return null;
  return (
    <Notice tone="caution" title={texts.draft}>
      <p>
        <a href="/admin/settings?tab=site&section=texts">Go to the site's texts</a>
      </p>
    </Notice>
  );
}
