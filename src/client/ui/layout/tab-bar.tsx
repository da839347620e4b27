import "@mantine/core/styles/Tabs.layer.css";
import { Tabs } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import classes from "./tab-bar.module.css";

type TabBarProps<Id extends string> = {
  /** The name of the tabs: "Project details". */
  label: string;
  tabs: readonly { id: Id; label: string; panel: () => ReactNode; isDisabled?: boolean }[];
  value: Id;
  onChange: (id: Id) => void;
};

/** Tabs whose panel is made when it is shown. The screen keeps the chosen one, as a rule in the address bar. */
export function TabBar<Id extends string>({ label, tabs, value, onChange }: TabBarProps<Id>) {
  const list = useRef<HTMLDivElement>(null);
  // On phones the bar scrolls sideways: the chosen tab comes into sight, also when the address named it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the chosen tab.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>("[data-active]");
    if (!list.current || !tab) return;
    list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2;
  }, [value]);
  return (
    <Tabs
      value={value}
      keepMounted={false}
      classNames={{ list: classes.list, tab: classes.tab, panel: classes.panel }}
      onChange={(next) => {
        const tab = tabs.find(({ id }) => id === next);
        if (tab) onChange(tab.id);
      }}
    >
      <Tabs.List ref={list} aria-label={label}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.id} value={tab.id} disabled={tab.isDisabled ?? false}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.id} value={tab.id}>
          {tab.id === value && tab.panel()}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
