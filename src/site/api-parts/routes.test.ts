import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { skipBrowser, visit } from '../../../test/support/browser.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { originOf } from '../../../test/support/server.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()
const CORPUS = new URL('../../../../shared/corpus/openapi/', import.meta.url)
const skip = existsSync(CORPUS) ? skipBrowser : 'there is no corpus of specifications'
let origin = ''

before(async () => {
  origin = await originOf(w)
})

const PRINTERS = {
  openapi: '3.0.3',
  info: { title: 'Printers', version: '1' },
  servers: [{ url: 'https://api.example.com/{version}', variables: { version: { default: 'v1' } } }],
  security: [{ key: [] }],
  paths: {
    '/printers/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', example: 'a b' } }],
      put: {
        summary: 'Change a printer',
        description: 'Its **words**. <img src=x onerror=alert(1)>',
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Printer' } } },
        },
        responses: {
          200: {
            description: 'It is changed.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Printer' } } },
          },
        },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    schemas: {
      Printer: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', maxLength: 30 },
          next: { $ref: '#/components/schemas/Printer' },
        },
      },
      Unrelated: { type: 'string', description: 'Nobody asks for this.' },
    },
  },
}

async function keep(slug: string, text: string, inside = w): Promise<void> {
  const path = `/orgs/${inside.organizationId}/openapi/${slug}`
  await inside.call('PUT', path, { body: { source: { text } } })
  for (;;) {
    const { body } = await inside.call('GET', path)
    const waiting = await w.services.db.selectFrom('jobs').select('id').where('key', '=', body.id).execute()
    if (body.processingState === 'complete' && waiting.length === 0) return
    await sleep(5)
  }
}

const shown = async (space: string, page = ''): Promise<string> => {
  const answer = await fetch(`${origin}/s/${space}${page}`)
  assert.equal(answer.status, 200)
  return answer.text()
}

const spaceOf = (markdown: string, more: Readonly<Record<string, string>> = {}) =>
  spaceWith(w, { 'README.md': markdown, ...more }, { visibility: 'public' })

const block = (spec: string, path = '/printers/{id}', method = 'put') =>
  `# API\n\n{% openapi-operation spec="${spec}" path="${path}" method="${method}" %}\n[words](https://example.com)\n{% endopenapi-operation %}\n`

test('an operation of a kept specification is shown with requests, fields and responses', async () => {
  await keep('printers', JSON.stringify(PRINTERS))
  const html = await shown(await spaceOf(block('printers')))
  assert.match(html, /<h2 class="api-part-title">Change a printer<\/h2>/)
  for (const language of ['curl', 'JavaScript', 'Python', 'Go'])
    assert.match(html, new RegExp(`<label for="part:0.\\d"[^>]*>${language}</label>`))
  assert.match(html, /https:\/\/api\.example\.com\/v1\/printers\/a%20b/)
  assert.match(html, /X-Key: YOUR_API_KEY/)
  assert.match(html, /at most 30 characters/)
  assert.match(html, /not unfolded again/)
  assert.doesNotMatch(html, /Nobody asks for this|is described in/)
})

test('nothing that a specification says becomes markup', async () => {
  await keep(
    'hostile',
    JSON.stringify(PRINTERS)
      .replaceAll('Printer"', `<b onclick='x'>"`)
      .replaceAll('Change a', '</section><script>'),
  )
  const html = await shown(await spaceOf(block('hostile')))
  assert.match(html, /&lt;img src=x onerror=alert\(1\)&gt;/)
  assert.match(html, /&lt;\/section&gt;&lt;script&gt; printer/)
  assert.doesNotMatch(html, /<img src=x|<b onclick/)
})

test('a page cannot write the place where an operation is shown', async () => {
  await keep('printers', JSON.stringify(PRINTERS))
  const html = await shown(
    await spaceOf(
      `${block('printers')}\n<section data-part="0">one</section>\n\n<div data-part="0">two</div>\n`,
    ),
  )
  assert.equal(html.match(/class="api-part-title"/g)?.length, 1)
  assert.match(html, /one/)
})

test('a new version shows at once, and a deleted specification no more', async () => {
  await keep('moving', JSON.stringify(PRINTERS))
  const space = await spaceOf(block('moving'))
  assert.match(await shown(space), /Change a printer/)
  await keep('moving', JSON.stringify(PRINTERS).replace('Change a printer', 'Mend a printer'))
  assert.match(await shown(space), /Mend a printer/)
  await w.call('DELETE', `/orgs/${w.organizationId}/openapi/moving`)
  assert.match(await shown(space), /There is no such description here/)
})

