/**
 * Walks over a tree of tree-sitter. Each property of its cursor first copies the cursor into the memory of the parser, which
 * takes longer than what is asked for; here it is copied once and stays there. The functions for that are those that the
 * cursor itself calls, found on the object that the runtime was loaded into (web-tree-sitter 0.27); where they are not there,
 * the cursor is asked.
 */

import type { Tree, TreeCursor } from 'web-tree-sitter';

/** Where a walk stands, and how it goes on. */
export interface TreeWalk {
  typeId(): number;
  fieldId(): number;
  /** UTF-16 units from the start of the text. */
  start(): number;
  end(): number;
  isMissing(): boolean;
  toFirstChild(): boolean;
  toNextSibling(): boolean;
  toParent(): void;
}

type OfTree = (tree: number) => number;

/** The functions that the cursor calls. They read where it stands from the parser's buffer, and leave it there. */
interface Runtime {
  readonly _ts_tree_cursor_current_node_type_id_wasm: OfTree;
  readonly _ts_tree_cursor_current_field_id_wasm: OfTree;
  readonly _ts_tree_cursor_start_index_wasm: OfTree;
  readonly _ts_tree_cursor_end_index_wasm: OfTree;
  readonly _ts_tree_cursor_current_node_is_missing_wasm: OfTree;
  readonly _ts_tree_cursor_goto_first_child_wasm: OfTree;
  readonly _ts_tree_cursor_goto_next_sibling_wasm: OfTree;
  readonly _ts_tree_cursor_goto_parent_wasm: OfTree;
  readonly _ts_init: () => number;
  readonly getValue: (address: number, type: string) => number;
}

const wanted = [
  '_ts_tree_cursor_current_node_type_id_wasm',
  '_ts_tree_cursor_current_field_id_wasm',
  '_ts_tree_cursor_start_index_wasm',
  '_ts_tree_cursor_end_index_wasm',
  '_ts_tree_cursor_current_node_is_missing_wasm',
  '_ts_tree_cursor_goto_first_child_wasm',
  '_ts_tree_cursor_goto_next_sibling_wasm',
  '_ts_tree_cursor_goto_parent_wasm',
  '_ts_init',
  'getValue',
];

function isRuntime(value: object): value is Runtime {
  return wanted.every((name) => typeof Reflect.get(value, name) === 'function');
}

/** The runtime of this process, and where it keeps the cursor under way. */
let loaded: { readonly runtime: Runtime; readonly buffer: number } | null = null;

/**
 * To be called with the object that `Parser.init` was given, when it is done. The first one counts: a process has one runtime.
 * Whether there is a short way now.
 */
export function useRuntime(module: object): boolean {
  if (!loaded && isRuntime(module)) loaded = { runtime: module, buffer: module._ts_init() };
  return loaded !== null;
}

/** Calls `visit` with a walk that stands at the root; the walk ends with it. Nothing else may be asked of the parser meanwhile. */
export function walkTree<T>(tree: Tree, visit: (walk: TreeWalk) => T): T {
  const cursor = tree.walk();
  const address: unknown = Reflect.get(tree, 0);
  try {
    if (!loaded || typeof address !== 'number') return visit(walkOf(cursor));
    // Whatever is asked of the cursor puts it into the buffer.
    cursor.nodeTypeId;
    try {
      return visit(directWalk(loaded.runtime, address));
    } finally {
      for (const index of [0, 1, 2, 3])
        Reflect.set(cursor, index, loaded.runtime.getValue(loaded.buffer + index * bytesOfInt, 'i32'));
    }
  } finally {
    cursor.delete();
  }
}

const bytesOfInt = 4;

function directWalk(runtime: Runtime, tree: number): TreeWalk {
  return {
    typeId: () => runtime._ts_tree_cursor_current_node_type_id_wasm(tree),
    fieldId: () => runtime._ts_tree_cursor_current_field_id_wasm(tree),
    start: () => runtime._ts_tree_cursor_start_index_wasm(tree),
    end: () => runtime._ts_tree_cursor_end_index_wasm(tree),
    isMissing: () => runtime._ts_tree_cursor_current_node_is_missing_wasm(tree) === 1,
    toFirstChild: () => runtime._ts_tree_cursor_goto_first_child_wasm(tree) === 1,
    toNextSibling: () => runtime._ts_tree_cursor_goto_next_sibling_wasm(tree) === 1,
    toParent: () => {
      runtime._ts_tree_cursor_goto_parent_wasm(tree);
    },
  };
}

function walkOf(cursor: TreeCursor): TreeWalk {
  return {
    typeId: () => cursor.nodeTypeId,
    fieldId: () => cursor.currentFieldId,
    start: () => cursor.startIndex,
    end: () => cursor.endIndex,
    isMissing: () => cursor.nodeIsMissing,
    toFirstChild: () => cursor.gotoFirstChild(),
    toNextSibling: () => cursor.gotoNextSibling(),
    toParent: () => {
      cursor.gotoParent();
    },
  };
}
