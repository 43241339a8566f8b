/** What `--help` prints, of the command and of each of its subcommands. */

/** The package's own number; a test holds it against `package.json`. */
export const version = '0.1.0';

export const usage = `graphmem: finds memory and ordering mistakes in code that builds CUDA graphs, without a GPU.

  graphmem check PATH…             what is wrong in files and folders; for people, CI and code scanning
  graphmem graph FILE              the graphs that a program builds, as JSON, DOT or Mermaid
  graphmem simulate FILE           what the driver does with memory, launch by launch
  graphmem rules                   all rules
  graphmem explain RULE            one rule: why, and what to do
  graphmem replay RECORDING        compares the simulated driver with a recording of a real one
  graphmem record                  how to make a recording
  graphmem lsp --stdio             the language server

graphmem COMMAND --help lists the options of a command; graphmem --version says the version.
`;

const shared = `  --models FILE              what functions of your own libraries do, as JSON; may be given several times
  -D, --define NAME[=VALUE]  a symbol the code is compiled with; may be given several times. Those of
                             compile_commands.json hold already`;

/** By subcommand. \`replay\` and \`record\` print what they have to say themselves. */
export const help: Readonly<Record<string, string>> = {
  check: `usage: graphmem check PATH… [options]

Reports what is wrong in the files named, and in the C++, CUDA and TypeScript files of the folders named.

  --format text|json|sarif   how to report (default text; the JSON is described in schema/check.schema.json)
  --fail-on SEVERITY         end with 1 at an error, a warning, a hint, or never (default error)
  --gaps                     list what was not understood, too, and count the calls of CUDA that were seen
  --jobs N|auto              read files in N threads; auto for as many as the machine runs at once (default 1)
${shared}

Behind -- everything is a path.
Exit codes: 0 nothing at or above --fail-on, 1 something, 2 wrong usage, or files that could not be read.
`,
  graph: `usage: graphmem graph FILE [options]

Prints the graphs that a program builds, with their launches.

  --format json|dot|mermaid  how to print them (default json, described in schema/graph.schema.json)
  --entry FUNCTION           only what this function builds (default: all that are run on their own)
${shared}
`,
  simulate: `usage: graphmem simulate FILE [options]

Runs the launches of a program on the simulated driver: addresses, used and reserved memory, what is mapped and why.

  --entry FUNCTION           the function to run (default: the first that builds graphs)
  --set NAME=NUMBER          a value that the text leaves open; may be given several times
  --format text|json|html    how to print (default text; the JSON is described in schema/simulate.schema.json)
  --output FILE              write there instead of to the standard output
${shared}
`,
  rules: `usage: graphmem rules [--format markdown|json]

Prints all rules: what each reports, why, and what to do.
`,
  explain: `usage: graphmem explain RULE

Prints one rule, named by its id (graph-use-free-race) or number (A3).
`,
  lsp: `usage: graphmem lsp --stdio

Runs the language server; --node-ipc, --pipe=NAME and --socket=PORT serve clients that ask for those.
It gives diagnostics, hovers, code actions and code lenses. initializationOptions and workspace/didChangeConfiguration take
enable (true or false), models (a list of files) and defines (a list of NAME or NAME=VALUE).
`,
};
