import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { errorText } from "#client/lib/errors.ts";
import { saveFile } from "#client/lib/save-file.ts";
import { toast } from "#client/lib/toast.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { SectionCard } from "#client/ui/layout/section-card.tsx";
import { accountTexts, exportPath } from "#shared/account-texts.ts";
import classes from "./account.module.css";

/** Everything we hold about the person, as one file. */
export function DataCard() {
  const download = useMutation({
    mutationFn: () => saveFile(exportPath, "my-data.json"),
    onSuccess: () => toast.success("Your data were downloaded"),
  });
  return (
    <SectionCard
      title="Your data"
      text="Your account, sign-ins, favorites, backings, payments, messages, notifications and what you sent us from your address in one JSON file, which any computer can read."
    >
      {download.error && (
        <Notice tone="negative" isAlert title={accountTexts.exportFailed}>
          <p>{errorText(download.error)}</p>
        </Notice>
      )}
      <Button
        className={classes.action}
        variant="default"
        leftSection={<IconDownload size={18} aria-hidden="true" />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Download my data
      </Button>
    </SectionCard>
  );
}
