import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { errorText } from "#client/lib/errors.ts";
import { saveFile } from "#client/lib/save-file.ts";
import { toast } from "#client/lib/toast.ts";

type PaperButtonProps = {
  label?: string;
  /** A suffix for screen readers: which paper it is. */
  name: string;
  /** Which paper it is, asked for when somebody presses. */
  find: () => Promise<{ number: string; url: string }>;
};

/** Gives a paper's PDF to the browser to save. The first download of one takes a moment: it is made then. */
export function PaperButton({ label = "Download", name, find }: PaperButtonProps) {
  const save = useMutation({
    mutationFn: async () => {
      const { number, url } = await find();
      await saveFile(url, `${number}.pdf`);
    },
    onError: (error) => toast.error("The paper could not be downloaded.", errorText(error)),
  });
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<IconDownload size={16} aria-hidden="true" />}
      loading={save.isPending}
      aria-label={`${label} ${name}`}
      onClick={() => save.mutate()}
    >
      {label}
    </Button>
  );
}
