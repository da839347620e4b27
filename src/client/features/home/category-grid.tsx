import {
  IconBuildingCommunity,
  IconDrone,
  IconEgg,
  IconLeaf,
  IconPlant2,
  IconSchool,
  IconTractor,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type CategoryId, categories } from "#shared/categories.ts";
import classes from "./category-grid.module.css";

const icons: Record<CategoryId, typeof IconLeaf> = {
  sustainable: IconPlant2,
  organic: IconLeaf,
  livestock: IconEgg,
  tech: IconDrone,
  community: IconBuildingCommunity,
  education: IconSchool,
  equipment: IconTractor,
};

export function CategoryGrid() {
  return (
    <ul className={classes.grid}>
      {categories.map(({ id, name }) => {
        const Icon = icons[id];
        return (
          <li key={id}>
            <Link to="/discover" search={{ category: id }} className={classes.tile}>
              <Icon size={32} stroke={1.5} aria-hidden="true" />
              {name}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
