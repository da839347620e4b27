import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import {
  IconBlockquote,
  IconBold,
  IconClearFormatting,
  IconCornerUpLeft,
  IconCornerUpRight,
  IconH2,
  IconH3,
  IconItalic,
  IconLineDashed,
  IconLink,
  IconList,
  IconListNumbers,
  type IconProps,
  IconUnderline,
  IconUnlink,
} from "@tabler/icons-react";
import type { ChainedCommands, Editor } from "@tiptap/core";
import { type ComponentType, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { addressOf } from "#client/lib/addresses.ts";
import iconButton from "#client/ui/layout/icon-button.module.css";
import classes from "./text-editor.module.css";

type Tool = {
  label: string;
  Icon: ComponentType<IconProps>;
  run: (chain: ChainedCommands) => ChainedCommands;
  /** The mark or node at the caret for which the tool is on; without it the tool is never on. */
  on?: [name: string, attributes?: Record<string, unknown>];
  /** Without it the tool can always be used. */
  can?: (editor: Editor) => boolean;
};

const link = "Link";
const groups: Tool[][] = [
  [
    { label: "Bold", Icon: IconBold, run: (chain) => chain.toggleBold(), on: ["bold"] },
    { label: "Italic", Icon: IconItalic, run: (chain) => chain.toggleItalic(), on: ["italic"] },
    { label: "Underline", Icon: IconUnderline, run: (chain) => chain.toggleUnderline(), on: ["underline"] },
    { label: "Clear formatting", Icon: IconClearFormatting, run: (chain) => chain.unsetAllMarks() },
  ],
  [
    {
      label: "Heading 2",
      Icon: IconH2,
      run: (chain) => chain.toggleHeading({ level: 2 }),
      on: ["heading", { level: 2 }],
    },
    {
      label: "Heading 3",
      Icon: IconH3,
      run: (chain) => chain.toggleHeading({ level: 3 }),
      on: ["heading", { level: 3 }],
    },
    { label: "Bullet list", Icon: IconList, run: (chain) => chain.toggleBulletList(), on: ["bulletList"] },
    { label: "Ordered list", Icon: IconListNumbers, run: (chain) => chain.toggleOrderedList(), on: ["orderedList"] },
    { label: "Blockquote", Icon: IconBlockquote, run: (chain) => chain.toggleBlockquote(), on: ["blockquote"] },
    { label: "Horizontal line", Icon: IconLineDashed, run: (chain) => chain.setHorizontalRule() },
  ],
  [
    { label: link, Icon: IconLink, run: (chain) => chain, on: ["link"] },
    { label: "Remove link", Icon: IconUnlink, run: (chain) => chain.unsetLink() },
  ],
  [
    { label: "Undo", Icon: IconCornerUpLeft, run: (chain) => chain.undo(), can: (editor) => editor.can().undo() },
    { label: "Redo", Icon: IconCornerUpRight, run: (chain) => chain.redo(), can: (editor) => editor.can().redo() },
  ],
];

/** Moves among the tools as in every toolbar: with the arrow keys, round and round. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>) {
  const tools = [...event.currentTarget.querySelectorAll("button")];
  const at = event.target instanceof HTMLButtonElement ? tools.indexOf(event.target) : -1;
  const to = { ArrowLeft: at - 1, ArrowRight: (at + 1) % tools.length, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  tools.at(to)?.focus();
}

/** The editor's toolbar, one stop of the Tab key. It shows the state of the render: render it with each transaction. */
export function TextEditorTools({ editor, label }: { editor: Editor; label: string }) {
  const [tabStop, setTabStop] = useState("Bold");
  const [isLinking, setIsLinking] = useState(false);
  useEffect(() => {
    const close = () => setIsLinking(false);
    editor.on("focus", close);
    return () => {
      editor.off("focus", close);
    };
  }, [editor]);
  return (
    <>
      <div className={classes.tools} role="toolbar" aria-label={label} onKeyDown={moveFocus}>
        {groups.map((tools) => (
          <div key={tools[0]?.label} className={classes.group}>
            {tools.map((tool) => (
              <button
                key={tool.label}
                type="button"
                className={`${iconButton.button} ${classes.tool}`}
                title={tool.label}
                aria-label={tool.label}
                aria-pressed={tool.on && editor.isActive(...tool.on)}
                aria-disabled={tool.can && !tool.can(editor)}
                aria-expanded={tool.label === link ? isLinking : undefined}
                tabIndex={tool.label === tabStop ? 0 : -1}
                onFocus={() => setTabStop(tool.label)}
                // The text keeps its selection, and a phone its keyboard.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() =>
                  tool.label === link ? setIsLinking(!isLinking) : tool.run(editor.chain().focus()).run()
                }
              >
                <tool.Icon size={18} stroke={1.5} aria-hidden="true" />
              </button>
            ))}
          </div>
        ))}
      </div>
      {isLinking && <TextEditorLink editor={editor} onClose={() => editor.commands.focus()} />}
    </>
  );
}

type TextEditorLinkProps = { editor: Editor; onClose: () => void };

/** Asks where the selected text, or the link that the caret stands in, shall lead. No address takes the link away. */
function TextEditorLink({ editor, onClose }: TextEditorLinkProps) {
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
