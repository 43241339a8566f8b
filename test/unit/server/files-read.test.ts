import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileReader } from '../../../src/server/files-read.ts';

const disk = { stat: (file: string) => statSync(file), read: (file: string) => readFileSync(file) };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'files-read-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file that was changed last `ago` seconds before now. */
function write(name: string, text: string, ago: number): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  const time = Date.now() / 1000 - ago;
  utimesSync(file, time, time);
  return file;
}

test('a file that changes is read again', () => {
  const read = createFileReader(disk);
  const uri = write('a.h', 'int a;', 100);
  expect(read(uri)).toBe('int a;');
  write('a.h', 'int b;', 50);
  expect(read(uri)).toBe('int b;');
});

test('a file that was written just now is read again even though its time and size are the same', () => {
  const read = createFileReader(disk);
  const file = path.join(folder, 'a.h');
  const time = Date.now() / 1000;
  for (const text of ['int a;', 'int b;']) {
    writeFileSync(file, text);
    utimesSync(file, time, time);
    expect(read(file)).toBe(text);
  }
});

test('a settled file of the same time and size is not read again', () => {
  const read = createFileReader(disk);
  const file = path.join(folder, 'a.h');
  const time = Date.now() / 1000 - 100;
  for (const text of ['int a;', 'int b;']) {
    writeFileSync(file, text);
    utimesSync(file, time, time);
  }
  expect(read(file)).toBe('int b;');
  writeFileSync(file, 'int c;');
  utimesSync(file, time, time);
  expect(read(file)).toBe('int b;');
});

test('what is gone, a folder or no text is undefined, and comes back when it does', () => {
  const read = createFileReader(disk);
  const uri = write('a.h', 'int a;', 100);
  expect(read(uri)).toBe('int a;');
  rmSync(path.join(folder, 'a.h'));
  expect(read(uri)).toBeUndefined();
  expect(read(folder)).toBeUndefined();
  expect(read(write('b.h', 'a\0b', 100))).toBeUndefined();
  expect(read(write('a.h', 'int a;', 100))).toBe('int a;');
});

test('what is no file is not read: it may never end', () => {
  const read = createFileReader({
    stat: () => ({ size: 0, mtimeMs: 0, isFile: () => false }),
    read: () => {
      throw new Error('read for ever');
    },
  });
  expect(read('/dev/zero')).toBeUndefined();
});

test('a compilation database may be larger than a source text', () => {
  const sizes = [15, 17, 255, 257];
  const read = (name: string) =>
    sizes.filter((size) => {
      const disk = {
        stat: () => ({ size: size << 20, mtimeMs: 0, isFile: () => true }),
        read: () => Buffer.from('[]'),
      };
      return createFileReader(disk)(`file:///p/${name}`) !== undefined;
    });
  expect(read('a.h')).toEqual([15]);
  expect(read('compile_commands.json')).toEqual([15, 17, 255]);
});

test('a header that is no UTF-8 is read as the command reads it', () => {
  const read = createFileReader(disk);
  const saved = (name: string, bytes: Uint8Array): string => {
    const file = write(name, '', 100);
    writeFileSync(file, bytes);
    return file;
  };
  expect(read(saved('wide.h', Buffer.from('\uFEFFint a;', 'utf16le')))).toBe('int a;');
  expect(read(saved('latin.h', Buffer.from('// \u00e9', 'latin1')))).toBe('// \u00e9');
  expect(read(saved('marked.h', Buffer.from('\uFEFFint a;')))).toBe('int a;');
});
