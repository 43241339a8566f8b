/**
 * Stands before the VS Code server and makes it start the extension in the web worker extension host: the page's
 * configuration is given the extension's and the suite's addresses, and both are served from the same address. Everything else
 * passes through, web sockets too. The address must be the page's own, or the browser refuses the sockets.
 */
import { createReadStream, existsSync, statSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';

const types = {
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.css': 'text/css',
  '.md': 'text/markdown',
  '.png': 'image/png',
};

/** `extension` is a folder, `suite` the path of a bundle without its ending. Returns `{port, stop}`. */
export async function startWebProxy({ target, extension, suite }) {
  // VS Code finds the host for a suite by the extension that the suite is in; the longer prefix comes first.
  const folders = { '/devext/.suite/': path.dirname(suite), '/devext/': extension };
  const tests = `/devext/.suite/${path.basename(suite)}`;
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const served = Object.keys(folders).find((prefix) => pathname.startsWith(prefix));
    if (served !== undefined) serveFile(folders[served], pathname.slice(served.length), response);
    else forward(request, response, { target, rewrite: (html) => withDevelopmentOptions(html, request, tests) });
  });
  server.on('upgrade', (request, socket, head) => tunnel(target, request, socket, head));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return {
    port,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

function withDevelopmentOptions(html, request, tests) {
  const authority = request.headers.host;
  const at = (file) => ({ $mid: 1, scheme: 'http', authority, path: file });
  const options = { extensions: [at('/devext')], extensionTestsPath: at(tests) };
  return html.replace(/(id="vscode-workbench-web-configuration" data-settings=")([^"]*)"/, (_all, start, encoded) => {
    const configuration = JSON.parse(encoded.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
    configuration.developmentOptions = { ...configuration.developmentOptions, ...options };
    const text = JSON.stringify(configuration).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    return `${start}${text}"`;
  });
}

function serveFile(root, name, response) {
  const file = path.resolve(root, decodeURIComponent(name));
  const isInside = file.startsWith(root + path.sep);
  if (!isInside || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    'content-type': types[path.extname(file)] ?? 'application/octet-stream',
    'access-control-allow-origin': '*',
  });
  createReadStream(file).pipe(response);
}

function forward(request, response, { target, rewrite }) {
  const headers = { ...request.headers, 'accept-encoding': 'identity' };
  const options = { host: '127.0.0.1', port: target, method: request.method, path: request.url, headers };
  const upstream = http.request(options, (answer) => {
    const isPage = (answer.headers['content-type'] ?? '').startsWith('text/html');
    if (!isPage) {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
      return;
    }
    const parts = [];
    answer.on('data', (part) => parts.push(part));
    answer.on('end', () => {
      const body = Buffer.from(rewrite(Buffer.concat(parts).toString('utf8')));
      response.writeHead(answer.statusCode, { ...answer.headers, 'content-length': String(body.length) });
      response.end(body);
    });
  });
  upstream.on('error', () => response.writeHead(502).end());
  request.pipe(upstream);
}

function tunnel(target, request, socket, head) {
  const upstream = net.connect(target, '127.0.0.1', () => {
    const lines = [`${request.method} ${request.url} HTTP/1.1`];
    for (let index = 0; index < request.rawHeaders.length; index += 2) {
      lines.push(`${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}`);
    }
    upstream.write(`${lines.join('\r\n')}\r\n\r\n`);
    upstream.write(head);
    socket.pipe(upstream).pipe(socket);
  });
  const end = () => {
    socket.destroy();
    upstream.destroy();
  };
  upstream.on('error', end);
  socket.on('error', end);
}
