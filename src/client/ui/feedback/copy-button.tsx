import { Button, type ButtonProps } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";

type CopyButtonProps = Pick<ButtonProps, "size" | "variant" | "fullWidth"> & {
  text: string;
  /** A name for the copied text, for people who don't see what stands beside: "account number". */
  what: string;
  /** Shows that name too, where nothing beside the button says what it copies. */
  isNamed?: boolean;
  /** The icon alone, in a dense table. */
  isIconOnly?: boolean;
};

/** Copies `text` and says "Copied" for two seconds, to the ear as well. */
export function CopyButton(props: CopyButtonProps) {
  const { text, what, size = "sm", variant = "default", fullWidth, isNamed, isIconOnly } = props;
  const { copy, copied, error } = useClipboard({ timeout: 2000 });
  // Plain http and older phones give no access to the clipboard.
  const words = copied ? "Copied" : error ? (isNamed ? "Can't copy" : "Select and copy it") : "Copy";
  const icon = copied ? <IconCheck size={16} /> : <IconCopy size={16} />;
  return (
    <>
      <Button
        size={size}
        variant={variant}
        fullWidth={fullWidth}
        leftSection={isIconOnly ? undefined : icon}
        aria-label={`${words} ${what}`}
        onClick={() => copy(text)}
      >
        {isIconOnly ? icon : isNamed ? `${words} ${what}` : words}
      </Button>
      <span className="visually-hidden" aria-live="polite">
        {copied ? `Copied ${what}` : ""}
      </span>
    </>
  );
}
