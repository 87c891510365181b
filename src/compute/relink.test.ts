import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relink } from './relink.ts'

const FROM = '.gitbook/assets/a.png'
const TO = '.gitbook/assets/a-1234 (2).png'

test('links and pictures that lead to a path follow it, in the syntax of their place; the rest stays', () => {
  const text = [
    '![A](../.gitbook/assets/a.png)',
    '<figure><img src="../.gitbook/assets/a.png" alt=""></figure>',
    '[here](../.gitbook/assets/a.png#part)',
    '[other](../.gitbook/assets/b.png), [same name elsewhere](a.png) and `../.gitbook/assets/a.png`',
  ].join('\n\n')
  const relinked = relink(text, 'guides/page.md', new Map([[FROM, TO]]))
  assert.deepEqual(relinked.split('\n\n'), [
    '![A](<../.gitbook/assets/a-1234 (2).png>)',
    '<figure><img src="../.gitbook/assets/a-1234 (2).png" alt=""></figure>',
    '[here](<../.gitbook/assets/a-1234 (2).png#part>)',
    '[other](../.gitbook/assets/b.png), [same name elsewhere](a.png) and `../.gitbook/assets/a.png`',
  ])
})

test('a page is found by every way in which a link may name it', () => {
  const to = (destination: string) =>
    relink(`[x](${destination})`, 'a.md', new Map([['setup.md', 'setup-1.md']]))
  for (const destination of ['setup.md', './setup.md', '/setup.md', 'setup'])
    assert.equal(to(destination), '[x](setup-1.md)')
  assert.equal(to('setup.md#a'), '[x](setup-1.md#a)')
  assert.equal(to('https://example.com/setup.md'), '[x](https://example.com/setup.md)')
})
