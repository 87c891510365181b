import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LINK_SCHEMES } from '../../../base/link-schemes.ts'
import { parseMarkdown } from '../syntax/syntax.ts'
import { toHtml } from './to-html.ts'

const render = (source: string) =>
  toHtml(parseMarkdown(source), {
    resolveLink: href => ({ href, isExternal: true, isBroken: false }),
    resolveImage: () => undefined,
  })

test('links of each allowed scheme are followed, in any notation', async () => {
  for (const scheme of LINK_SCHEMES) {
    const address = `${scheme}://open/a?b=c`
    for (const source of [
      `[x](${address})`,
      `<a href="${address}">x</a>`,
      `<a class="button" href="${address}">x</a>`,
    ])
      assert.ok((await render(source)).html.includes(`<a href="${address}"`), source)
  }
  assert.match((await render('[x](VSCode:extension/a)')).html, /<a href="vscode:extension\/a"/)
})

test('a link of another scheme is its words with the address, and a problem that names what is allowed', async () => {
  const { html, problems } = await render('Open [the tool](mytool://a?b=<c>) now.')
  assert.match(html, />the tool \(<code>mytool:\/\/a\?b=&lt;c><\/code>\)<\/span> now/)
  assert.doesNotMatch(html, /<a /)
  const [problem] = problems
  assert.equal(problem?.code, 'refused_link')
  assert.match(problem.message, /begin with mytool: are not followed.*https:.*vscode:/)
  assert.deepEqual(problem.position?.start, 5)
  const repeated = await render('<a href="mytool://a">mytool://a</a>')
  assert.match(repeated.html, />mytool:\/\/a<\/span>/)
  const long = await render(`[x](mytool://${'a'.repeat(5_000)})`)
  assert.ok(long.html.length < 500)
})

test('nobody is shown an address that is code or names a file of their machine', async () => {
  for (const address of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\tscript:alert(1)',
    '&#1;javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://x.example/1',
    'filesystem:https://x.example/1',
  ]) {
    const { html, problems } = await render(`<a href="${address}">x</a>`)
    assert.equal(
      html,
      '<p><span class="broken" title="Addresses of this kind are not followed here">x</span></p>',
    )
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['refused_link'],
    )
  }
})
