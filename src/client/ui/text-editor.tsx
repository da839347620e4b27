import { Input } from "@mantine/core";
import { RichTextEditor } from "@mantine/tiptap";
import "@mantine/tiptap/styles.layer.css";
import { useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { type ReactNode, useEffect, useId, useRef } from "react";
import classes from "./text-editor.module.css";

type TextEditorProps = {
  label: string;
  description: string;
  /** The form's name of the field, by which it is found and focused. */
  path: string;
  value: string;
  error: ReactNode;
  onChange: (html: string) => void;
};

/** The page's policy allows styles with its nonce only; browsers hide it from getAttribute, the property still has it. */
const styleNonce = () => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

/** Only what the server keeps: its allowlist knows these elements. */
const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    code: false,
    codeBlock: false,
    link: { openOnClick: false, defaultProtocol: "https", protocols: ["http", "https", "mailto", "tel"] },
  }),
];

/** Formatted text. Fetched late (Tiptap is large): screens import it lazily. */
export default function TextEditor({ label, description, path, value, error, onChange }: TextEditorProps) {
  const id = useId();
  const isInvalid = Boolean(error);
  const shown = useRef(value);
  const editor = useEditor({
    extensions,
    content: value,
    injectNonce: styleNonce(),
    shouldRerenderOnTransaction: true,
    onUpdate: ({ editor: changed }) => {
      shown.current = changed.isEmpty ? "" : changed.getHTML();
      onChange(shown.current);
    },
  });
  useEffect(() => {
    if (editor.isDestroyed) return;
    editor.setOptions({
      editorProps: {
        attributes: {
          role: "textbox",
          "aria-multiline": "true",
          "aria-required": "true",
          "aria-labelledby": `${id}-label`,
          "aria-describedby": isInvalid ? `${id}-description ${id}-error` : `${id}-description`,
          "aria-invalid": String(isInvalid),
          "data-path": path,
        },
      },
    });
  }, [editor, id, isInvalid, path]);
  // Another text from outside, such as somebody else's version; what was typed here comes back as it is.
  useEffect(() => {
    if (value === shown.current || editor.isDestroyed) return;
    shown.current = value;
    editor.commands.setContent(value, { emitUpdate: false });
  }, [editor, value]);

  return (
    <div className={classes.field}>
      <Input.Label id={`${id}-label`} size="md" required labelElement="div" onClick={() => editor.commands.focus()}>
        {label}
      </Input.Label>
      <Input.Description size="md" id={`${id}-description`}>
        {description}
      </Input.Description>
      <RichTextEditor editor={editor} className={classes.editor} data-error={isInvalid || undefined} variant="subtle">
        <RichTextEditor.Toolbar role="toolbar" aria-label={`Formatting of ${label}`}>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Bold />
            <RichTextEditor.Italic />
            <RichTextEditor.Underline />
            <RichTextEditor.ClearFormatting />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.H2 />
            <RichTextEditor.H3 />
            <RichTextEditor.BulletList />
            <RichTextEditor.OrderedList />
            <RichTextEditor.Blockquote />
            <RichTextEditor.Hr />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Link />
            <RichTextEditor.Unlink />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Undo />
            <RichTextEditor.Redo />
          </RichTextEditor.ControlsGroup>
        </RichTextEditor.Toolbar>
        <RichTextEditor.Content />
      </RichTextEditor>
      {error && (
        <Input.Error size="md" id={`${id}-error`} role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  );
}
