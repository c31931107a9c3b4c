import { keptStore } from '../ui/store';

export type Theme = 'auto' | 'light' | 'dark';

/** Light or dark; auto follows the system. */
export const theme = keptStore<Theme>('theme', 'auto');

const apply = () => {
  if (theme.value === 'auto') {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme.value;
  }
};

theme.follow(apply);
apply();
