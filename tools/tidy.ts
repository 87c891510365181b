// The project's own rules, as far as a machine can check them. Each check is a function over the files of the project,
// so that tidy.test.ts can try it on small trees. `node tools/tidy.ts` prints what breaks a rule.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { findFileCircles, findTwoWayImports, type ImportGraph } from './circles.ts'
import { importsOf, lineAt, resolveImport, withoutComments } from './imports.ts'
import { API_MODULES, isForBrowsers, type Module, moduleOf, refuseDependency } from './layers.ts'

/** `path` is relative to the project, with forward slashes; `text` is empty for what is not text. */
export type SourceFile = { readonly path: string; readonly text: string }
export type Finding = {
  readonly path: string
  readonly line: number
  readonly rule: string
  readonly why: string
}
/** What may break a rule. An exception that allows nothing is itself found. */
export type Exceptions = {
  /** Folders whose files may import themselves in a circle. */
  readonly circles?: readonly string[]
  /** Pairs of folders that may import each other. */
  readonly twoWay?: readonly (readonly [string, string])[]
  /** Files of the Markdown engine that other folders may import beside those with the names of their folders. */
  readonly doors?: readonly string[]
}
type Check = (files: readonly SourceFile[], exceptions: Exceptions) => Finding[]

const EXCEPTIONS: Exceptions = {
  doors: [
    'document/check',
    'html/values',
    // A block has what it needs of each output from these, and each output has the blocks from those below.
    'document/converting',
    'html/drawing',
    'render/tagging',
    'typeset/typesetting',
    'blocks/schemas',
    'blocks/html',
    'blocks/inserts',
    'blocks/document',
    'blocks/markdown',
    'blocks/readings',
    'blocks/typeset',
    'blocks/table/excerpt',
    'blocks/table/reading',
  ],
}

// What `base` and `engines` don't import, so that they can be tested without files, network or database.
const NEIGHBOURS =
  /^(?:node:(?:fs|net|tls|dns|http|https|http2|dgram|child_process)\b|kysely$|pg$|fastify$|undici$)/
const PURE = ['base', 'engines']
const BESIDE_THE_PRODUCT = /^(?:test|bench|tools)\//
const IN_BROWSERS = 'src/web/'

// Assets are sent to browsers and are no code of the server.
const isCode = ({ path }: SourceFile): boolean =>
  /\.tsx?$/.test(path) || (path.endsWith('.js') && !path.startsWith('src/site/assets/'))
const isTest = ({ path }: SourceFile): boolean =>
  /\.(?:test|conformance)\.ts$/.test(path) || BESIDE_THE_PRODUCT.test(path)
const isProduct = (file: SourceFile): boolean => isCode(file) && !isTest(file)

const isOfServer = (file: SourceFile): boolean => isProduct(file) && !file.path.startsWith(IN_BROWSERS)

const everyFileHasAModule: Check = files =>
  files
    .filter(file => isCode(file) && !BESIDE_THE_PRODUCT.test(file.path) && moduleOf(file.path) === undefined)
    .map(({ path }) => ({ path, line: 1, rule: 'module', why: 'is in no module: see ARCHITECTURE.md' }))

const importsPointDown: Check = files =>
  files.filter(isCode).flatMap(file => {
    const from = moduleOf(file.path)
    if (from === undefined) return []
    return importsOf(file.text).flatMap(({ specifier, line }) => {
      const why = refuseImport(file, from, specifier)
      return why === undefined
        ? []
        : [{ path: file.path, line, rule: 'imports', why: `${specifier}: ${why}` }]
    })
  })

function refuseImport(file: SourceFile, from: Module, specifier: string): string | undefined {
  const target = resolveImport(file.path, specifier)
  if (target !== undefined && isForBrowsers(from, target)) return undefined
  const to = target === undefined ? undefined : moduleOf(target)
  if (to !== undefined) return refuseDependency(from, to)
  if (isTest(file)) return undefined
  if (target !== undefined && BESIDE_THE_PRODUCT.test(target)) return 'the product imports no tests or tools'
  return PURE.includes(from.layer) && NEIGHBOURS.test(specifier)
    ? `${from.layer} is pure: no files, no network, no database`
    : undefined
}

