import { type ReactNode, useEffect } from "react";
import classes from "./page.module.css";

/** Names the browser tab. The product's name is put behind the title. */
export function useDocumentTitle(title: string, product: string) {
  useEffect(() => {
    document.title = title ? `${title} · ${product}` : product;
  }, [title, product]);
}

type PageProps = {
  children: ReactNode;
  /** "text" keeps lines readable (65 characters), "form" fits one column of fields, "editor" two. */
  width?: "wide" | "text" | "form" | "editor";
};

/** The content column of a page: at most 1140 px, with room around it. */
export function Page({ children, width = "wide" }: PageProps) {
  return (
    <div className={classes.page} data-width={width}>
      {children}
    </div>
  );
}
