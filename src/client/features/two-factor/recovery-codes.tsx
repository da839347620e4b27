import { Button, Checkbox, Group } from "@mantine/core";
import { IconDownload, IconPrinter } from "@tabler/icons-react";
import { useEffect, useId, useRef, useState } from "react";
import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { brand } from "#shared/brand.ts";
import classes from "./two-factor.module.css";

function download(codes: string[]) {
  const lines = [`${brand.name} recovery codes`, "Each works once, in place of a code from the app.", "", ...codes, ""];
  const url = URL.createObjectURL(new Blob([lines.join("\n")], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${brand.name.toLowerCase()}-recovery-codes.txt`;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Shown once: the person says that they were kept before they go. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const [isKept, setIsKept] = useState(false);
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // What was pressed is gone: the reader goes on here.
  useEffect(() => heading.current?.focus(), []);
  return (
    <div>
      <h3 ref={heading} className={classes.stepTitle} id={headingId} tabIndex={-1}>
        Keep your recovery codes
      </h3>
      <p className={classes.text}>
        If you lose your phone, each of these lets you sign in once. Keep them where only you can read them, not on the
        same phone. They are shown only now.
      </p>
      <div className={classes.printed}>
        <p className={classes.printTitle}>{brand.name} recovery codes. Each works once.</p>
        <ul className={classes.codes} aria-labelledby={headingId}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <Group gap="sm" mb="md">
        <CopyButton text={codes.join("\n")} what="recovery codes" />
        <Button size="sm" variant="default" leftSection={<IconDownload size={16} />} onClick={() => download(codes)}>
          Download
        </Button>
        <Button size="sm" variant="default" leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
          Print
        </Button>
      </Group>
      <Checkbox
        mb="md"
        label="I have kept them"
        checked={isKept}
        onChange={(event) => setIsKept(event.currentTarget.checked)}
      />
      <Button disabled={!isKept} onClick={onKept}>
        Done
      </Button>
    </div>
  );
}