function importGraphOf(files: readonly SourceFile[]): ImportGraph {
  const paths = new Set(files.map(({ path }) => path))
  const targetsOf = ({ path, text }: SourceFile): string[] =>
    importsOf(text).flatMap(({ specifier }) => resolveImport(path, specifier) ?? [])
  return new Map(files.map(file => [file.path, targetsOf(file).filter(target => paths.has(target))]))
}

const noFileImportsItself: Check = (files, { circles = [] }) => {
  const found = findFileCircles(importGraphOf(files.filter(isCode))).map(([path = '', ...others]) => ({
    path,
    line: 1,
    rule: 'circle',
    why: `imports itself: ${[path, ...others, path].join(' -> ')}`,
  }))
  return except(found, circles, (folder, { path }) => path.startsWith(`${folder}/`))
}

// Tests import from wherever they need.
const foldersImportOneWay: Check = (files, { twoWay = [] }) => {
  const found = findTwoWayImports(importGraphOf(files.filter(isProduct))).map(({ path, target }) => ({
    path,
    line: 1,
    rule: 'two-way',
    why: `imports ${target}, whose folder imports this one: one of them needs the other, not both`,
    folders: [posix.dirname(path), posix.dirname(target)],
  }))
  return except(found, twoWay, (pair, { folders }) => pair.every(folder => folders.includes(folder)))
}

// A folder of the Markdown engine is imported through the file that has its name, or through its second door.
const MARKDOWN_FILE = /^src\/engines\/markdown\/([^/]+)\/(.+)\.ts$/

const markdownThroughItsDoors: Check = (files, { doors = [] }) => {
  const found = files.filter(isCode).flatMap(({ path, text }) =>
    importsOf(text).flatMap(({ specifier, line }) => {
      const [, folder = '', file = ''] = MARKDOWN_FILE.exec(resolveImport(path, specifier) ?? '') ?? []
      if (file === folder || path.startsWith(`src/engines/markdown/${folder}/`)) return []
      const why = `${specifier}: import ${folder}/${folder}.ts instead`
      return [{ path, line, rule: 'door', why, imported: `${folder}/${file}` }]
    }),
  )
  return except(found, doors, (door, { imported }) => door === imported)
}

/** What no exception allows, and each exception that allows nothing. */
function except<F extends Finding, Exception>(
  found: readonly F[],
  exceptions: readonly Exception[],
  allows: (exception: Exception, finding: F) => boolean,
): Finding[] {
  const refused = found.filter(finding => !exceptions.some(exception => allows(exception, finding)))
  const stale = exceptions.filter(exception => !found.some(finding => allows(exception, finding)))
  return [
    ...refused,
    ...stale.map(exception => ({
      path: 'tools/tidy.ts',
      line: 1,
      rule: 'exception',
      why: `the exception ${exception} allows nothing any more: remove it`,
    })),
  ]
}

// The module that writes a table, from the comment right above its `create table`: one of the API, one of the platform,
// or the HTTP layer: `-- owner: spaces`, `-- owner: platform/jobs`, `-- owner: http`.
const CREATE_TABLE = /((?:^--[^\n]*\n)*)^create table (?:if not exists )?(\w+)/gim

function ownerOf(comment: string): string | undefined {
  const owner = /-- owner: ([\w/-]+)/.exec(comment)?.[1]
  if (owner === undefined) return undefined
  if (API_MODULES.includes(owner)) return `src/api/${owner}`
  return owner === 'http' || owner.startsWith('platform/') ? `src/${owner}` : undefined
}

