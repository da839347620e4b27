import { Button, TextInput } from "@mantine/core";
import type { Editor } from "@tiptap/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { addressOf } from "#client/lib/typed-address.ts";
import classes from "./text-editor.module.css";

type TextEditorLinkProps = { editor: Editor; onClose: () => void };

/** Asks where the selected text, or the link that the caret stands in, shall lead. No address takes the link away. */
export function TextEditorLink({ editor, onClose }: TextEditorLinkProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string>(editor.getAttributes("link").href ?? "");
  const [isRefused, setIsRefused] = useState(false);
  useEffect(() => input.current?.focus(), []);

  const save = () => {
    const href = addressOf(typed);
    if (!editor.can().setLink({ href })) return setIsRefused(true);
    const chain = editor.chain().focus().extendMarkRange("link");
    (href === "" ? chain.unsetLink() : chain.setLink({ href })).run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter would send the form that the editor stands in.
    if (event.key === "Enter") event.preventDefault();
    if (event.key === "Enter") save();
    if (event.key === "Escape") onClose();
  };
  return (
    <div className={classes.link}>
      <TextInput
        ref={input}
        aria-label="Enter URL"
        placeholder="https://"
        type="url"
        inputMode="url"
        value={typed}
        error={isRefused && "A link starts with https://, http://, mailto: or tel:"}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setIsRefused(false);
        }}
        onKeyDown={onKeyDown}
      />
      <Button variant="default" onClick={save}>
        Set link
      </Button>
    </div>
  );
}
