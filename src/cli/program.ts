// The commands and their output. Code that opens the database is loaded when a command needs it: loading the whole
// server takes a second of processor time, and `--help` and commands that a running server executes need none of it.
import { resolve } from 'node:path'
import { Argument, Command, CommanderError, Option } from 'commander'
import { PRESET_NAMES, SCOPES } from '../access/scopes.ts'
import { counted } from '../base/counted.ts'
import { diskFull, Failure, isDiskFull, messageOf } from '../base/errors.ts'
import { FORMATS } from '../engines/conversion/formats.ts'
import { ConfigError, readConfig } from '../platform/config.ts'
import { VARIABLES } from '../platform/variables.ts'
import { VERSION } from '../platform/version.ts'
import type { CheckResult } from './check-import.ts'
import { renderCompletion, SHELLS, type Shell } from './completion.ts'
import type { ExportOptions } from './export.ts'
import type { OrganizationExportOptions } from './export-organization.ts'
import type { ImportOptions } from './import.ts'
import { addKeysCommands } from './keys-commands.ts'
import { addPersonCommands } from './person-commands.ts'
import { prepare, runCommand, STOP_SIGNALS, stopAt, withContext } from './run-command.ts'
import { isRepository } from './source.ts'
import type { TokenOptions } from './token.ts'