test('what is not there is named, and said not to be there', async () => {
  await keep('printers', JSON.stringify(PRINTERS))
  const none = await shown(await spaceOf(block('nobodys')))
  assert.match(none, /<code dir="ltr">\/printers\/\{id\}<\/code>/)
  assert.match(none, /There is no such description here/)
  assert.match(await shown(await spaceOf(block('printers', '/paper'))), /The description does not have it/)
})

test('a specification of another organization is not shown', async () => {
  const other = await world()
  await keep('theirs', JSON.stringify(PRINTERS), other)
  assert.match(await shown(await spaceOf(block('theirs'))), /There is no such description here/)
})

test('a file of the space is read like a specification that is kept', async () => {
  const page =
    '# API\n\n{% openapi src=".gitbook/assets/api.yaml" path="/printers/{id}" method="put" %}\n[api.yaml](.gitbook/assets/api.yaml)\n{% endopenapi %}\n'
  const html = await shown(await spaceOf(page, { '.gitbook/assets/api.yaml': JSON.stringify(PRINTERS) }))
  assert.match(html, /<h2 class="api-part-title">Change a printer<\/h2>/)
  assert.match(
    await shown(await spaceOf(page, { '.gitbook/assets/api.yaml': 'a: [' })),
    /The description does not have it/,
  )
})

const ENDPOINT = `{% swagger method="get" path="/pets/{id}" baseUrl="https://api.example.com" summary="A pet" %}
{% swagger-description %}
Its **words**.
{% endswagger-description %}
{% swagger-parameter in="path" name="id" type="string" required="true" %}
Which <script>alert(1)</script> pet.
{% endswagger-parameter %}
{% swagger-response status="200" description="Found" %}
\`\`\`json
{"name": "Rex"}
\`\`\`
{% endswagger-response %}
{% endswagger %}
`

test('an endpoint that is written out in a page is shown as it is written', async () => {
  const html = await shown(await spaceOf(`# API\n\n${ENDPOINT}`))
  assert.match(html, /<code dir="ltr">https:\/\/api\.example\.com\/pets\/\{id\}<\/code>/)
  assert.match(html, /<strong>words<\/strong>/)
  assert.match(html, /<code>id<\/code> string <strong>required<\/strong>/)
  assert.match(html, /<summary><code>200<\/code> Found<\/summary>/)
  assert.match(html, /Rex/)
  assert.doesNotMatch(html, /alert\(1\)<\/script>|is described in|no block called/)
})

test('schemas and webhooks are shown by name', {
  skip: existsSync(CORPUS) ? false : 'no corpus',
}, async () => {
  await keep('museum', readFileSync(new URL('museum-3.1.yaml', CORPUS), 'utf8'))
  const html = await shown(
    await spaceOf(
      '# API\n\n{% openapi-schemas spec="museum" schemas="Ticket,BuyMuseumTickets" %}\n{% endopenapi-schemas %}\n\n{% openapi-webhook spec="museum" name="publishNewEvent" method="post" %}\n{% endopenapi-webhook %}\n',
    ),
  )
  assert.match(html, /aria-label="API schema Ticket"/)
  assert.match(html, /aria-label="API schema BuyMuseumTickets"/)
  assert.match(html, /aria-label="Webhook /)
  assert.match(html, /publishNewEvent/)
})

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

test('operations keep the rules of axe, light and dark, wide and narrow, and run over no edge', {
  skip,
}, async () => {
  await keep('museum', readFileSync(new URL('museum-3.1.yaml', CORPUS), 'utf8'))
  const space = await spaceOf(
    `# Museum\n\n## Tickets\n\n${block('museum', '/tickets', 'post').slice(7)}\n\n${block('museum', '/special-events', 'get').slice(7)}\n\n{% openapi-schemas spec="museum" schemas="Ticket" %}\n{% endopenapi-schemas %}\n\n## After\n\n${ENDPOINT}`,
  )
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1440, 390])
      await visit(
        origin,
        async (page, watch) => {
          await page.goto(`${origin}/s/${space}`)
          await page.evaluate(AXE)
          const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
            'axe.run(document, { resultTypes: ["violations"] })',
          )
          assert.deepEqual(
            found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
            [],
          )
          assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
          await page.getByText('Python', { exact: true }).first().click()
          assert.ok(await page.getByText('requests.request(').first().isVisible())
          assert.deepEqual(watch.errors, [])
        },
        { colorScheme, viewport: { width, height: 900 } },
      )
})
