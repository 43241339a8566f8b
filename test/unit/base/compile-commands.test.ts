import { describe, expect, it } from 'vitest';
import { createCompileCommands, joinPath } from '../../../src/base/compile-commands.ts';

const search = (files: Record<string, string>) => {
  const find = createCompileCommands((path) => files[path]).find;
  return (name: string, from: string): string | undefined => find(name, from)?.path;
};

describe('included files', () => {
  it('are looked for beside the file first', () => {
    const find = search({ '/p/src/a.h': '', '/p/include/a.h': '' });
    expect(find('a.h', '/p/src/x.cu')).toBe('/p/src/a.h');
    expect(find('../include/a.h', '/p/src/x.cu')).toBe('/p/include/a.h');
  });

  it('are found from the folders above, and their include folders', () => {
    const find = search({ '/p/include/lib/a.h': '', '/p/src/deep/b.h': '' });
    expect(find('lib/a.h', '/p/src/deep/x.cu')).toBe('/p/include/lib/a.h');
    expect(find('src/deep/b.h', '/p/tests/x.cu')).toBe('/p/src/deep/b.h');
    expect(find('nowhere.h', '/p/src/x.cu')).toBeUndefined();
  });

  it.each([
    ['a command', { command: 'nvcc -I../inc "-isystem" "/opt/my lib" -c x.cu' }],
    ['words', { arguments: ['nvcc', '-I', '../inc', '-isystem/opt/my lib', '-c', 'x.cu'] }],
  ])('follow the compile command, given as %s', (_, command) => {
    const database = JSON.stringify([{ directory: '/p/out', file: '../src/x.cu', ...command }]);
    const find = search({ '/p/build/compile_commands.json': database, '/p/inc/a.h': '', '/opt/my lib/b.h': '' });
    expect(find('a.h', '/p/src/x.cu')).toBe('/p/inc/a.h');
    expect(find('b.h', '/p/src/x.cu')).toBe('/opt/my lib/b.h');
    expect(find('a.h', '/p/src/header-of-its-own.h')).toBe('/p/inc/a.h');
  });

  it('in angle brackets are those of the project that the compile command leads to', () => {
    const command = 'nvcc -I../include -isystem /usr/local/cuda/include -isystem /p/third -c x.cu';
    const database = JSON.stringify([{ directory: '/p/build', file: '../src/x.cu', command }]);
    const files = { '/p/include/lib/a.h': '', '/p/third/b.h': '', '/usr/local/cuda/include/c.h': '', '/p/src/d.h': '' };
    const { find } = createCompileCommands((path) => ({ ...files, '/p/build/compile_commands.json': database })[path]);
    const angled = (name: string): string | undefined => find(name, '/p/src/x.cu', true)?.path;
    expect(angled('lib/a.h')).toBe('/p/include/lib/a.h');
    expect(angled('b.h')).toBe('/p/third/b.h');
    expect(angled('c.h')).toBeUndefined();
    expect(angled('d.h')).toBeUndefined();
    expect(
      createCompileCommands((path) => (path in files ? '' : undefined)).find('lib/a.h', '/p/src/x.cu', true),
    ).toBeUndefined();
  });

  it.each([
    ['relative to the database', '/p', 'build/compile_commands.json', '.'],
    ['left out', '/p', 'build/compile_commands.json', undefined],
    ['one of Windows', 'C:/p', 'compile_commands.json', 'C:\\p\\build'],
  ])('follow a compile command whose folder is %s', (_, top, name, directory) => {
    const command = directory?.startsWith('C') ? 'nvcc -I..\\inc -c x.cu' : 'nvcc -I../inc -c x.cu';
    const database = JSON.stringify([{ directory, file: '../src/x.cu', command }]);
    const find = search({ [`${top}/${name}`]: database, [`${top}/inc/a.h`]: '' });
    expect(find('a.h', `${top}/src/x.cu`)).toBe(`${top}/inc/a.h`);
  });

  it.each([
    ['a command', { command: 'nvcc @flags.rsp --options-file "more flags.rsp" -c x.cu' }],
    ['words', { arguments: ['nvcc', '@flags.rsp', '--options-file=more flags.rsp', '-c', 'x.cu'] }],
  ])('follow response files, given as %s', (_, command) => {
    const files: Record<string, string> = {
      '/p/compile_commands.json': JSON.stringify([{ directory: '/p/build', file: '/p/src/x.cu', ...command }]),
      '/p/build/flags.rsp': '-I../inc\n@inner.rsp @flags.rsp @nowhere.rsp',
      '/p/build/inner.rsp': '-DINNER="a b"',
      '/p/build/more flags.rsp': '-I"../in c"',
      '/p/inc/a.h': '',
      '/p/in c/b.h': '',
    };
    const { find, defines } = createCompileCommands((path) => files[path]);
    expect(find('a.h', '/p/src/x.cu')?.path).toBe('/p/inc/a.h');
    expect(find('b.h', '/p/src/x.cu')?.path).toBe('/p/in c/b.h');
    expect(defines('/p/src/x.cu')).toContain('INNER=a b');
  });

  it('are found by a large database, of which only the commands asked for are looked into', () => {
    const entries = Array.from({ length: 20_000 }, (_, index) => ({
      directory: '/p',
      file: `src/f${index}.cu`,
      command: `nvcc -Iinc${index} @part${index}.rsp`,
    }));
    const asked: string[] = [];
    const database = JSON.stringify(entries);
    const { find } = createCompileCommands((path) => {
      if (path.endsWith('.rsp')) asked.push(path);
      return path === '/p/compile_commands.json' ? database : path === '/p/inc19999/a.h' ? '' : undefined;
    });
    expect(find('a.h', '/p/src/f19999.cu')?.path).toBe('/p/inc19999/a.h');
    expect(asked.length).toBeLessThan(60);
  });

  it.each(['', '{', '[1, null, {"file": 3}]', '{"a": 1}'])('are found where the database is %j', (database) => {
    const find = search({ '/p/compile_commands.json': database, '/p/a.h': '' });
    expect(find('a.h', '/p/src/x.cu')).toBe('/p/a.h');
  });

  it.each([
    ['/a/b', '../c', '/a/c'],
    ['/a', './b/./c', '/a/b/c'],
    ['a', '../../b', '../b'],
    ['/', 'b', '/b'],
    ['/a', '/b', '/b'],
    ['C:/a', '../b', 'C:/b'],
    ['/a', 'C:/b/./c', 'C:/b/c'],
  ])('%s and %s make %s', (folder, name, path) => {
    expect(joinPath(folder, name)).toBe(path);
  });
});

