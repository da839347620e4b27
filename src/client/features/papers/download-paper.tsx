import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { errorText } from "#client/lib/errors.ts";
import { saveFile } from "#client/lib/save-file.ts";
import { toast } from "#client/lib/toast.ts";

/** Gives a paper's PDF to the browser to save. The first download of one takes a moment: it is made then. */
export function DownloadPaper({ number, url }: { number: string; url: string }) {
  const save = useMutation({
    mutationFn: () => saveFile(url, `${number}.pdf`),
    onError: (error) => toast.error("The paper could not be downloaded.", errorText(error)),
  });
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<IconDownload size={16} aria-hidden="true" />}
      loading={save.isPending}
      aria-label={`Download ${number}`}
      onClick={() => save.mutate()}
    >
      Download
    </Button>
  );
}
