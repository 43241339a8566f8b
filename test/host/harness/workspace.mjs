/** The folder that tests open: their own programs, and the examples that ship with the project. A copy, theirs to change. */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { root, workspace } from './places.mjs';

export function copyWorkspace(target) {
  cpSync(workspace, target, { recursive: true });
  cpSync(path.join(root, 'examples'), path.join(target, 'examples'), { recursive: true });
  return target;
}
