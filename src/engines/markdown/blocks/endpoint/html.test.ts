import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHtml } from '../../html/html.ts'
import { parseMarkdown } from '../../syntax/syntax.ts'

const draw = async (source: string): Promise<string> => {
  const { html } = await toHtml(parseMarkdown(source), {
    resolveLink: href => ({ href, isExternal: false, isBroken: false }),
    resolveImage: () => undefined,
  })
  return html
}

const around = (tag: string, inside = ''): string => `{% ${tag} %}\n${inside}\n{% end${tag.split(' ')[0]} %}`

test('an endpoint is its method and address, its summary, its words, and its parameters by their places', async () => {
  const parameter = (place: string, name: string, more = '') =>
    around(`swagger-parameter in="${place}" name="${name}"${more}`, `About ${name}`)
  const source = around(
    'swagger method="get" path="/users" baseUrl=" https://a.example" summary="Users"',
    [
      around('swagger-description', 'All of them.'),
      parameter('body', 'b'),
      parameter('path', 'p', ' type="string" required="true"'),
      parameter('Query', 'q'),
      parameter('header', 'h'),
      parameter('cookie', 'c'),
      parameter('elsewhere', 'e'),
      around('swagger-response status="200" description="Fine"'),
      around('swagger-response', 'It *failed*.'),
    ].join('\n\n'),
  )
  const list = (title: string, name: string, more = '') =>
    `<p><strong>${title}</strong></p><ul><li><p><code>${name}</code>${more}</p><p>About ${name}</p></li></ul>`
  assert.equal(
    await draw(source),
    [
      '<section class="operation" aria-label="Users"><div class="operation-head">',
      '<span class="method method-get">GET</span><code dir="ltr">https://a.example/users</code></div>',
      '<div class="operation-text flow"><p><strong>Users</strong></p><p>All of them.</p>',
      list('Path parameters', 'p', ' string <strong>required</strong>'),
      list('Query parameters', 'q'),
      list('Headers', 'h'),
      list('Cookies', 'c'),
      list('Request body', 'b'),
      list('Parameters', 'e'),
      '<p><code>200</code> Fine</p>',
      '<details class="expandable"><summary><code>default</code> </summary><div class="flow"><p>It <em>failed</em>.</p></div></details>',
      '</div></section>',
    ].join(''),
  )
})

test('an endpoint that says nothing of itself is called an operation, and has no address', async () => {
  assert.equal(
    await draw(around('swagger', 'Words')),
    '<section class="operation" aria-label="API operation"><div class="operation-head"><code dir="ltr"></code></div><div class="operation-text flow"><p>Words</p></div></section>',
  )
})

test('a part outside of an endpoint is words', async () => {
  assert.equal(
    await draw(around('swagger-response status="200" description="Fine"', 'Words')),
    '<p><strong>200 Fine</strong></p><p>Words</p>',
  )
})
