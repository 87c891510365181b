import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createRepository } from '../../../test/support/repositories.ts'
import { createGit } from './git.ts'
import { answerRefs } from './list-refs.ts'
import { pktLine } from './pkt-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-refs-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const head = 'refs/heads/main'

const question = (...args: string[]) =>
  asked(['command=ls-refs\n', 'agent=git/2.39.5', 'object-format=sha1'], args)
const asked = (before: readonly string[], args: readonly string[]) =>
  Buffer.concat([
    ...before.map(pktLine),
    ...(args.length === 0 ? [] : [Buffer.from('0001'), ...args.map(line => pktLine(`${line}\n`))]),
    Buffer.from('0000'),
  ])

test('a client gets the refs that git would answer, whatever it asks', async () => {
  const repository = await createRepository(folder)
  const branches = new Map<string, string>()
  for (const ref of ['refs/heads/ada/fix', 'refs/heads/fix', head])
    branches.set(ref, await repository.commit({ ref, changes: [{ path: ref, content: ref }] }))
  for (const args of [
    ['peel', 'symrefs', 'unborn', 'ref-prefix refs/heads/', 'ref-prefix HEAD', 'ref-prefix refs/tags/'],
    ['peel', 'symrefs', 'ref-prefix refs/heads/fix', 'ref-prefix refs/tags/refs/heads/fix'],
    ['peel'],
    ['symrefs', 'ref-prefix refs/none'],
    [],
  ]) {
    const said = await createGit().servePack({
      ...{ directory: repository.directory, protocol: 'version=2', input: question(...args) },
      ...{ deadlineMs: 20_000, signal: new AbortController().signal, onFailure: assert.fail },
    })
    const answer = answerRefs(question(...args), { branches, head })
    assert.equal(String(answer), String(await buffer(said)), args.join())
  }
})

test('what is no such question, or an unusual one, is left to git', () => {
  const refs = { branches: new Map([[head, 'a'.repeat(40)]]), head }
  assert.ok(answerRefs(question('peel'), refs))
  const whole = question('peel', 'symrefs')
  for (const other of [
    ...['', '0000', 'nonsense', '0003', '0004', 'ffff', '00', '0001', '00010000'].map(text =>
      Buffer.from(text),
    ),
    asked(['command=fetch'], []),
    asked(['command=ls-refs', 'object-format=sha256'], []),
    asked(['command=ls-refs', 'server-option=x'], ['peel']),
    question('peel', 'something-new'),
    question(...Array.from({ length: 200 }, () => 'ref-prefix refs/heads/a')),
    whole.subarray(0, -1),
    whole.subarray(0, 40),
    Buffer.concat([whole, Buffer.from('0000')]),
  ])
    assert.equal(answerRefs(other, refs), undefined, String(other).slice(0, 80))
  assert.equal(answerRefs(question('peel'), { branches: new Map(), head }), undefined, 'no main, no HEAD')
})
