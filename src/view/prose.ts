/** Messages as people write them: what stands between backticks is code. */

import { h } from './dom.ts';

export function prose(text: string): (Node | string)[] {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? h('code', {}, part) : part));
}
