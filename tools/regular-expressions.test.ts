import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expressionsReader, findSlow } from './regular-expressions.ts'

/** What is found in a tree of `{ path: text }`. */
function found(tree: Record<string, string>) {
  const read = expressionsReader(path => tree[path] ?? '')
  return Object.keys(tree).flatMap(read)
}

const sources = (tree: Record<string, string>) =>
  found(tree).map(({ path, line, expression }) => `${path}:${line} ${expression?.source}`)

test('literals are read in every position, and division is none', () => {
  const text = `type A = string\nconst a: A = b / c / d\nf({ x: [/a\\/b/g] }, \`\${y.replace(/c/, '')}\`)`
  assert.deepEqual(sources({ 'a.ts': text }).sort(), ['a.ts:3 a\\/b', 'a.ts:3 c'])
})

test('what is made of constants is put together, also of other files', () => {
  const tree = {
    'a/b.ts': `import { LENGTH, WORD as ONE } from '../c.ts'\nnew RegExp(\`^\${ONE.source}{1,\${LENGTH}}$\`, 'u')`,
    'c.ts': `export { LENGTH, WORD } from './d.ts'`,
    'd.ts': `export const LENGTH = 9\nexport const WORD = /\\w/`,
  }
  assert.deepEqual(sources(tree), ['a/b.ts:2 ^\\w{1,9}$', 'd.ts:2 \\w'])
  assert.equal(found(tree)[0]?.expression?.flags, 'u')
})

test('the pattern of a schema is one', () => {
  assert.deepEqual(sources({ 'a.ts': `const P = '^a+$'\nType.String({ pattern: P })` }), ['a.ts:2 ^a+$'])
})

test('what is slow, or cannot be read, fails unless it is allowed, and so does what is allowed for nothing', () => {
  const slow = found({ 'a.ts': 'x.replace(/\\s+$/, "")' })
  assert.match(findSlow(slow, new Map()).join(), /^a\.ts:1 \/\\s\+\$\/: can take more/)
  assert.deepEqual(findSlow(slow, new Map([['a.ts /\\s+$/', 'why']])), [])
  assert.match(
    findSlow(found({ 'a.ts': 'RegExp(y)' }), new Map()).join(),
    /^a\.ts:1 RegExp\(y\): is not known/,
  )
  assert.deepEqual(findSlow([], new Map([['a.ts /b/', 'why']])), [
    'a.ts /b/: is allowed, and nothing needs it',
  ])
})
