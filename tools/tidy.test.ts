import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Exceptions, findUntidy } from './tidy.ts'

/** `{ path: text }` → `path:line rule` of everything that is found. */
const untidy = (tree: Record<string, string>, exceptions?: Exceptions): string[] =>
  findUntidy(
    Object.entries(tree).map(([path, text]) => ({ path, text })),
    exceptions,
  ).map(({ path, line, rule }) => `${path}:${line} ${rule}`)

const importing = (path: string, specifier: string): string[] =>
  untidy({ [path]: `import { a } from '${specifier}'` })

test('a source file outside every module is found', () => {
  assert.deepEqual(
    untidy({ 'src/other/a.ts': '', 'src/api/shop/rows.ts': '', 'src/engines/a.ts': '', 'a.ts': '' }),
    [
      'a.ts:1 module',
      'src/api/shop/rows.ts:1 module',
      'src/engines/a.ts:1 module',
      'src/other/a.ts:1 module',
    ],
  )
  assert.deepEqual(
    untidy({
      'src/base/a.ts': '',
      'src/engines/x/a.ts': '',
      'src/api/index.ts': '',
      'src/api/sso/rows.ts': '',
      'tools/a.ts': '',
    }),
    [],
  )
})

test('an import upwards is found, one downwards is not', () => {
  assert.deepEqual(importing('src/base/a.ts', '../http/app.ts'), ['src/base/a.ts:1 imports'])
  assert.deepEqual(importing('src/http/a.ts', '../api/index.ts'), ['src/http/a.ts:1 imports'])
  assert.deepEqual(importing('src/api/spaces/a.ts', '../../site/page.ts'), ['src/api/spaces/a.ts:1 imports'])
  assert.deepEqual(importing('src/cli/a.ts', '../site/page.ts'), [])
  assert.deepEqual(importing('src/access/a.ts', '../platform/db/open.ts'), [])
})

test('imports over several lines, re-exports and dynamic imports count, comments do not', () => {
  const up = "'../../cli/main.ts'"
  const text = [
    `import {\n  a,\n  b,\n} from ${up}`,
    `export * from ${up}`,
    `await import(${up})`,
    `import ${up}`,
    `// import ${up}`,
    `/* import ${up} */`,
  ].join('\n')
  assert.deepEqual(
    untidy({ 'src/platform/db/a.ts': text }),
    [4, 5, 6, 7].map(line => `src/platform/db/a.ts:${line} imports`),
  )
})

test('engines and platform are independent, and so are engines among themselves', () => {
  assert.deepEqual(importing('src/engines/content/a.ts', '../../platform/log.ts'), [
    'src/engines/content/a.ts:1 imports',
  ])
  assert.deepEqual(importing('src/platform/git/a.ts', '../../engines/content/a.ts'), [
    'src/platform/git/a.ts:1 imports',
  ])
  assert.deepEqual(importing('src/engines/content/a.ts', '../markdown/a.ts'), [
    'src/engines/content/a.ts:1 imports',
  ])
  assert.deepEqual(importing('src/engines/content/a.ts', './b.ts'), [])
  assert.deepEqual(importing('src/engines/content/a.ts', '../../base/assert.ts'), [])
  assert.deepEqual(importing('src/platform/db/a.ts', '../fresh.ts'), [])
})

test('engines and base import no files, network or database; their tests may', () => {
  for (const neighbour of ['node:fs/promises', 'node:child_process', 'kysely', 'pg']) {
    assert.deepEqual(importing('src/engines/content/a.ts', neighbour), ['src/engines/content/a.ts:1 imports'])
    assert.deepEqual(importing('src/base/a.ts', neighbour), ['src/base/a.ts:1 imports'])
    assert.deepEqual(importing('src/engines/content/a.test.ts', neighbour), [])
    assert.deepEqual(importing('src/platform/git/a.ts', neighbour), [])
  }
  assert.deepEqual(importing('src/base/a.ts', 'node:crypto'), [])
})

