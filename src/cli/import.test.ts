import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleOf } from './import.ts'
import { isRepository } from './source.ts'

test('an address is a repository, whatever its protocol; everything else is a folder', () => {
  for (const source of [
    'https://h/a.git',
    'HTTP://h/a',
    'ssh://git@h/a',
    'git@github.com:a/b.git',
    'file:///a',
  ])
    assert.equal(isRepository(source), true, source)
  for (const source of ['/a/b', '.', 'docs', '../a@b/c', 'C:\\docs', 'a:b'])
    assert.equal(isRepository(source), false, source)
})

test('a new space is titled after the repository or folder, and never after a password', () => {
  const expected: [string, string][] = [
    ['https://host/team/guide.git', 'guide'],
    ['https://host/team/guide/', 'guide'],
    ['https://host/team/user%20guide.git', 'user guide'],
    ['https://host/team/100%.git', '100%'],
    ['https://ada:secret@host', 'Imported'],
    ['/home/ada/Handbook', 'Handbook'],
    ['/', 'Imported'],
  ]
  for (const [source, title] of expected) assert.equal(titleOf(source), title, source)
})

test('a long name is cut between characters, to what a title may be', () => {
  const title = titleOf(`/home/${'a'.repeat(49)}\u{1f4d8}\u{1f4d8}`)
  assert.equal(title, 'a'.repeat(49))
})
