import "#client/ui/mantine/fields.css";
import { Input, NativeSelect } from "@mantine/core";
import { Editor } from "@tiptap/core";
import { Blockquote } from "@tiptap/extension-blockquote";
import { Bold } from "@tiptap/extension-bold";
import { Document } from "@tiptap/extension-document";
import { HardBreak } from "@tiptap/extension-hard-break";
import { Heading } from "@tiptap/extension-heading";
import { HorizontalRule } from "@tiptap/extension-horizontal-rule";
import { Italic } from "@tiptap/extension-italic";
import { Link } from "@tiptap/extension-link";
import { BulletList, ListItem, ListKeymap, OrderedList } from "@tiptap/extension-list";
import { Paragraph } from "@tiptap/extension-paragraph";
import { Strike } from "@tiptap/extension-strike";
import { Text } from "@tiptap/extension-text";
import { Underline } from "@tiptap/extension-underline";
import { Dropcursor, Gapcursor, TrailingNode, UndoRedo } from "@tiptap/extensions";
import { type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect, useReducer, useRef, useState } from "react";
import richText from "#client/ui/media/rich-text.module.css";
import classes from "./text-editor.module.css";
import { TextEditorTools } from "./text-editor-tools.tsx";

type TextEditorProps = {
  label: string;
  description: string;
  /** The form's name of the field, by which it is found and focused. */
  path: string;
  value: string;
  error: ReactNode;
  onChange: (html: string) => void;
  /** Short texts that can be put in where the caret stands, with what the menu calls them. */
  inserts?: { label: string; options: readonly { value: string; label: string }[] } | undefined;
};

/** The page's policy allows styles with its nonce only; browsers hide it from getAttribute, the property still has it. */
const styleNonce = () => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

/** Formatted text. Large (Tiptap): screens import it lazily. */
export default function TextEditor(props: TextEditorProps) {
  const { label, description, path, value, error, onChange, inserts } = props;
  const id = useId();
  const isInvalid = Boolean(error);
  const shown = useRef(value);
  const place = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [, showState] = useReducer((count: number) => count + 1, 0);
  const tell = useEffectEvent((html: string) => {
    shown.current = html;
    onChange(html);
  });
  useLayoutEffect(() => {
    const made = new Editor({
      element: place.current,
      extensions,
      content: shown.current,
      injectNonce: styleNonce(),
      onTransaction: () => showState(),
      onUpdate: ({ editor: changed }) => tell(changed.isEmpty ? "" : changed.getHTML()),
    });
    setEditor(made);
    return () => {
      setEditor(null);
      made.destroy();
    };
  }, []);
  useEffect(() => {
    editor?.setOptions({
      editorProps: {
        attributes: {
          role: "textbox",
          "aria-multiline": "true",
          "aria-required": "true",
          "aria-labelledby": `${id}-label`,
          "aria-describedby": isInvalid ? `${id}-description ${id}-error` : `${id}-description`,
          "aria-invalid": String(isInvalid),
          "data-path": path,
          class: `${richText.text} ${classes.text}`,
        },
      },
    });
  }, [editor, id, isInvalid, path]);
  // Another text from outside, such as somebody else's version; what was typed here comes back as it is.
  useEffect(() => {
    if (!editor || value === shown.current) return;
    shown.current = value;
    editor.commands.setContent(value, { emitUpdate: false });
  }, [editor, value]);

  return (
    <div className={classes.field}>
      <Input.Label id={`${id}-label`} size="md" required labelElement="div" onClick={() => editor?.commands.focus()}>
        {label}
      </Input.Label>
      <Input.Description size="md" id={`${id}-description`}>
        {description}
      </Input.Description>
      <div className={classes.editor} data-error={isInvalid || undefined}>
        {editor && <TextEditorTools editor={editor} label={`Formatting of ${label}`} />}
        {editor && inserts && (
          <NativeSelect
            className={classes.inserts}
            aria-label={inserts.label}
            data={[{ value: "", label: inserts.label }, ...inserts.options]}
            value=""
            onChange={({ currentTarget }) => editor.chain().focus().insertContent(currentTarget.value).run()}
          />
        )}
        <div ref={place} />
      </div>
      {error && (
        <Input.Error size="md" id={`${id}-error`} role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  );
}

/** Keeps what links lead to. A heading that is split off gets an id of its own when it is saved. */
const NamedHeading = Heading.extend({
  addAttributes() {
    const id = {
      default: null,
      keepOnSplit: false,
      parseHTML: (element: HTMLElement) => element.getAttribute("id"),
      renderHTML: (given: Record<string, unknown>) => (typeof given.id === "string" ? { id: given.id } : {}),
    };
    return { ...this.parent?.(), id };
  },
});

/** Only what the server keeps: its allowlist knows these elements. */
const extensions = [
  Bold,
  Blockquote,
  BulletList,
  Document,
  Dropcursor,
  Gapcursor,
  HardBreak,
  NamedHeading.configure({ levels: [2, 3, 4] }),
  UndoRedo,
  HorizontalRule,
  Italic,
  ListItem,
  ListKeymap,
  Link.configure({ openOnClick: false, defaultProtocol: "https", protocols: ["http", "https", "mailto", "tel"] }),
  OrderedList,
  Paragraph,
  Strike,
  Text,
  Underline,
  TrailingNode,
];