test('a module of the API imports earlier ones only, and not the list that it is in', () => {
  assert.deepEqual(importing('src/api/comments/a.ts', '../change-requests/place.ts'), [])
  assert.deepEqual(importing('src/api/change-requests/a.ts', '../comments/rows.ts'), [
    'src/api/change-requests/a.ts:1 imports',
  ])
  assert.deepEqual(importing('src/api/spaces/a.ts', '../index.ts'), ['src/api/spaces/a.ts:1 imports'])
  assert.deepEqual(importing('src/api/index.ts', './ask/routes.ts'), [])
})

test('the workspace imports nothing of the server but what the reader loads in browsers as well', () => {
  assert.deepEqual(importing('src/web/parts/a.tsx', '../../site/assets/content.js'), [])
  const insertsBlocks = {
    'src/web/editor/a.ts': "import { a } from '../../engines/markdown/blocks/inserts.ts'",
  }
  assert.deepEqual(untidy(insertsBlocks, { doors: ['blocks/inserts'] }), [])
  assert.deepEqual(importing('src/web/editor/a.ts', '../../engines/markdown/syntax/syntax.ts'), [
    'src/web/editor/a.ts:1 imports',
  ])
  assert.deepEqual(importing('src/web/parts/a.tsx', '../../site/session.ts'), [
    'src/web/parts/a.tsx:1 imports',
  ])
})

test('a folder of the Markdown engine is imported through its doors alone', () => {
  const path = 'src/compute/a.ts'
  assert.deepEqual(importing(path, '../engines/markdown/html/html.ts'), [])
  assert.deepEqual(importing(path, '../engines/markdown/html/tabs.ts'), [`${path}:1 door`])
  assert.deepEqual(importing('src/engines/markdown/html/a.ts', './tabs.ts'), [])
})

test('files that import each other are found with their circle, types as well as values', () => {
  const circle = {
    'src/http/a.ts': "import type { B } from './b.ts'",
    'src/http/b.ts': "export { c } from './c.ts'",
    'src/http/c.ts': "import { a } from './a.ts'",
    'src/http/d.ts': "import { a } from './a.ts'",
  }
  assert.deepEqual(untidy(circle), ['src/http/a.ts:1 circle'])
  assert.deepEqual(
    findUntidy(Object.entries(circle).map(([path, text]) => ({ path, text }))).map(({ why }) => why),
    ['imports itself: src/http/a.ts -> src/http/b.ts -> src/http/c.ts -> src/http/a.ts'],
  )
  assert.deepEqual(untidy({ ...circle, 'src/http/c.ts': '' }), [])
  assert.deepEqual(untidy({ 'tools/a.ts': "import './b.ts'", 'tools/b.ts': "import './a.ts'" }), [
    'tools/a.ts:1 circle',
  ])
})

test('folders that import each other are found by the imports that are fewer; those of tests do not count', () => {
  const folders = {
    'src/http/a.ts': "import './limits/b.ts'",
    'src/http/c.ts': "import './limits/b.ts'",
    'src/http/d.ts': '',
    'src/http/limits/b.ts': '',
    'src/http/limits/e.ts': "import '../d.ts'",
  }
  assert.deepEqual(untidy(folders), ['src/http/limits/e.ts:1 two-way'])
  assert.deepEqual(untidy({ ...folders, 'src/http/c.ts': '' }), ['src/http/a.ts:1 two-way'])
  const { 'src/http/limits/e.ts': text, ...oneWay } = folders
  assert.deepEqual(untidy({ ...oneWay, 'src/http/limits/e.test.ts': text }), [])
})

test('an exception allows what it names, and is found once it allows nothing', () => {
  const circle = { 'src/http/a.ts': "import './b.ts'", 'src/http/b.ts': "import './a.ts'" }
  const folders = { 'src/http/a.ts': "import './limits/b.ts'", 'src/http/limits/b.ts': "import '../c.ts'" }
  const door = { 'src/compute/a.ts': "import '../engines/markdown/html/values.ts'" }
  const exceptions: [Record<string, string>, Exceptions][] = [
    [circle, { circles: ['src/http'] }],
    [{ ...folders, 'src/http/c.ts': '' }, { twoWay: [['src/http/limits', 'src/http']] }],
    [door, { doors: ['html/values'] }],
  ]
  for (const [tree, exception] of exceptions) {
    assert.equal(untidy(tree).length, 1)
    assert.deepEqual(untidy(tree, exception), [])
    assert.deepEqual(untidy({}, exception), ['tools/tidy.ts:1 exception'])
  }
})

