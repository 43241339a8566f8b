/**
 * A stand-in for VS Code's compiled logger (`@vscode/spdlog`), so that nothing needs a compiler: it appends to the file.
 * Without any logger the output channels stay empty and every start prints a page of stack traces.
 */
const fs = require('node:fs');
const path = require('node:path');

const names = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

class Logger {
  constructor(_type, _name, file) {
    this.file = file;
    this.level = 2;
    this.isPlain = false;
  }
  write(level, message) {
    if (level < this.level) return;
    const line = this.isPlain ? message : `${new Date().toISOString()} [${names[level]}] ${message}\n`;
    fs.appendFileSync(this.file, line);
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  setPattern() {}
  clearFormatters() {
    this.isPlain = true;
  }
  flush() {}
  drop() {}
}
for (const [level, name] of names.entries()) {
  Logger.prototype[name] = function log(message) {
    this.write(level, message);
  };
}

async function createLogger(name, file) {
  await fs.promises.mkdir(path.dirname(file), { recursive: true });
  return new Logger('rotating', name, file);
}

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
