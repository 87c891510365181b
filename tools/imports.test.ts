import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importsOf, reaching, withoutComments } from './imports.ts'

test('comments go, line numbers and addresses in strings stay', () => {
  const text = "/* one\ntwo */ a\nconst url = 'https://b' // c\nglob('src/**/*.ts')"
  assert.equal(withoutComments(text), "      \n       a\nconst url = 'https://b' \nglob('src/**/*.ts')")
})

test('every spelling of an import is found with its line', () => {
  assert.deepEqual(
    importsOf("import type { A } from './a.ts'\nexport * from \"b\"\nimport 'c'\nawait import('./d.ts')"),
    [
      { specifier: './a.ts', line: 1 },
      { specifier: 'b', line: 2 },
      { specifier: 'c', line: 3 },
      { specifier: './d.ts', line: 4 },
    ],
  )
})

/** Which of the files reach DATABASE. */
const reachers = (tree: Record<string, string>): string[] =>
  Object.keys(tree).filter(
    reaching(
      (_, text) => text.includes('DATABASE'),
      path => tree[path],
    ),
  )

test('a word is reached through imports of imports', () => {
  const tree = {
    'src/a.test.ts': "import '../test/world.ts'",
    'src/b.test.ts': "import 'kysely'\nimport './gone.ts'",
    'test/world.ts': "import './database.ts'",
    'test/database.ts': 'env.DATABASE',
  }
  assert.deepEqual(reachers(tree), ['src/a.test.ts', 'test/world.ts', 'test/database.ts'])
})

test('a circle of imports ends, and hides nothing that one of its members reaches', () => {
  assert.deepEqual(reachers({ 'a.ts': "import './b.ts'", 'b.ts': "import './a.ts'" }), [])
  const tree = { 'a.ts': "import './b.ts'\nimport './c.ts'", 'b.ts': "import './a.ts'", 'c.ts': 'DATABASE' }
  assert.deepEqual(reachers(tree), ['a.ts', 'b.ts', 'c.ts'])
})
