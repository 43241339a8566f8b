import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { htmlPage, sha256Base64 } from '../../../src/cli/html.ts';
import { forkJoin, hostile } from '../../view-fixtures/scenes.ts';

const assets = {
  css: 'body { color: red; }\r\n',
  viewScript: 'console.log("</script><!-- é 漢");\n',
  layoutScript: 'postMessage("</script>");',
};

describe('the page that stands alone', () => {
  const page = htmlPage(forkJoin(), assets);

  it('allows exactly the script and the style that it carries', () => {
    const [script] = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1]!);
    const [style] = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map((match) => match[1]!);
    const hash = (text: string) => createHash('sha256').update(text).digest('base64');
    expect(page).toContain(`script-src 'sha256-${hash(script!)}';`);
    expect(page).toContain(`style-src 'sha256-${hash(style!)}';`);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toContain('unsafe');
  });

  it('carries the scene and the worker so that they come back unchanged', () => {
    const data = (id: string) => JSON.parse(new RegExp(`id="${id}">(.*?)</script>`).exec(page)![1]!);
    expect(data('graphmem-scene')).toEqual(JSON.parse(JSON.stringify(forkJoin())));
    expect(data('graphmem-layout')).toBe(assets.layoutScript);
  });

  it('cannot be broken out of by any name', () => {
    const harmful = htmlPage(hostile(), assets);
    expect(harmful).not.toContain('<img');
    expect(harmful.match(/<script/g)).toHaveLength(3);
  });

  it('is the same text for the same scene', () => {
    expect(htmlPage(forkJoin(), assets)).toBe(page);
  });
});

it.each(['', 'abc', 'é漢😀', 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(64), 'x'.repeat(1000)])(
  'hashes %j as SHA-256',
  (text) => {
    expect(sha256Base64(text)).toBe(createHash('sha256').update(text).digest('base64'));
  },
);