/** Runs the command of `argv`; the result is the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  ignoreClosedOutput()
  const program = createProgram()
  try {
    await program.parseAsync(argv)
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    if (error instanceof Failure || error instanceof ConfigError) {
      process.stderr.write(`octavo: ${error.message}\n`)
      return 1
    }
    if (isDiskFull(error)) {
      process.stderr.write(`octavo: ${diskFull().message} (${messageOf(error)})\n`)
      return 1
    }
    throw error
  }
}

// A reader may leave before the end, as in `octavo --help | head -1`; that is not an error. An answer for which the disk
// has no room is one, but does not end a server, which has only a greeting to lose.
function ignoreClosedOutput(): void {
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isServing) return
    process.exitCode = 1
    process.stderr.write(`octavo: The answer could not be written: ${messageOf(error)}\n`)
  })
}

let isServing = false

function createProgram(): Command {
  const program = new Command('octavo')
    .description('A self-hosted documentation server.')
    .version(VERSION)
    .exitOverride()
    .addHelpText(
      'after',
      `\n${environmentHelp()}\n\nStart here:\n  octavo serve\n  octavo password-link admin@localhost\n  octavo import https://example.com/team/docs.git\n  octavo token admin@localhost --scopes space:read --expires 30d`,
    )
  program
    .command('serve')
    .description('Serve the API, the API reference and the reader.')
    .addHelpText(
      'after',
      '\nThe first start fills an empty database: an administrator, an organization and a first space.\nStop it with Ctrl-C or SIGTERM; what is in flight is finished first.',
    )
    .action(runServer)
  program
    .command('migrate')
    .description('Migrate the database to this version, and exit. `serve` does the same when it starts.')
    .action(async () => {
      const { config, log } = prepare()
      const { openRuntime } = await import('./runtime.ts')
      const runtime = await openRuntime(config, log)
      await runtime.close()
      process.stderr.write('The database is up to date.\n')
    })
  program
    .command('token')
    .argument('<email>', 'the email address of the user')
    .description('Create a token for a user and print it. Works whether or not the server is running.')
    .addOption(new Option('--may <what>', 'limit it to one of these sets of scopes').choices(PRESET_NAMES))
    .option('--scopes <scopes>', `limit it to some of these, separated by commas: ${SCOPES.join(', ')}`)
    .option(
      '--expires <when>',
      '30d, 12h, or a date such as 2030-01-31; without it the token does not expire',
    )
    .addHelpText(
      'after',
      '\nA read-only token:\n  octavo token admin@localhost --may read --expires 90d\nA token that may propose changes but not merge them:\n  octavo token admin@localhost --may propose',
    )
    .action(async (email: string, { scopes, may, expires }: Record<string, string | undefined>) => {
      const options: TokenOptions = {
        email,
        ...(may === undefined ? {} : { may }),
        ...(scopes === undefined ? {} : { scopes: scopes.split(',').map(scope => scope.trim()) }),
        ...(expires === undefined ? {} : { expires }),
      }
      const { token } = await runCommand('token', options)
      process.stdout.write(`${token}\n`)
    })
  program
    .command('password-link')
    .argument('<email>', 'the email address of the user')
    .description(
      'Create a link to set the password of a user and print it. Works whether or not the server is running.',
    )
    .addHelpText(
      'after',
      '\nThe link works once. Give it only to that user: it signs them in, and verifies their email address.\n  octavo password-link admin@localhost',
    )
    .action(async (email: string) => {
      const { url, hours } = await runCommand('password-link', { email })
      process.stderr.write(`It works once, for ${hours} hours.\n`)
      process.stdout.write(`${url}\n`)
    })
  program
    .command('second-factor-reset')
    .argument('<email>', 'the email address of the user')
    .description(
      'Remove the second factor of a user who has lost it, and sign them out everywhere. Works whether or not the server is running.',
    )
    .addHelpText(
      'after',
      '\nTheir password alone signs them in then. First make sure that it is they who ask.\n  octavo second-factor-reset ada@example.com',
    )
    .action(async (email: string) => {
      const { wasSetUp } = await runCommand('second-factor-reset', { email })
      process.stdout.write(wasSetUp ? 'The second factor is removed.\n' : 'There was no second factor.\n')
    })
  program
    .command('unbind')
    .argument('<email>', 'the email address of the user')
    .description(
      'Release the account of a user from the person of the identity provider whom it belongs to. Works whether or not the server is running.',
    )
    .addHelpText(
      'after',
      '\nThe next person whom an identity provider signs in with this email address has the account. First see who has the address there.\n  octavo unbind ada@example.com',
    )
    .action(async (email: string) => {
      const { released } = await runCommand('unbind', { email })
      process.stdout.write(`Identities that the account belonged to: ${released}.\n`)
    })
  program
    .command('import')
    .argument('<source>', 'a git repository (http or https), a folder or a zip archive')
    .description('Import documentation into a new space, or into the space given by --space.')
    .option('--space <id>', 'import into this space; its pages keep their ids where they can')
    .option('--title <title>', 'title of the new space; by default the name of the repository or folder')
    .option('--organization <id>', 'organization of the new space; by default the oldest')
    .option('--ref <ref>', 'a branch, or a full name such as refs/tags/v1', 'HEAD')
    .option('--directory <path>', 'the directory of the documentation within the source, such as docs/guide')
    .option('--public', 'let everyone read the new space')
    .option('--check', 'write nothing: say how many pages there would be, and what would be noticed')
    .option('--json', 'with --check: print that as JSON')
    .option(
      '--force',
      'with --space: replace its content where both changed, instead of opening a change request',
    )
    .addOption(
      new Option(
        '--from <format>',
        'the layout of a folder or an archive; by default recognized by its files',
      ).choices(FORMATS),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  octavo import https://user:password@git.example.com/docs.git --ref refs/heads/main\n  octavo import ./project --directory docs/guide --title Handbook --public\n  octavo import ./Export.zip --from notion\n  octavo import ./project --check --json\n\nThe exit status of --check is 1 if an import would fail or something would be noticed.',
    )
    .action(async (source: string, given: ImportGiven) => {
      const { public: isPublic, check: isOnlyChecked = false, json: isJson = false, ...options } = given
      if (isJson && !isOnlyChecked) throw new ConfigError('--json goes with --check.')
      if (isOnlyChecked) return runCheck(source, options, isJson ? showAsJson : showInWords)
      const result = await runCommand('import', {
        ...options,
        // The server has a working directory of its own.
        source: isRepository(source) ? source : resolve(source),
        isPublic: isPublic === true,
      })
      if (result.layout !== undefined && result.layout !== 'gitbook')
        process.stderr.write(`converted from the layout of ${result.layout}\n`)
      for (const problem of result.problems) process.stderr.write(`noticed: ${toPlain(problem)}\n`)
      process.stderr.write(`space ${result.space} has ${counted(result.pages, 'page')}\n`)
      process.stdout.write(`${result.url}\n`)
    })
  program
    .command('export')
    .argument('<space>', 'the id of the space, as in its address after /s/')
    .argument('<folder>', 'the folder to write; it must be absent or empty')
    .description('Export a space to a folder in GitBook layout; every page is written byte for byte.')
    .addHelpText(
      'after',
      '\nAn import of the folder makes the same space again.\n  octavo export q8Tz5OQ2uTnDcV0Hf6aL ./handbook',
    )
    .action(async (space: string, folder: string) => {
      const options: ExportOptions = { space, folder: resolve(folder) }
      const { files, problems } = await runCommand('export', options)
      for (const problem of problems) process.stderr.write(`noticed: ${toPlain(problem)}\n`)
      process.stderr.write(`wrote ${counted(files, 'file')} to ${options.folder}\n`)
    })
  program
    .command('export-organization')
    .argument('<folder>', 'the folder to write; it must be absent or empty')
    .description(
      'Export an organization to a folder: a git repository with the history of each space, and JSON.',
    )
    .option('--organization <id>', 'by default the oldest')
    .addHelpText(
      'after',
      '\nThe export can be read without Octavo. It contains personal data: names, and what people wrote.\n  octavo export-organization ./everything',
    )
    .action(async (folder: string, given: Pick<OrganizationExportOptions, 'organization'>) => {
      const options: OrganizationExportOptions = { ...given, folder: resolve(folder) }
      const { spaces, problems } = await runCommand('export-organization', options)
      for (const problem of problems) process.stderr.write(`noticed: ${toPlain(problem)}\n`)
      process.stderr.write(`wrote ${counted(spaces, 'space')} to ${options.folder}\n`)
    })
  addPersonCommands(program)
  addKeysCommands(program)
  program
    .command('backup')
    .argument('<file>', 'the file to write; it must not exist')
    .description(
      'Back up the database and all files to a single file. Works whether or not the server is running.',
    )
    .addHelpText(
      'after',
      '\nThe file is verified before it gets its name. It contains hashes of passwords and keys; only its owner may read it.\n  octavo backup octavo-$(date +%F).tar.gz',
    )
    .action(async (file: string) => {
      const result = await runCommand('backup', { file: resolve(file) })
      for (const hash of result.damaged)
        process.stderr.write(`noticed: the file ${hash} is damaged; a restore will leave it out\n`)
      const rows = Object.values(result.tables).reduce((sum, count) => sum + count, 0)
      process.stderr.write(
        `wrote ${counted(rows, 'row')} and ${counted(result.blobs, 'file')}: ${megabytes(result.bytes)}\n`,
      )
    })
  program
    .command('restore')
    .argument('<file>', 'a file that `octavo backup` wrote')
    .description(
      'Restore a backup into an empty database. A backup of the embedded database can be restored to PostgreSQL and vice versa, by the same or a newer version.',
    )
    .addHelpText(
      'after',
      '\nStop the server first. OCTAVO_HOME, or the database of DATABASE_URL, must be empty:\n  OCTAVO_HOME=./restored octavo restore octavo-2030-01-31.tar.gz',
    )
    .action(runRestore)
  program
    .command('doctor')
    .description(
      'Verify the hashes of all texts and files, the heads, and everything derived from them; repair what can be derived again. Works whether or not the server is running.',
    )
    .option('--dry-run', 'only report; write nothing')
    .addHelpText(
      'after',
      '\nThe exit status is 1 if data is lost, and in a dry run also if anything is wrong.\n  octavo doctor --dry-run',
    )
    .action(runDoctor)
  program
    .command('mcp')
    .description('Serve MCP over standard input and output, as a client of an Octavo server.')
    .option('--url <url>', 'the address of the server; by default that of OCTAVO_PUBLIC_URL, HOST and PORT')
    .option('--space <id>', 'serve this space alone, read-only; a public one needs no token')
    .addHelpText(
      'after',
      '\nThe token comes from OCTAVO_TOKEN:\n  OCTAVO_TOKEN=$(octavo token admin@localhost --may propose) octavo mcp',
    )
    .action(runMcp)
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell to complete in').choices(SHELLS))
    .description('Print the completion of this command line for a shell.')
    .addHelpText(
      'after',
      '\nFor this terminal:\n  source <(octavo completion bash)\nFor each new one, put that line into ~/.bashrc, or with zsh into ~/.zshrc after compinit. For fish:\n  octavo completion fish > ~/.config/fish/completions/octavo.fish',
    )
    .action((shell: Shell) => void process.stdout.write(renderCompletion(program, shell)))
  return program
}

type ImportGiven = {
  readonly public?: boolean
  readonly check?: boolean
  readonly json?: boolean
} & Omit<ImportOptions, 'source'>

/** As `doctor --dry-run`, the status tells a script whether all is well. */
async function runCheck(
  source: string,
  { from, ref, directory }: Omit<ImportOptions, 'source'>,
  show: (result: CheckResult) => void,
): Promise<void> {
  const result = await runCommand('check-import', {
    source: isRepository(source) ? source : resolve(source),
    ref,
    ...(from === undefined ? {} : { from }),
    ...(directory === undefined ? {} : { directory }),
  })
  show(result)
  if (result.problems.length > 0) throw new CommanderError(1, 'octavo.noticed', 'something was noticed')
}

