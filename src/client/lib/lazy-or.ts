import { type ComponentType, lazy } from "react";

/**
 * A component whose code is fetched when it first shows. Where that fails, the substitute takes its place, so that the page
 * outlives it with all that was typed.
 */
export const lazyOr = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  substitute: ComponentType<NoInfer<Props>>,
) => lazy<ComponentType<Props>>(() => load().catch(() => ({ default: substitute })));

/** The substitute of what a page does well without. */
export const Nothing = () => null;
