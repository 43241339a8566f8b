/**
 * The layout worker: elk, alone on its own thread. Importing elk's worker file inside a worker makes it listen to messages
 * `{id, cmd: 'register' | 'layout', …}` and answer `{id, data | error}`; `layout-elk.ts` speaks that protocol from the page.
 */

import 'elkjs/lib/elk-worker.min.js';
