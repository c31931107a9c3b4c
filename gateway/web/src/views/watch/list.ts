import type { NumberType } from '../../api/memory';
import { tell } from '../../ui/toast';
import { keptStore } from '../../ui/store';

/** What is watched: a property by its name, or a location as a number. */
export type Watched = { name: string } | { location: string; type: NumberType };

/** What is watched, by the title of the game. */
export const watched = keptStore<Record<string, Watched[]>>('watched', {});

export const keyOf = (one: Watched): string => ('name' in one ? one.name : `${one.location} ${one.type}`);

const Longest = 64;

let game = '';

/** Whose list it is. */
export function setGame(title: string): void {
  game = title;
}

export function listOf(title: string): Watched[] {
  return watched.value[title] ?? [];
}

export function setList(title: string, list: Watched[]): void {
  watched.value = { ...watched.value, [title]: list.slice(0, Longest) };
}

export function watch(one: Watched): void {
  const list = listOf(game);
  if (!list.some((other) => keyOf(other) === keyOf(one))) {
    setList(game, [...list, one]);
  }
  tell(`${keyOf(one)} is on the list of the Watch view.`);
}

export function watchLocation(location: string, type: NumberType): void {
  watch({ location, type });
}
