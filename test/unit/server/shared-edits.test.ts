/** What the two threads of the server tell each other about edits. */

import { describe, expect, test } from 'vitest';
import { countEdit, createEditsSeen, createSharedEdits } from '../../../src/server/shared-edits.ts';

const edit = (uri: string, method = 'textDocument/didChange') => ({ method, params: { textDocument: { uri } } });

describe('shared edits', () => {
  test('an edit waits from its arrival until it is taken up', () => {
    const shared = createSharedEdits();
    const edits = createEditsSeen(shared);
    expect(edits.editsWaiting('file:///a.cu')).toBe(false);
    countEdit(shared, edit('file:///a.cu'));
    countEdit(shared, edit('file:///a.cu'));
    expect(edits.editsWaiting('file:///a.cu')).toBe(true);
    expect(edits.editsWaiting('file:///b.cu')).toBe(false);
    edits.takeUp(edit('file:///a.cu'));
    expect(edits.editsWaiting('file:///a.cu')).toBe(true);
    edits.takeUp(edit('file:///a.cu'));
    expect(edits.editsWaiting('file:///a.cu')).toBe(false);
  });

  test('closing outdates an analysis as well; other messages and malformed ones do not', () => {
    const shared = createSharedEdits();
    const edits = createEditsSeen(shared);
    for (const message of [
      edit('file:///a.cu', 'textDocument/didSave'),
      null,
      {},
      { method: 'textDocument/didChange' },
    ]) {
      countEdit(shared, message);
    }
    expect(edits.editsWaiting('file:///a.cu')).toBe(false);
    countEdit(shared, edit('file:///a.cu', 'textDocument/didClose'));
    expect(edits.editsWaiting('file:///a.cu')).toBe(true);
  });

  test('every message counts as a message, taken up or not', () => {
    const shared = createSharedEdits();
    const edits = createEditsSeen(shared);
    const before = edits.messages();
    countEdit(shared, { method: 'textDocument/hover', id: 1 });
    countEdit(shared, edit('file:///a.cu'));
    expect(edits.messages()).toBe(before + 2);
    edits.takeUp(edit('file:///a.cu'));
    expect(edits.messages()).toBe(before + 2);
  });
});
