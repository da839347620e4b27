import { Button, type ButtonProps } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";

const FEEDBACK_MS = 2000;

/** The way before the clipboard API, which plain http and older phones lack. */
function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.setAttribute("aria-hidden", "true");
  Object.assign(field.style, { position: "fixed", top: "0", opacity: "0" });
  document.body.append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } finally {
    field.remove();
  }
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

type CopyButtonProps = Pick<ButtonProps, "size" | "variant" | "fullWidth"> & {
  text: string;
  /** What is copied, for people who don't see what stands beside: "account number". */
  what: string;
  /** Shows that name too, where nothing beside the button says what it copies. */
  isNamed?: boolean;
};

/** Copies `text` and says "Copied" for two seconds, to the ear as well. */
export function CopyButton({ text, what, size = "sm", variant = "default", fullWidth, isNamed }: CopyButtonProps) {
  const [result, setResult] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(null), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const words =
    result === "copied" ? "Copied" : result === "failed" ? (isNamed ? "Can't copy" : "Select and copy it") : "Copy";
  return (
    <>
      <Button
        size={size}
        variant={variant}
        fullWidth={fullWidth}
        leftSection={result === "copied" ? <IconCheck size={16} /> : <IconCopy size={16} />}
        aria-label={`${words} ${what}`}
        onClick={async () => {
          // The button takes the focus back from the field of the fallback.
          const focused = document.activeElement;
          const copied = await copyText(text);
          if (focused instanceof HTMLElement) focused.focus();
          setResult(copied ? "copied" : "failed");
        }}
      >
        {words}
        {isNamed && ` ${what}`}
      </Button>
      <span className="visually-hidden" aria-live="polite">
        {result === "copied" ? `Copied ${what}` : ""}
      </span>
    </>
  );
}
