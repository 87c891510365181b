// Files that somebody uploaded have addresses on this server, and nothing that they say runs on its pages.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { skipBrowser as skip, visit } from '../../test/support/browser.ts'
import { spaceWith } from '../../test/support/pages.ts'
import { originOf, serverWith } from '../../test/support/server.ts'
import { world } from '../../test/support/world.ts'

const w = await world()
const SCRIPT = 'document.documentElement.dataset.run = "yes"; self.onmessage = () => {}'
const NAMES = ['x.js', 'x.mjs', 'x.cjs', 'x.css', 'x.html', 'x.xhtml', 'x.xsl', 'x.xml']
const space = await spaceWith(
  w,
  {
    'README.md': '# Start\n\n```js\nlet a\n```\n',
    ...Object.fromEntries(NAMES.map(name => [`.gitbook/assets/${name}`, SCRIPT])),
  },
  { visibility: 'public' },
)

const paths = async (): Promise<string[]> => {
  const { body } = await w.call('GET', `/spaces/${space}/content/files`)
  return body.items.map((file: { downloadURL: string }) => file.downloadURL.replace('http://octavo.test', ''))
}

let origin = ''
before(async () => {
  if (skip === false) origin = await originOf(w)
})

test('a script, a style or markup is served as plain text, whatever brought it', async () => {
  const sent = await w.call('POST', `/spaces/${space}/content`, {
    body: {
      changes: [
        {
          operation: 'insert_files',
          files: ['text/javascript', 'application/x-javascript', 'text/css', 'text/html'].map(
            (contentType, i) => ({
              name: `sent-${i}.dat`,
              base64: Buffer.from(SCRIPT).toString('base64'),
              contentType,
            }),
          ),
        },
      ],
    },
  })
  assert.equal(sent.status, 200, JSON.stringify(sent.body))
  const all = await paths()
  assert.equal(all.length, NAMES.length + 4)
  for (const method of ['GET', 'HEAD'] as const)
    for (const url of all) {
      const { headers, statusCode } = await w.app.inject({ method, url })
      assert.equal(statusCode, 200, url)
      assert.match(String(headers['content-type']), /^text\/plain(; charset=utf-8)?$/, url)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(String(headers['content-security-policy']), /^sandbox;/)
    }
})

test('a page names the paths of its scripts, and no other of its server', async () => {
  const policyAt = async (host: string, app = w.app) => {
    const { headers } = await app.inject({ url: `/s/${space}`, headers: { host } })
    return /script-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]
  }
  const unset = serverWith(w, { isPublicUrlSet: false, publicUrl: 'http://127.0.0.1:4000' })
  assert.equal(await policyAt('docs.test:81', unset), 'docs.test:81/assets/ docs.test:81/docs/assets/')
  assert.equal(
    await policyAt('127.0.0.1:4000'),
    '127.0.0.1:4000/assets/ 127.0.0.1:4000/docs/assets/ http://octavo.test/assets/ http://octavo.test/docs/assets/',
  )
  // A policy has no form for these.
  for (const host of ['[::1]:4000', '10.0.0.1:4000', "a'b", 'a;b'])
    assert.match(String(await policyAt(host, unset)), /^'self'/, host)
})

test('a browser runs no uploaded file on a page of the reader, not even if its markup asked for it', {
  skip,
}, async () => {
  const files = await paths()
  await visit(origin, async page => {
    for (const place of [`/s/${space}`, '/docs', '/sign-in']) {
      await page.goto(origin + place)
      assert.equal(await page.evaluate('document.documentElement.classList.contains("has-script")'), true)
      for (const src of files) {
        const outcome = await page.evaluate<string, string>(
          address =>
            new Promise(resolve => {
              const script = document.createElement('script')
              script.src = address
              script.onload = () => resolve('ran')
              script.onerror = () => resolve('refused')
              document.head.append(script)
            }),
          src,
        )
        assert.equal(outcome, 'refused', src)
      }
      assert.equal(await page.evaluate('document.documentElement.dataset.run ?? null'), null)
    }
  })
})
