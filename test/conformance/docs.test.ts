// The guide under docs/ is true where a machine can check it: it imports without a problem, its links lead somewhere, every
// setting is in it as the program has it, every request it shows is one that the API has, and every code it names
// is one that the program uses.
import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { PRESET_NAMES, PRESETS, SCOPES } from '../../src/access/scopes.ts'
import { targetFrom } from '../../src/api/content/resolve.ts'
import { ImportGitRepository } from '../../src/api/git-sync/schema.ts'
import { operations } from '../../src/api/index.ts'
import { commands } from '../../src/cli/commands.ts'
import { toHtml } from '../../src/engines/markdown/html/html.ts'
import { headingAnchors, references } from '../../src/engines/markdown/page/page.ts'
import { parseMarkdown } from '../../src/engines/markdown/syntax/syntax.ts'
import { VARIABLES, type Variable } from '../../src/platform/variables.ts'
import { type Files, MemorySpace } from '../support/memory-source.ts'

const ROOT = join(import.meta.dirname, '../..')
const DOCS = join(ROOT, 'docs')

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Everything below docs/, dot-folders included, as an import of that folder finds it. */
function docsFiles(): Files {
  const entries = readdirSync(DOCS, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return Object.fromEntries(
    entries.map(entry => {
      const path = join(entry.parentPath, entry.name)
      return [path.slice(DOCS.length + 1).replaceAll('\\', '/'), readFileSync(path)]
    }),
  )
}

const files = docsFiles()
const space = new MemorySpace()
const plan = await space.import(files)
const pages = [...space.content.pages].flatMap(([id, page]) =>
  page.file === undefined ? [] : [{ id, file: page.file, text: space.text(page.file) }],
)
const guide = pages.map(({ text }) => text)

test('docs/ imports as a space without a problem but that the records are no pages', () => {
  // The records are read where the code is.
  const problems = plan.problems.map(({ code, message }) => `${code}: ${message}`)
  const records = readdirSync(join(DOCS, 'decisions')).length
  assert.deepEqual(problems, [
    `pages_unlisted: ${records} Markdown files are not listed in SUMMARY.md and did not become pages.`,
  ])
})

test('every Markdown file of docs/ but the records is a page of SUMMARY.md, and every entry has its file', () => {
  const markdown = Object.keys(files).filter(
    path => path.endsWith('.md') && !/^(?:\.|decisions\/)/.test(path),
  )
  const listed = pages.map(({ file }) => file)
  assert.deepEqual(listed.sort(), markdown.filter(path => path !== 'SUMMARY.md').sort())
})

test('every link of docs/ leads to a page, a file and a heading that are there', () => {
  const broken: string[] = []
  const anchorsOf = new Map(
    pages.map(({ id, text }) => [id, new Set(headingAnchors(parseMarkdown(text)).values())]),
  )
  for (const { id, file, text } of pages) {
    const target = targetFrom(space.content, file)
    for (const { destination } of references(text)) {
      const found = target(destination)
      const page = found.kind === 'anchor' ? id : found.kind === 'page' ? found.id : undefined
      const isThere =
        found.kind !== 'broken' &&
        (page === undefined || !found.anchor || anchorsOf.get(page)?.has(found.anchor) === true)
      if (!isThere) broken.push(`${file}: ${destination}`)
    }
  }
  assert.deepEqual(broken, [])
})

test('every block of docs/ is one that the reader shows as it is meant', async () => {
  for (const { file, text } of pages) {
    const target = targetFrom(space.content, file)
    const { html, problems } = await toHtml(parseMarkdown(text), {
      resolveLink: href => ({
        href,
        isExternal: target(href).kind === 'url',
        isBroken: target(href).kind === 'broken',
      }),
      resolveImage: src => (target(src).kind === 'file' ? { src } : undefined),
      reusable: destination => {
        const found = target(destination)
        const record = found.kind === 'reusable-content' ? space.content.reusables.get(found.id) : undefined
        const body = record && space.documents.get(record.document)
        return body && { root: parseMarkdown(Buffer.from(body).toString()) }
      },
      variables: Object.fromEntries(space.content.variables),
    })
    assert.deepEqual(problems, [], file)
    // A tag without its end is text: it would be read as it is.
    const prose = html.replaceAll(/<(pre|code)\b.*?<\/\1>/gs, '')
    assert.doesNotMatch(prose, /\{%/, file)
  }
})

test('every link between the documents of the project leads somewhere', () => {
  const broken = globSync('*.md', { cwd: ROOT }).flatMap(name =>
    references(read(name))
      .map(({ destination }) => destination.split('#')[0] as string)
      .filter(path => path !== '' && !/^[a-z]+:/i.test(path))
      .filter(path => !existsSync(normalize(join(ROOT, dirname(name), path))))
      .map(path => `${name}: ${path}`),
  )
  assert.deepEqual(broken, [])
})

test('the page of settings has every variable with its default and its meaning, and no other', () => {
  const rows = space
    .text('configuration.md')
    .split('\n')
    .filter(line => /^\| `[A-Z]/.test(line))
    .map(line => line.replaceAll('`', ''))
  const variables: readonly Variable[] = Object.values(VARIABLES)
  const expected = variables.map(({ name, fallback, meaning }) =>
    fallback ? `| ${name} | ${fallback} | ${meaning} |` : `| ${name} | | ${meaning} |`,
  )
  assert.deepEqual(rows.sort(), expected.sort())
})

test('no document names a variable that the program does not know', () => {
  // What the examples keep for themselves, and what the tests take.
  const tests = ['OCTAVO_TEST_POSTGRES', 'OCTAVO_TEST_DATABASE', 'OCTAVO_PROPERTY_RUNS']
  const others = new Set(['OCTAVO_URL', ...tests])
  const known = new Set(Object.values<Variable>(VARIABLES).map(({ name }) => name))
  const texts = [...pages.map(({ text }) => text), ...globSync('*.md', { cwd: ROOT }).map(read)]
  const unknown = texts
    .flatMap(text => text.match(/\bOCTAVO_[A-Z0-9_]*[A-Z0-9]\b(?!_)/g) ?? [])
    .filter(name => !known.has(name) && !others.has(name))
  // `OCTAVO_S3_*` names the whole family.
  assert.deepEqual(
    [...new Set(unknown)].filter(name => name !== 'OCTAVO_S3'),
    [],
  )
})

test('every variable of OpenTelemetry that the program reads is on the page of operations, and so are its metrics', async () => {
  const page = space.text('operations.md')
  const given = readFileSync(join(ROOT, 'src/platform/trace-settings.ts'), 'utf8')
  const names = given.match(/\bOTEL_[A-Z_]+(?=')/g) ?? []
  assert.ok(names.length > 8)
  const metrics = read('src/cli/metric-sources.ts').match(/\boctavo_\w+(?=')/g) ?? []
  assert.ok(metrics.length > 30)
  // The page names families such as `octavo_pool_…`.
  const families = [...page.matchAll(/`(octavo_\w+_)…/g)].map(([, family = '']) => family)
  assert.deepEqual(
    [...names.filter(name => !name.endsWith('_PROTOCOL')), ...metrics].filter(
      name => !page.includes(name) && !families.some(family => name.startsWith(family)),
    ),
    [],
  )
})

test('every request that is shown is one that the API has', () => {
  const shapes = operations.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\*\}/g, '.+').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  const unknown: string[] = []
  let count = 0
  for (const text of [...guide, read('README.md')]) {
    for (const [command] of text.replaceAll('\\\n', ' ').matchAll(/^.*\bcurl\b.*$/gm)) {
      const path = /\/v1(\/[^\s"'|?)]*)/.exec(command)?.[1]
      if (path === undefined || path === '/openapi.json') continue
      count += 1
      const method = /-X ([A-Z]+)/.exec(command)?.[1] ?? 'GET'
      if (!shapes.some(shape => shape.method === method && shape.pattern.test(path)))
        unknown.push(`${method} ${path}`)
    }
  }
  assert.deepEqual(unknown, [])
  assert.ok(count > 15, `only ${count} requests were found, so this test looks at nothing`)
})

test('every code of a problem or failure that is named is one that the program uses', () => {
  const source = globSync('src/**/*.ts', { cwd: ROOT })
    .filter(path => !path.endsWith('.test.ts'))
    .map(read)
    .join('\n')
  const tables = space.text('import.md').split('\n## Problems\n')[1] ?? ''
  const named = tables
    .split('\n')
    .filter(line => /^\| `[a-z]+(?:_[a-z]+)*`/.test(line))
    .flatMap(line =>
      [...(line.split('|')[1] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, code]) => code as string),
    )
    .filter(code => !code.endsWith('_'))
  // Two codes are made of the kind of the entry.
  const isMade = /\$\{entry\.kind\}_skipped/.test(source)
  const isUsed = (code: string) =>
    source.includes(`'${code}'`) || (isMade && /^(?:symlink|submodule)_skipped$/.test(code))
  assert.deepEqual(
    named.filter(code => !isUsed(code)),
    [],
  )
  assert.ok(named.length > 40, 'the tables of codes were not found')
})

test('every field of an import that is explained is one of its schema', () => {
  const explained = space
    .text('import.md')
    .split('\n| Field | Means |\n')[1]
    ?.split('\n\n')[0]
    ?.matchAll(/^\| `(\w+)`/gm)
  const names = [...(explained ?? [])].map(([, name]) => name as string)
  assert.ok(names.length > 4, 'the table of fields was not found')
  assert.deepEqual(
    names.filter(name => !Object.hasOwn(ImportGitRepository.properties, name)),
    [],
  )
})

test('the page of tokens has every scope, and every preset with what it adds', () => {
  const rows = (heading: string) =>
    (space.text('tokens.md').split(`\n## ${heading}\n`)[1] ?? '')
      .split('\n## ')[0]
      ?.split('\n')
      .filter(line => line.startsWith('| `'))
      .map(line => [...line.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string)) ?? []
  assert.deepEqual(
    rows('Scopes')
      .map(([scope]) => scope)
      .sort(),
    [...SCOPES].sort(),
  )
  let before: readonly string[] = []
  const added = PRESET_NAMES.map(name => {
    const more = PRESETS[name].filter(scope => !before.includes(scope))
    before = PRESETS[name]
    return [name, ...more]
  })
  assert.deepEqual(rows('Say what a token may'), added)
})

test('every record of a decision is listed by its number', () => {
  const records = readdirSync(join(DOCS, 'decisions')).filter(name => /^\d{4}-/.test(name))
  const rows = read('docs/decisions/README.md')
    .split('\n')
    .filter(line => line.startsWith('| ['))
  // a row may name the record that replaces it, so only its first link counts
  assert.deepEqual(
    rows.map(row => /\((\d{4}-[\w-]+\.md)\)/.exec(row)?.[1]),
    records.sort(),
  )
})

test('every variable of a command in README and the guide is set on its page, by the quickstart, or explained', () => {
  const BLOCK = /```sh\n([\s\S]*?)```/g
  const assignedIn = (blocks: string) =>
    [...blocks.matchAll(/(?<=^|[ (])(?:export )?([A-Z][A-Z_]*)=/gm)].map(([, name]) => name)
  const blocksOf = (text: string) => [...text.matchAll(BLOCK)].map(([, block]) => block).join('\n')
  const known = new Set(['PATH', 'PWD', ...assignedIn(blocksOf(space.text('quickstart.md')))])
  const texts = [
    ...pages.map(({ file, text }) => [`docs/${file}`, text] as const),
    ['README.md', read('README.md')] as const,
  ]
  const unset = texts.flatMap(([file, text]) => {
    const blocks = blocksOf(text)
    const mine = new Set(assignedIn(blocks))
    const used = new Set([...blocks.matchAll(/\$\{?([A-Z][A-Z_]*)/g)].map(([, name]) => name ?? ''))
    const isExplained = (name: string) => text.replaceAll(BLOCK, '').includes(`\`${name}\``)
    const isSet = (name: string) => mine.has(name) || (file !== 'README.md' && known.has(name))
    return [...used].filter(name => !isSet(name) && !isExplained(name)).map(name => `${file}: ${name}`)
  })
  assert.deepEqual(unset, [])
})

test('no command of README and the guide asks the registry for a package of the name of the program', () => {
  for (const text of [read('README.md'), ...guide]) assert.doesNotMatch(text, /npx(?:"|,| )*octavo/)
})

test('every command has its line in README and its section among the commands', () => {
  // `octavo import --check` runs it.
  for (const name of Object.keys(commands).filter(one => one !== 'check-import')) {
    assert.match(read('README.md'), new RegExp(`^\\| \`\\./octavo ${name}\\b`, 'm'), name)
    assert.match(space.text('command-line.md'), new RegExp(`^## ${name}$`, 'm'), name)
  }
})

test('every dependency has its line in the record of dependencies', () => {
  const manifest = JSON.parse(read('package.json'))
  const record = read('docs/decisions/0014-dependencies.md')
  const missing = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    name => !record.includes(`\`${name}\``),
  )
  assert.deepEqual(missing, [])
})

test('README has the two commands, each on a line of its own', () => {
  const lines = read('README.md').split('\n')
  for (const command of ['npm ci && npm start', 'npm ci && npm test'])
    assert.ok(lines.includes(command), command)
})
