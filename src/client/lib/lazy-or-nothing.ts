import { type ComponentType, lazy } from "react";

/** A part that a page does without where its code can't be fetched. */
export const lazyOrNothing = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy<ComponentType<Props>>(() => load().catch(() => ({ default: () => null })));
