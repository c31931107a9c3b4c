import { options, type VNode } from 'preact';

const Marks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const Shown = ['title', 'aria-label', 'label', 'alt', 'placeholder'];

/** A text with marks of direction as `\u202E`: with them a name looks like another one. */
export const escaped = (text: string): string => text.replace(Marks, (mark) => `\\u${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);

const shown = (child: unknown): unknown => typeof child === 'string' ? escaped(child) : Array.isArray(child) ? child.map(shown) : child;

/** Shows all texts of the page so; what is sent to the gateway stays as it is. */
export function escapeTexts(): void {
  const before = options.vnode;
  options.vnode = (vnode: VNode) => {
    if (typeof vnode.type === 'string') {
      const props = vnode.props as Record<string, unknown>;
      props.children = shown(props.children);
      for (const name of Shown) {
        if (typeof props[name] === 'string') {
          props[name] = escaped(props[name] as string);
        }
      }
    }
    before?.(vnode);
  };
}