describe('symbols', () => {
  const database = JSON.stringify([
    {
      directory: '/p/build',
      file: '../src/a.cu',
      command: 'nvcc -DBATCH=8 -D TRACE --default-stream per-thread -c ../src/a.cu',
    },
    {
      directory: '/p',
      file: 'src/b.cu',
      arguments: ['nvcc', '-DNAME="x y"', '-default-stream=legacy', '-c', 'src/b.cu'],
    },
    {
      directory: '/p',
      file: 'src/d.cu',
      command: `nvcc -DA="1 2" -D'B=3 4' -DC=\\"text\\" "-DD=\\"e f\\"" -DGONE -UGONE -DG=8 -U G -c src/d.cu`,
    },
  ]);
  const { defines } = createCompileCommands((path) => (path === '/p/compile_commands.json' ? database : undefined));

  it('are those of the command, and what nvcc makes of its default stream', () => {
    expect(defines('/p/src/a.cu')).toEqual(['BATCH=8', 'TRACE', 'CUDA_API_PER_THREAD_DEFAULT_STREAM=1']);
    expect(defines('/p/src/b.cu')).toEqual(['NAME="x y"']);
    expect(defines('/p/src/d.cu')).toEqual(['A=1 2', 'B=3 4', 'C="text"', 'D="e f"']);
  });

  it('are none where no command is known', () => {
    expect(defines('/p/src/c.cu')).toEqual([]);
    expect(defines('/elsewhere/a.cu')).toEqual([]);
  });
});