test('the product imports no tests and no tools; a test does', () => {
  assert.deepEqual(importing('src/api/spaces/a.ts', '../../../test/support/world.ts'), [
    'src/api/spaces/a.ts:1 imports',
  ])
  assert.deepEqual(importing('src/api/spaces/a.test.ts', '../../../test/support/world.ts'), [])
})

const MIGRATION = {
  'src/platform/db/migrations/0001_a.sql':
    '-- owner: spaces\ncreate table spaces (\n  id text\n);\n\n-- The queue.\n-- owner: platform/events\ncreate table events (id text);\n',
}

test('only the owner of a table writes it, however the writing is spelled', () => {
  const writes = [
    "db.insertInto('spaces')",
    "db\n.updateTable(\n'spaces as s')",
    'db.deleteFrom("spaces")',
    'sql`insert into spaces values (1)`',
    'sql`UPDATE spaces AS s SET id = 1`',
    'sql`update spaces set id = 1`',
    'sql`delete from spaces`',
    'sql`truncate table spaces`',
  ]
  for (const write of writes) {
    const found = untidy({ ...MIGRATION, 'src/api/members/rows.ts': write })
    assert.equal(found.length, 1, write)
    assert.match(found[0] as string, /^src\/api\/members\/rows\.ts:\d owner$/)
    assert.deepEqual(untidy({ ...MIGRATION, 'src/api/spaces/rows.ts': write }), [])
    assert.deepEqual(untidy({ ...MIGRATION, 'src/api/members/rows.test.ts': write }), [])
  }
  assert.deepEqual(untidy({ ...MIGRATION, 'src/platform/events/append.ts': "trx.insertInto('events')" }), [])
})

test('a table can belong to the HTTP layer, and then no module of the API writes it', () => {
  const migration = {
    'src/platform/db/migrations/0002_b.sql': '-- owner: http\ncreate table keys (id text);\n',
  }
  const write = "db.insertInto('keys')"
  assert.deepEqual(untidy({ ...migration, 'src/http/idempotency-rows.ts': write }), [])
  for (const path of ['src/api/spaces/rows.ts', 'src/platform/db/open.ts', 'src/site/a.ts'])
    assert.deepEqual(untidy({ ...migration, [path]: write }), [`${path}:1 owner`])
})

test('reading the table of another module by join, and a row lock, are no writes', () => {
  const reads =
    "db.selectFrom('spaces').innerJoin('events', 'a', 'b')\nsql`select 1 from spaces for update of spaces`\nsql`insert into members values (1) on conflict do update set id = 1`"
  assert.deepEqual(untidy({ ...MIGRATION, 'src/api/members/rows.ts': reads }), [])
})

test('a table without an owner, or owned by no module, is found', () => {
  const orphan = {
    'src/platform/db/migrations/0002_b.sql':
      'create table a (id text);\n-- owner: nobody\ncreate table b (id text);\n',
  }
  assert.deepEqual(untidy(orphan), [
    'src/platform/db/migrations/0002_b.sql:1 owner',
    'src/platform/db/migrations/0002_b.sql:3 owner',
  ])
})

test('the environment is read in platform/config.ts alone, and in tests and tools', () => {
  const text = 'export const home = process.env.HOME'
  assert.deepEqual(
    untidy({ 'src/platform/log.ts': text, 'src/cli/a.ts': "import { env } from 'node:process'" }),
    ['src/cli/a.ts:1 environment', 'src/platform/log.ts:1 environment'],
  )
  assert.deepEqual(
    untidy({ 'src/platform/config.ts': text, 'test/e2e/a.ts': text, 'tools/a.ts': text, 'bench/a.ts': text }),
    [],
  )
})