function tableOwners(files: readonly SourceFile[]): { owners: Map<string, string>; findings: Finding[] } {
  const owners = new Map<string, string>()
  const findings: Finding[] = []
  for (const { path, text } of files) {
    if (!/^src\/platform\/db\/migrations\/.*\.sql$/.test(path)) continue
    for (const [statement, comment = '', table = ''] of text.matchAll(CREATE_TABLE)) {
      const owner = ownerOf(comment)
      if (owner !== undefined) owners.set(table, owner)
      else {
        const line = lineAt(text, text.indexOf(statement) + comment.length)
        findings.push({ path, line, rule: 'owner', why: `table ${table} names no module as its owner` })
      }
    }
  }
  return { owners, findings }
}

const WRITE =
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"`](\w+)|\b(?:insert\s+into|delete\s+from|truncate(?:\s+table)?)\s+(\w+)|\bupdate\s+(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/gi

const onlyTheOwnerWrites: Check = files => {
  const { owners, findings } = tableOwners(files)
  for (const { path, text } of files.filter(isProduct)) {
    const code = withoutComments(text)
    for (const match of code.matchAll(WRITE)) {
      const table = (match[1] ?? match[2] ?? match[3] ?? '').toLowerCase()
      const owner = owners.get(table)
      if (owner === undefined || path.startsWith(`${owner}/`)) continue
      findings.push({
        path,
        line: lineAt(code, match.index),
        rule: 'owner',
        why: `only ${owner} writes ${table}; anyone may read it by join`,
      })
    }
  }
  return findings
}

// What is allowed in some files only. `where` selects the files that the rule is about; comments may contain what code
// may not, unless `alsoInComments`.
type LineRule = {
  readonly rule: string
  readonly why: string
  readonly where: (file: SourceFile) => boolean
  readonly pattern: RegExp
  readonly alsoInComments?: true
}

// The second sets what glibc and V8 read when the process begins again.
const ENVIRONMENT_READERS: ReadonlySet<string> = new Set([
  'src/platform/config.ts',
  'src/cli/memory-settings.js',
])