function showInWords({ pages, files, layout, problems }: CheckResult): void {
  for (const { file, message } of problems)
    process.stderr.write(`noticed: ${toPlain(file === undefined ? message : `${file}: ${message}`)}\n`)
  process.stdout.write(`${counted(pages, 'page')}, ${counted(files, 'file')}, layout ${layout}\n`)
}

const showAsJson = (result: CheckResult): void =>
  void process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

async function runRestore(file: string): Promise<void> {
  const { result } = await withContext(async context => {
    const { config, log } = prepare('warn')
    const { restoreFrom } = await import('./restore.ts')
    return { result: await restoreFrom(config, log, resolve(file), context) }
  })
  for (const what of result.leftOut) process.stderr.write(`noticed: left out ${what}\n`)
  const { octavo, madeAt } = result.header
  process.stderr.write(
    `restored ${counted(result.rows, 'row')} and ${counted(result.blobs, 'file')} from a backup that Octavo ${octavo} made at ${madeAt}\n`,
  )
}

async function runDoctor({ dryRun: isDryRun = false }: { readonly dryRun?: boolean }): Promise<void> {
  const { checked, repaired, noticed, lost } = await runCommand('doctor', { isDryRun })
  const { objects, blobs, heads, projections } = checked
  process.stderr.write(
    `checked ${counted(objects, 'object')}, ${counted(blobs, 'file')}, ${counted(heads, 'head')} and the live rows of ${counted(projections, 'space')}\n`,
  )
  for (const what of repaired) process.stdout.write(`${isDryRun ? 'wrong' : 'repaired'}: ${toPlain(what)}\n`)
  for (const what of lost) process.stdout.write(`lost: ${toPlain(what)}\n`)
  for (const what of noticed) process.stdout.write(`noticed: ${toPlain(what)}\n`)
  if (repaired.length + noticed.length + lost.length === 0) process.stdout.write('all is well\n')
  if (lost.length > 0 || (isDryRun && repaired.length > 0))
    throw new CommanderError(1, 'octavo.unwell', 'not all is well')
}