test('time and randomness come from base alone', () => {
  for (const text of ['Date.now()', 'new Date()', 'performance.now()'])
    assert.deepEqual(untidy({ 'src/api/spaces/a.ts': text, 'src/base/clock.ts': text }), [
      'src/api/spaces/a.ts:1 clock',
    ])
  for (const text of [
    'Math.random()',
    'randomBytes(8)',
    'crypto.randomUUID()',
    "import { nanoid } from 'nanoid'",
  ])
    assert.deepEqual(untidy({ 'src/api/spaces/a.ts': text, 'src/base/ids.ts': text }), [
      'src/api/spaces/a.ts:1 randomness',
    ])
  assert.deepEqual(
    untidy({
      'src/api/spaces/a.ts': 'new Date(value) // not new Date()',
      'src/api/spaces/a.test.ts': 'Date.now()',
    }),
    [],
  )
})

test('a test that measures how long something takes is found, and what it is given to compare is not', () => {
  for (const text of ['performance.now()', 'process.hrtime.bigint()', 'process.cpuUsage()', 'monotonicMs()'])
    assert.deepEqual(untidy({ 'src/api/spaces/a.test.ts': text, 'test/support/growth.ts': text }), [
      'src/api/spaces/a.test.ts:1 elapsed',
    ])
})

test('a file or folder named for nothing is found, whatever it is', () => {
  assert.deepEqual(
    untidy({
      'src/base/utils.ts': '',
      'src/base/helpers/a.ts': '',
      'docs/common/a.md': '',
      'src/base/util.test.ts': '',
    }),
    [
      'docs/common/a.md:1 name',
      'src/base/helpers/a.ts:1 name',
      'src/base/util.test.ts:1 name',
      'src/base/utils.ts:1 name',
    ],
  )
  assert.deepEqual(untidy({ 'src/api/openapi-specs/library.ts': '', 'docs/service-level.md': '' }), [])
})

test('a lockfile with download addresses and a path of one machine are found', () => {
  assert.deepEqual(untidy({ 'package-lock.json': '{\n  "resolved": "https://registry.example/a.tgz"\n}' }), [
    'package-lock.json:2 lockfile',
  ])
  assert.deepEqual(untidy({ 'package-lock.json': '{\n  "resolved": "web"\n}' }), [])
  assert.deepEqual(
    untidy({
      'README.md': `a\ncd ${'/root'}/octavo`,
      'docs/a.md': 'https://host/work/a ~/work/b /home/ada/guide',
    }),
    ['README.md:2 machine'],
  )
})

test('a task left in a comment is found unless it names its issue', () => {
  assert.deepEqual(untidy({ 'src/base/a.ts': `// ${'TO'}DO: later\n// ${'TO'}DO(#12): later` }), [
    'src/base/a.ts:1 promise',
  ])
})

test('a text that people read is a message: between tags, in attributes and in expressions', () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is the text of a source
  const text = [
    '<p title="Closed" className="a b" data-x="Here we are" />',
    "<p aria-label={isOpen ? 'Open' : t('a.closed')} />",
    '<p>{`Hello ${name}`}</p>',
    '<p>{count > 0 && `${count} of them`}</p>',
    "  {isOpen ? t('a.open') : 'Closed'}",
    "<p className={`card ${isOpen ? 'open' : ''}`} title={t(isOpen ? 'a.isOpen' : 'a.isClosed')} />",
    '<p title={`${name}: ${say(name, of === revision)}`} role="alert">{` · ${name}`}</p>',
    "<Field value={`git clone ${remote}`} label={t('a.b')} />",
    "if (key === 'Enter') return 'rest'",
    "const keys: { 'g h': 'ArrowUp' | 'ArrowDown' } = { 'g h': 'ArrowUp' }",
    "<p className={isOpen ? 'card open' : 'card'} />",
    "// <p title='Here we are'>",
  ].join('\n')
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is the text of a source
  assert.deepEqual(
    untidy({ 'src/web/a/b.tsx': text, 'src/site/a.ts': text }).filter(found => found.endsWith(' text')),
    [1, 2, 3, 4, 5].map(line => `src/web/a/b.tsx:${line} text`),
  )
})
