import { Store } from './store';

/** What happened, for some seconds; screen readers read it. */
export const toast = new Store<{ text: string; bad: boolean } | null>(null);

let timer = 0;

/** Shows a sentence for some seconds. */
export function tell(text: string, bad = false): void {
  clearTimeout(timer);
  toast.value = { text, bad };
  timer = window.setTimeout(() => { toast.value = null; }, bad ? 8000 : 4000);
}