const LINE_RULES: readonly LineRule[] = [
  {
    rule: 'environment',
    why: 'platform/config.ts is the only reader of the environment: one typed, documented object',
    where: file => isProduct(file) && !ENVIRONMENT_READERS.has(file.path),
    pattern: /\bprocess\.env\b|\bprocess\[|\benv\b[^'"\n]*\bfrom 'node:process'/,
  },
  {
    rule: 'clock',
    why: 'base/clock.ts is the only time, so that a test can choose it',
    where: file => isOfServer(file) && !file.path.startsWith('src/base/'),
    pattern: /\bDate\.now\b|\bnew Date\(\)|(?<!new )\bDate\(\)|\bperformance\.now\b|\bprocess\.hrtime\b/,
  },
  {
    rule: 'randomness',
    why: 'base/ids.ts is the only randomness, so that what is secret is decided once',
    where: file => isOfServer(file) && !file.path.startsWith('src/base/'),
    pattern: /\bMath\.random\b|\brandom(?:Bytes|UUID|Int|Fill|FillSync)\b|\bgetRandomValues\b|\bfrom 'nanoid/,
  },
  {
    rule: 'elapsed',
    why: 'no test depends on how long something takes: compare work with itself (test/support/growth.ts)',
    where: file => /\.(?:test|conformance)\.ts$/.test(file.path) && !file.path.startsWith('tools/tidy'),
    pattern: /\bperformance\.now\b|\bprocess\.hrtime\b|\b(?:cpuUsage|monotonicMs)\b/,
  },
  {
    rule: 'promise',
    why: 'work that is left to do has an issue, not a comment',
    where: file => isCode(file) && !file.path.startsWith('tools/tidy'),
    pattern: /\b(?:TODO|FIXME)\b(?!\(#\d+\))/,
    alsoInComments: true,
  },
  {
    rule: 'machine',
    why: 'a path of one machine is wrong on every other',
    where: file => file.path !== 'package-lock.json',
    pattern: /(?<![\w.~-])\/(?:root|work|Users)\/\w/,
    alsoInComments: true,
  },
  {
    rule: 'lockfile',
    why: 'download addresses belong to the machine that installs: take the `resolved` lines out',
    where: file => file.path === 'package-lock.json',
    pattern: /"resolved": *"http/,
  },
]

const everyLineIsAllowed: Check = files =>
  files.flatMap(file =>
    LINE_RULES.filter(({ where }) => where(file)).flatMap(({ rule, why, pattern, alsoInComments }) => {
      const text = isCode(file) && !alsoInComments ? withoutComments(file.text) : file.text
      return text
        .split('\n')
        .flatMap((line, i) => (pattern.test(line) ? [{ path: file.path, line: i + 1, rule, why }] : []))
    }),
  )

// biome refuses text between tags. These are the others that people read or hear: attributes, and strings in expressions
// that begin with a capital or have a blank between words. Neither `${…}` nor the names of classes are text.
const INTERPOLATED = /\$\{[^{}]*\}/g
const CLASSES = /\bclassName=\{[^{}]*\}/g
const READ_ATTRIBUTE =
  /(?<![\w-])(?:aria-(?:label|description|roledescription|valuetext|placeholder)|alt|title|placeholder|label|textValue|heading|empty)="[^"]*\p{L}/u
const SAID_IN_EXPRESSION =
  /(?:(?<!value=)\{| [?:] |&& |\|\| |\?\? |^\s*[?:] )['`](?:[^\p{L}'`]*\p{Lu}\p{Ll}|[^'`]*\p{L}\s+\p{L}|[^'`]*\p{L}\s+['`]|\s+\p{Ll})/u

const everyTextIsAMessage: Check = files =>
  files
    .filter(({ path }) => path.startsWith(IN_BROWSERS) && path.endsWith('.tsx'))
    .flatMap(({ path, text }) =>
      withoutComments(text)
        .split('\n')
        .flatMap((line, i) => {
          const said = line.replaceAll(INTERPOLATED, '').replaceAll(CLASSES, '')
          return READ_ATTRIBUTE.test(said) || SAID_IN_EXPRESSION.test(said)
            ? [{ path, line: i + 1, rule: 'text', why: 'texts are in src/web/messages, in every language' }]
            : []
        }),
    )

const NAMED_FOR_NOTHING = /^(?:utils?|helpers?|common|misc|shared|libs?|services?|managers?)$/i

const everyNameSaysSomething: Check = files =>
  files
    .filter(({ path }) => path.split('/').some(name => NAMED_FOR_NOTHING.test(name.split('.')[0] as string)))
    .map(({ path }) => ({ path, line: 1, rule: 'name', why: 'named for nothing: say what it holds' }))

/** Everything that breaks a rule, in the order of the files. */
export function findUntidy(files: readonly SourceFile[], exceptions: Exceptions = {}): Finding[] {
  const checks = [
    everyFileHasAModule,
    importsPointDown,
    noFileImportsItself,
    foldersImportOneWay,
    markdownThroughItsDoors,
    onlyTheOwnerWrites,
    everyLineIsAllowed,
    everyTextIsAMessage,
    everyNameSaysSomething,
  ]
  return checks
    .flatMap(check => check(files, exceptions))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line))
}

const TEXT = /\.(?:tsx?|js|css|sql|json|md|ya?ml|sh|html)$|^\.ci\//

/** Every file that git tracks or would add, as it is in the working tree. */
export function readProject(root: string): SourceFile[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  return [...new Set(listed.split('\0'))]
    .filter(path => path !== '' && existsSync(`${root}/${path}`))
    .map(path => ({ path, text: TEXT.test(path) ? readFileSync(`${root}/${path}`, 'utf8') : '' }))
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const findings = findUntidy(readProject(fileURLToPath(new URL('..', import.meta.url))), EXCEPTIONS)
  for (const { path, line, rule, why } of findings) console.error(`${path}:${line} [${rule}] ${why}`)
  if (findings.length > 0) process.exitCode = 1
}
