import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { taskText } from "#shared/tasks/texts.ts";
import classes from "./own-tasks.module.css";

type Task = RouterOutputs["tasks"]["mine"][number];

/** The reader's tasks, the first deadline first. Nothing if there are none, or while it loads. */
export function OwnTasks() {
  const { data } = trpc.tasks.mine.useQuery(undefined, { staleTime: 0 });
  if (!data || data.length === 0) return null;
  return (
    <section className={classes.tasks} aria-labelledby="own-tasks">
      <h2 id="own-tasks" className={classes.title}>
        What needs you
      </h2>
      <ul className={classes.list}>
        {data.map((task) => (
          <li key={`${task.kind} ${"projectId" in task ? `${task.projectId} ${task.until.getTime()}` : ""}`}>
            <TaskLink task={task} />
            {"projectTitle" in task && <span className={classes.about}>{task.projectTitle}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function TaskLink({ task }: { task: Task }) {
  const text = taskText(task);
  switch (task.kind) {
    case "choose":
    case "collect":
      return (
        <TextLink to="/backed-project/$id" params={{ id: String(task.projectId) }} search={{ tab: "harvest" }}>
          {text}
        </TextLink>
      );
    case "pay":
    case "take_offer":
      return (
        <TextLink to="/back-project/$id" params={{ id: String(task.projectId) }}>
          {text}
        </TextLink>
      );
    case "object":
    case "give_account":
      return (
        <TextLink to="/profile" search={{ tab: "money" }}>
          {text}
        </TextLink>
      );
  }
}
