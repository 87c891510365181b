import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'
import { bundleProgram, inAscii } from '../../tools/program.ts'
import { findBundle, fingerprintOf, listSources } from './bundled.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test('the command finds the bundle of exactly these sources, and the bundle names no place of this machine', async () => {
  const folder = await bundleProgram()
  assert.equal(findBundle(), pathToFileURL(join(folder, 'cli/program.mjs')).href)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(entry => join(entry.parentPath, entry.name))
    // Beside them is what Node has compiled, once the program has run.
    .filter(path => /\.(?:mjs|map)$/.test(path))
  assert.ok(files.some(path => path.endsWith('.map')))
  assert.deepEqual(
    files.filter(path => readFileSync(path, 'utf8').includes(ROOT)),
    [],
  )
  assert.deepEqual(
    files.filter(path => path.endsWith('.mjs') && /[^\0-\x7f]/.test(readFileSync(path, 'utf8'))),
    [],
  )
})

test('a package that is loaded when it is needed has the names in the bundle that it has in Node', async () => {
  const packages = new Set(
    listSources()
      .filter(path => path.endsWith('.ts'))
      .flatMap(path => [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\bimport\('([^.'][^']*)'\)/g)])
      .map(([, name = '']) => name),
  )
  assert.ok(packages.has('undici') && packages.has('@node-saml/node-saml'))
  const folder = await bundleProgram()
  const chunks = globSync('*.mjs', { cwd: folder })
  const exported = chunks.map(name => exportsOf(readFileSync(join(folder, name), 'utf8')))
  for (const name of packages) {
    const names = Object.keys(await import(name)).filter(each => each !== 'module.exports')
    assert.ok(
      exported.some(found => names.every(each => found.has(each))),
      name,
    )
  }
})

/** The names of its one statement of exports. */
const exportsOf = (program: string): ReadonlySet<string | undefined> =>
  new Set(
    [...program.matchAll(/\bexport\s*\{([^}]*)\}/g)]
      .flatMap(([, names = '']) => names.split(','))
      .map(name => name.trim().split(/\s+/).at(-1)),
  )

test('a program in ASCII does the same', () => {
  for (const program of [
    '`“” 😀`',
    '"\\’, \\\\’"',
    '(texts => texts[0])`a…`',
    '/^[“”]\\’s$/.test("”’s")',
    '/^\\\\’$/.test("\\\\’")',
    '/^[😀-😂]$/u.test("😁")',
  ]) {
    const made = inAscii(program)
    assert.match(made, /^[\0-\x7f]+$/)
    assert.equal(runInNewContext(made), runInNewContext(program), program)
  }
})

test('a program whose raw text would become another is refused', () => {
  assert.throws(
    () => inAscii('let a = `é`, b = String.raw`\\d é`'),
    /an escape would be text in String\.raw`/,
  )
  assert.equal(inAscii('String.raw`\\`\\d` + `é`'), 'String.raw`\\`\\d` + `\\u00e9`')
})

test('a bundle is named by every source, migration and lock file, and by no test', () => {
  const sources = listSources()
  for (const path of [
    'package-lock.json',
    'src/cli/program.ts',
    'src/platform/db/migrations/0041_told_glossaries.sql',
  ])
    assert.ok(sources.includes(path), path)
  assert.ok(!sources.includes('src/cli/bundled.test.ts'))
  assert.notEqual(fingerprintOf(sources), fingerprintOf(sources.slice(1)))
})
