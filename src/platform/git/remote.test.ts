import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { Failure } from '../../base/errors.ts'
import { fullRef, parseRemote } from './remote.ts'

const codeOf = (run: () => unknown): string => {
  try {
    run()
    return 'fine'
  } catch (reason) {
    if (reason instanceof Failure) return reason.code
    throw reason
  }
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

describe('the address of a repository', () => {
  for (const [text, url, host, port, header] of [
    ['https://github.com/acme/docs.git', 'https://github.com/acme/docs.git', 'github.com', 443, undefined],
    ['http://[::1]:8080/docs', 'http://[::1]:8080/docs', '::1', 8080, undefined],
    ['HTTPS://Host.Example:443/a%20b', 'https://host.example/a%20b', 'host.example', 443, undefined],
    ['http://0x7f.1/x', 'http://127.0.0.1/x', '127.0.0.1', 80, undefined],
    ['https://a:b@h.example/x', 'https://h.example/x', 'h.example', 443, basic('a:b')],
    [
      'https://a%40b:p%3A%2F%25%C3%BC@h.example/x',
      'https://h.example/x',
      'h.example',
      443,
      basic('a@b:p:/%ü'),
    ],
    ['https://token@h.example/x', 'https://h.example/x', 'h.example', 443, basic('token:')],
    ['https://:secret@h.example/x', 'https://h.example/x', 'h.example', 443, basic(':secret')],
  ] as const) {
    it(`${text} is ${url}${header === undefined ? '' : ' and credentials'}`, () => {
      const { credentials, ...remote } = parseRemote(text)
      assert.deepEqual(remote, { url, host, port })
      assert.equal(credentials?.header(), header)
    })
  }

  for (const text of [
    ...[
      '',
      'docs',
      'git@github.com:acme/docs.git',
      'ssh://git@github.com/acme/docs',
      'git://h/x',
      'file:///etc',
    ],
    ...['ext::sh -c id', '--upload-pack=id', 'http://', 'https://h.example/a?b', 'https://h.example/a#b'],
    ...[
      'https://h.exa mple/a',
      'https://h.example/a\nb',
      '\thttps://h.example/a',
      'https://a:%ff@h.example/x',
    ],
    `https://h.example/${'a'.repeat(3000)}`,
  ]) {
    it(`is not ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.equal(
        codeOf(() => parseRemote(text)),
        'git_url_invalid',
      )
    })
  }

  it('shows its password to nobody who prints it', () => {
    const remote = parseRemote('https://ada:hunter2@h.example/x')
    const secret = Buffer.from('ada:hunter2').toString('base64')
    for (const text of [
      JSON.stringify(remote),
      inspect(remote, { depth: 9, showHidden: true }),
      `${remote.credentials}`,
    ]) {
      assert.ok(!text.includes('hunter2') && !text.includes(secret), text)
    }
  })

  it('takes its password, or a token in the place of the user, out of what a host says', () => {
    for (const url of ['https://ada:hunter2@h.example/x', 'https://hunter2@h.example/x'])
      assert.equal(parseRemote(url).credentials?.redact('hunter2 is expired'), '[hidden] is expired')
    assert.equal(parseRemote('https://a:b@h.example/x').credentials?.redact('a bad day'), 'a bad day')
  })

  it('is not repeated by the message that refuses it', () => {
    assert.throws(
      () => parseRemote('ftp://ada:hunter2@h.example/x'),
      (reason: unknown) => reason instanceof Error && !reason.message.includes('hunter2'),
    )
  })
})

describe('a ref', () => {
  for (const [text, full] of [
    ['main', 'refs/heads/main'],
    ['feature/üñí', 'refs/heads/feature/üñí'],
    ['refs/heads/main', 'refs/heads/main'],
    ['refs/tags/v1.0', 'refs/tags/v1.0'],
    ['+main', 'refs/heads/+main'],
    ['HEAD', 'HEAD'],
    ['0123456789abcdef0123456789abcdef01234567', '0123456789abcdef0123456789abcdef01234567'],
  ] as const) {
    it(`${text} is ${full}`, () => assert.equal(fullRef(text), full))
  }

  for (const text of [
    ...[
      '',
      '-x',
      '--all',
      'a b',
      'a..b',
      'a:b',
      'a^',
      'a~1',
      'a?',
      'a*',
      'a[b',
      'a\\b',
      '@',
      'a@{1}',
      '/a',
      'a/',
      'a//b',
    ],
    ...['.a', 'a/.b', 'a.', 'a.lock', 'a.lock/b', 'a\nb', 'a\0b', '\ud800', 'x'.repeat(300)],
  ]) {
    it(`is not ${JSON.stringify(text.slice(0, 20))}`, () => {
      assert.equal(
        codeOf(() => fullRef(text)),
        text === '+main' ? 'fine' : 'git_ref_invalid',
      )
    })
  }
})