type McpOptions = { readonly url?: string; readonly space?: string }

async function runMcp({ url, space }: McpOptions): Promise<void> {
  const { publicUrl, token } = readConfig()
  if (token === undefined && space === undefined)
    throw new ConfigError(
      'OCTAVO_TOKEN is needed: `octavo token <email>` makes one. --space <id> alone reads a public space.',
    )
  const { serveStdio } = await import('../mcp/stdio.ts')
  await serveStdio({
    url: url === undefined ? publicUrl : readServerUrl(url),
    ...(token === undefined ? {} : { token }),
    ...(space === undefined ? {} : { space }),
  })
}

function readServerUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new ConfigError('--url has to be an http:// or https:// address without query.')
  return url.href.replace(/(?<!\/)\/+$/, '')
}

/** Names in a repository may hold what moves the cursor of a terminal, or worse. */
const toPlain = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')

async function runServer(): Promise<void> {
  isServing = true
  const { config, log } = prepare()
  // From now on: a start that is interrupted ends as any other, only sooner.
  const interruption = new AbortController()
  const stopped = stopAt(STOP_SIGNALS, signal => {
    log.info({ signal }, 'stopping')
    interruption.abort()
  })
  const { serve } = await import('./serve.ts')
  try {
    const running = await serve(config, log, line => process.stdout.write(`${line}\n`), interruption.signal)
    // Who presses Ctrl-C waits for the end.
    const drainSeconds = (await stopped) === 'SIGINT' ? 0 : config.drainSeconds
    await running.stop(drainSeconds * 1000)
  } catch (error) {
    if (error !== interruption.signal.reason) throw error
  }
}

function environmentHelp(): string {
  const lines = Object.values(VARIABLES).map(variable => {
    const fallback =
      'fallback' in variable && variable.fallback !== '' ? ` (default ${variable.fallback})` : ''
    return `  ${variable.name.padEnd(28)} ${variable.meaning}${fallback}`
  })
  return `Environment, all optional:\n${lines.join('\n')}`
}
