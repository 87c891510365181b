import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { bringAxe, RULES, resize, thinOut, violationsOf } from '../../../../test/support/axe.ts'
import { skipBrowser, visit } from '../../../../test/support/browser.ts'
import { spaceWith } from '../../../../test/support/pages.ts'
import { originOf } from '../../../../test/support/server.ts'
import { keepSpecification } from '../../../../test/support/specifications.ts'
import { world } from '../../../../test/support/world.ts'

const w = await world()
const CORPUS = new URL('../../../../../shared/corpus/openapi/', import.meta.url)
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

const keep = (slug: string, text: string, inside = w) => keepSpecification(inside, slug, text)

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
  assert.match(await shown(space), /There is no API description called/)
})

test('what is not there is named, and said not to be there', async () => {
  await keep('printers', JSON.stringify(PRINTERS))
  const none = await shown(await spaceOf(block('nobodys')))
  assert.match(none, /<code dir="ltr">\/printers\/\{id\}<\/code>/)
  assert.match(none, /There is no API description called/)
  assert.match(await shown(await spaceOf(block('printers', '/paper'))), /The description does not have </)
})

test('a specification of another organization is not shown', async () => {
  const other = await world()
  await keep('theirs', JSON.stringify(PRINTERS), other)
  assert.match(await shown(await spaceOf(block('theirs'))), /There is no API description called/)
})

test('a file of the space is read like a specification that is kept', async () => {
  const page =
    '# API\n\n{% openapi src=".gitbook/assets/api.yaml" path="/printers/{id}" method="put" %}\n[api.yaml](.gitbook/assets/api.yaml)\n{% endopenapi %}\n'
  const html = await shown(await spaceOf(page, { '.gitbook/assets/api.yaml': JSON.stringify(PRINTERS) }))
  assert.match(html, /<h2 class="api-part-title">Change a printer<\/h2>/)
  assert.match(
    await shown(await spaceOf(page, { '.gitbook/assets/api.yaml': 'a: [' })),
    /The description does not have </,
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

test('schemas that are grouped are a list of names that open', {
  skip: existsSync(CORPUS) ? false : 'no corpus',
}, async () => {
  await keep('museum', readFileSync(new URL('museum-3.1.yaml', CORPUS), 'utf8'))
  const foldedIn = async (grouped: string) => {
    const block = `{% openapi-schemas spec="museum" schemas="Ticket,BuyMuseumTickets" ${grouped} %}\n{% endopenapi-schemas %}`
    const html = await shown(await spaceOf(`# API\n\n${block}\n`))
    assert.match(html, /aria-label="API schema Ticket"/)
    return [...html.matchAll(/<details class="expandable"><summary>(\w+)<\/summary>/g)].map(
      ([, name]) => name,
    )
  }
  assert.deepEqual(await foldedIn('grouped="true"'), ['Ticket', 'BuyMuseumTickets'])
  assert.deepEqual(await foldedIn('grouped="false"'), [])
  assert.deepEqual(await foldedIn(''), [])
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

test('operations keep the rules of axe, light and dark, wide and narrow, and run over no edge', {
  skip,
}, async () => {
  await keep('museum', readFileSync(new URL('museum-3.1.yaml', CORPUS), 'utf8'))
  const space = await spaceOf(
    `# Museum\n\n## Tickets\n\n${block('museum', '/tickets', 'post').slice(7)}\n\n${block('museum', '/special-events', 'get').slice(7)}\n\n{% openapi-schemas spec="museum" schemas="Ticket" %}\n{% endopenapi-schemas %}\n\n## After\n\n${ENDPOINT}`,
  )
  await visit(origin, async (page, watch, context) => {
    await bringAxe(context)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${origin}/s/${space}`)
    await page.evaluate("document.querySelectorAll('details.api-try').forEach(one => { one.open = true })")
    await page.getByLabel('Server').first().waitFor()
    await page.getByText('Python', { exact: true }).first().click()
    assert.ok(await page.getByText('requests.request(').first().isVisible())
    for (const [width, rules] of [
      [1440, RULES.all],
      [390, RULES.ofWidths],
    ] as const) {
      await resize(page, width)
      assert.deepEqual(await violationsOf(page, rules, RULES.ofColours), [])
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
    }
    await thinOut(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await violationsOf(page, RULES.ofColours), [])
    }
    assert.deepEqual(watch.errors, [])
  })
})

const computed = (spec: string, props = '') =>
  `* \`\`\`yaml\n  type: builtin:openapi\n  props: {${props}}\n  dependencies: { spec: { ref: { kind: openapi, spec: ${spec} } } }\n  \`\`\`\n`

const computedSpace = (spec: string, props = '') =>
  spaceOf('# Start\n', {
    'SUMMARY.md': `* [Start](README.md)\n* [Printing](printing.md)\n${computed(spec, props)}`,
    'printing.md': '# Printing\n',
  })

const OFFICE = {
  ...PRINTERS,
  tags: [
    { name: 'office', description: 'What is in an **office**.' },
    { name: 'printing', 'x-parent': 'office' },
  ],
  paths: {
    '/printers/{id}': { put: { ...PRINTERS.paths['/printers/{id}'].put, tags: ['printing'] } },
    '/rooms': { get: { summary: 'List rooms', tags: ['office'], responses: {} } },
  },
}

type TreePage = { path: string; pages?: TreePage[] }

const pathsOf = async (space: string) => {
  const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
  const visit = (pages: readonly TreePage[]): string[] =>
    pages.flatMap(page => [page.path, ...visit(page.pages ?? [])])
  return visit(body.pages)
}

test('a specification that the table of contents names has pages: in the navigation, as Markdown, in lists', async () => {
  await keep('office', JSON.stringify(OFFICE))
  const space = await computedSpace('office', 'models: true')
  assert.deepEqual(await pathsOf(space), ['readme', 'printing', 'office', 'office/printing', 'models'])
  const html = await shown(space, '/office/printing')
  assert.match(html, /<a class="tree-link" href="[^"]*\/office\/printing" aria-current="page">/)
  assert.match(html, /<h2 id="change-a-printer"/)
  assert.match(html, /https:\/\/api\.example\.com\/v1\/printers\//)
  // The heading and the description are those of the page.
  assert.doesNotMatch(html, /api-part-title|onerror/)
  assert.match(await shown(space, '/models'), /at most 30 characters/)
  assert.match(await shown(space, '/office.md'), /in an \*\*office\*\*[\s\S]*## List rooms/)
  assert.match(await shown(space, '/llms.txt'), /\[Printing\]\([^)]*\/office\/printing\.md\)/)
  assert.match(await shown(space, '/llms-full.txt'), /## Change a printer/)
})

test('a page that is computed is read through the API as what it is, and not expanded where that is asked', async () => {
  await keep('office', JSON.stringify(OFFICE))
  const space = await computedSpace('office')
  const { body } = await w.call('GET', `/spaces/${space}/content/path/office/printing`)
  assert.equal(body.documentId, undefined)
  assert.deepEqual(body.computed, {
    type: 'builtin:openapi',
    props: { doc: 'operations', page: 'tag-printing' },
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'office' } } },
  })
  assert.match(body.markdown, /## Change a printer/)
  const document = await w.call('GET', `/spaces/${space}/content/page/${body.id}?format=document`)
  assert.match(JSON.stringify(document.body.document), /openapi-operation/)
  const whole = await w.call('GET', `/spaces/${space}/content?computed=false`)
  assert.deepEqual(
    whole.body.pages.map(({ type }: { type: string }) => type),
    ['document', 'document', 'computed'],
  )
  assert.equal(whole.body.pages[2].computed.dependencies.spec.ref.spec, 'office')
})

test('a new version has its pages at once, with the ids that they had', async () => {
  await keep('moving', JSON.stringify(OFFICE))
  const space = await computedSpace('moving')
  const before = await w.call('GET', `/spaces/${space}/content/path/office`)
  const rooms = { get: { summary: 'Read rooms', tags: ['office'], responses: {} } }
  await keep('moving', JSON.stringify({ ...OFFICE, paths: { ...OFFICE.paths, '/rooms': rooms } }))
  const after = await w.call('GET', `/spaces/${space}/content/path/office`)
  assert.equal(after.body.id, before.body.id)
  assert.notEqual(after.body.computedSeed, before.body.computedSeed)
  assert.match(after.body.markdown, /## Read rooms/)
  assert.match(await shown(space, '/office'), /Read rooms/)
  assert.match(await shown(space, '/llms-full.txt'), /Read rooms/)
})

test('operations have pages of their own where that is asked, and where a page would be too much', async () => {
  const many = (count: number) => ({
    ...{ openapi: '3.1.0', info: { title: 'T', version: '1' } },
    paths: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`/r${at}`, { get: { responses: {}, tags: ['all'] } }]),
    ),
  })
  const heavy = { ...many(20), components: { schemas: { Long: { description: 'x'.repeat(150_000) } } } }
  for (const { get } of Object.values(heavy.paths) as { get: { responses: object } }[])
    get.responses = { 200: { $ref: '#/components/schemas/Long' } }
  await keep('heavy', JSON.stringify(heavy))
  assert.equal((await pathsOf(await computedSpace('heavy'))).length, 2 + 1 + 20)
  await keep('few', JSON.stringify(many(2)))
  await keep('many', JSON.stringify(many(51)))
  assert.deepEqual((await pathsOf(await computedSpace('few'))).slice(2), ['all'])
  const asked = await pathsOf(await computedSpace('few', 'grouping: by-operation'))
  assert.deepEqual(asked.slice(2), ['all', 'all/get-r0', 'all/get-r1'])
  assert.equal((await pathsOf(await computedSpace('many'))).length, 2 + 1 + 51)
})

test('a page says so if its specification does not exist', async () => {
  const space = await computedSpace('nowhere')
  assert.match(await shown(space, '/nowhere'), /There is no specification <code>nowhere<\/code> here/)
})

test('pages of a specification of another organization are shown to nobody', async () => {
  const other = await world()
  await keep('theirs', JSON.stringify(OFFICE), other)
  assert.deepEqual((await pathsOf(await computedSpace('theirs'))).slice(2), ['theirs'])
})

test('a link to the address of a computed page is not broken', async () => {
  await keep('office', JSON.stringify(OFFICE))
  const space = await computedSpace('office')
  const page = (await w.call('GET', `/spaces/${space}/content/path/printing`)).body.id
  const to = (path: string) => `${w.services.urls.space(space)}/${path}`
  await w.call('POST', `/spaces/${space}/content`, {
    body: {
      changes: [
        {
          operation: 'update_page',
          page,
          document: { markdown: `[a](${to('office')}) [b](${to('gone')})\n` },
        },
      ],
    },
  })
  const { body } = await w.call('GET', `/spaces/${space}/content/page/${page}/links`)
  assert.deepEqual(
    body.items.map(({ status }: { status: string }) => status),
    ['in-app', 'broken'],
  )
  // A client that walks the pages finds each, though no links of a computed page are stored.
  const { body: office } = await w.call('GET', `/spaces/${space}/content/path/office`)
  for (const list of ['links', 'backlinks']) {
    const answer = await w.call('GET', `/spaces/${space}/content/page/${office.id}/${list}`)
    assert.deepEqual([answer.status, answer.body.items], [200, []])
  }
})

const policyOf = async (space: string, page = ''): Promise<string> =>
  (await fetch(`${origin}/s/${space}${page}`)).headers.get('content-security-policy') ?? ''

const withServers = (servers: unknown, more = {}) => JSON.stringify({ ...PRINTERS, servers, ...more })

test('a page may connect to the servers of the operations on it, and to no other', async () => {
  await keep(
    'trial',
    withServers([
      { url: 'https://{where}.example.com/v1', variables: { where: { default: 'eu', enum: ['eu', 'us'] } } },
      { url: 'http://127.0.0.1:9/' },
      ...[
        'https://*.example.com',
        'https://a;b.com',
        'javascript:alert(1)',
        '/relative',
        'https://u:p@example.com',
      ].map(url => ({ url })),
    ]),
  )
  const space = await spaceOf(block('trial'), { 'other.md': '# Other\n' })
  assert.match(
    await policyOf(space),
    /; connect-src 'self' https:\/\/eu\.example\.com https:\/\/us\.example\.com http:\/\/127\.0\.0\.1:9; /,
  )
  assert.match(await policyOf(space, '/other'), /; connect-src 'self'; /)
})

test('many and long servers make no header that a proxy refuses, and no address of more than a line', async () => {
  const hosts = Array.from({ length: 100 }, (_, at) => `https://${'a'.repeat(60)}.h${at}.example.com`)
  const paths = Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => [
      `/p${at}`,
      {
        get: {
          responses: {},
          servers: hosts.slice(at * 10, at * 10 + 10).map(url => ({ url })),
        },
      },
    ]),
  )
  await keep('hosts', withServers([], { paths }))
  const policy = await policyOf(await computedSpace('hosts'), '/default')
  assert.match(policy, /h0\.example\.com.*h1\.example\.com/)
  assert.ok(policy.length < 2_500, String(policy.length))

  const variables = (value: string) => ({ a: { default: value, enum: Array(30).fill(value) } })
  await keep(
    'long',
    withServers([
      { url: `https://${'a.'.repeat(130)}com` },
      { url: `https://b.com/${'{a}'.repeat(300)}`, variables: variables('x'.repeat(100)) },
      { url: 'https://c.com/{a}', variables: variables('x'.repeat(900)) },
      { url: 'https://d.com/{a}', variables: variables('fine') },
    ]),
  )
  assert.match(await policyOf(await spaceOf(block('long'))), /; connect-src 'self' https:\/\/d\.com; /)
})

test('a path that does not begin with a slash has no form, as it would change the server', async () => {
  const item = { get: { responses: {} } }
  await keep('pathless', withServers([{ url: 'https://a.com' }], { paths: { '@evil.com/x': item } }))
  const space = await computedSpace('pathless')
  assert.match(await shown(space, '/default'), /@evil\.com/)
  assert.match(await policyOf(space, '/default'), /; connect-src 'self'; /)
})

test('an operation cannot be tried if its author hides that, or if it has no server', async () => {
  const hidden = { 'x-hideTryItPanel': true }
  await keep('hidden', withServers(PRINTERS.servers, hidden))
  const item = PRINTERS.paths['/printers/{id}']
  await keep(
    'partly',
    withServers(PRINTERS.servers, {
      paths: { '/printers/{id}': { ...item, put: { ...item.put, ...hidden } } },
    }),
  )
  await keep('serverless', withServers([]))
  for (const spec of ['hidden', 'partly', 'serverless']) {
    const space = await spaceOf(block(spec))
    assert.doesNotMatch(await shown(space), /data-try/)
    assert.match(await policyOf(space), /; connect-src 'self'; /)
  }
})

test('a reader sends a request from the page, by the keyboard, and reads the answer', {
  skip: skipBrowser,
}, async () => {
  const seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = []
  const api = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*, authorization, content-type, x-key')
    response.setHeader('access-control-allow-methods', 'PUT')
    const { method = '', url = '', headers } = request
    const body = await text(request)
    if (method !== 'OPTIONS') seen.push({ method, url, headers, body })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ said: '<img src=x onerror=alert(1)>' }))
  })
  await new Promise<void>(resolve => api.listen(0, '127.0.0.1', resolve))
  try {
    const server = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
    await keep('live', withServers([{ url: server }]))
    const space = await spaceOf(block('live'))
    await visit(origin, async (page, watch) => {
      await page.goto(`${origin}/s/${space}`)
      await page.getByText('Try it').focus()
      await page.keyboard.press('Enter')
      assert.equal(await page.getByLabel('Server').inputValue(), server)
      await page.getByLabel('API key').fill('secret')
      await page.getByLabel('id').fill('a/b')
      await page.getByLabel('Body').fill('{"name": "x"}')
      await page.getByRole('button', { name: 'Send' }).focus()
      await page.keyboard.press('Enter')
      const answer = page.getByRole('status', { name: 'Response' })
      await answer.getByText('200 OK').waitFor()
      assert.match((await answer.textContent()) ?? '', /"said": "<img src=x onerror=alert\(1\)>"/)
      const [sent] = seen
      assert.deepEqual(
        [sent?.method, sent?.url, sent?.body, sent?.headers['x-key'], sent?.headers['content-type']],
        ['PUT', '/printers/a%2Fb', '{"name": "x"}', 'secret', 'application/json'],
      )
      assert.deepEqual([sent?.headers.cookie, sent?.headers.referer], [undefined, undefined])
      assert.deepEqual(watch.errors, [])
      assert.equal(await page.evaluate('JSON.stringify([localStorage, sessionStorage])'), '[{},{}]')

      api.closeAllConnections()
      await new Promise(resolve => api.close(resolve))
      await page.getByRole('button', { name: 'Send' }).click()
      await answer.getByText('The server did not respond').waitFor()

      await page.getByLabel('API key').fill('→')
      await page.getByRole('button', { name: 'Send' }).click()
      await answer.getByText('A browser cannot send this').waitFor()
    })
  } finally {
    api.closeAllConnections()
    api.close()
  }
})

test('search in a space finds operations of pages that are computed, of the version that is there now', async () => {
  await keep('sought', JSON.stringify(OFFICE))
  const space = await computedSpace('sought')
  const sought = async (query: string, more = '') => {
    const { body } = await w.call('GET', `/spaces/${space}/search?query=${query}${more}`)
    return body.items.map(({ path, sections = [] }: { path: string; sections?: { path: string }[] }) => [
      path,
      ...sections.map(section => section.path),
    ])
  }
  assert.deepEqual(await sought('rooms'), [['office', 'office#list-rooms']])
  // Pages that were written and pages that are computed are ranked together, and paged through.
  const both = await w.call('GET', `/spaces/${space}/search?query=printing&limit=1`)
  const rest = await w.call('GET', `/spaces/${space}/search?query=printing&page=${both.body.next.page}`)
  type Hit = { path: string; rank: number; ancestors: { title: string }[] }
  const hits: Hit[] = [...both.body.items, ...rest.body.items]
  assert.deepEqual(hits.map(({ path, ancestors }) => [path, ancestors.length]).sort(), [
    ['office/printing', 1],
    ['printing', 0],
  ])
  assert.deepEqual(
    hits.map(({ rank }) => rank),
    [1, 2],
  )
  const html = await shown(space, '/~/search?q=rooms')
  assert.match(html, new RegExp(`href="/s/${space}/office#list-rooms"`))
  const halls = { get: { summary: 'List halls', tags: ['office'], responses: {} } }
  await keep('sought', JSON.stringify({ ...OFFICE, paths: { '/halls': halls } }))
  assert.deepEqual(await sought('rooms'), [])
  assert.deepEqual(await sought('halls'), [['office', 'office#list-halls']])
})

test('a specification is offered for download where the block asks for it and anybody may read it', async () => {
  await keep('offered', JSON.stringify(OFFICE))
  const space = await computedSpace('offered', 'downloadLink: true')
  assert.doesNotMatch(await shown(space, '/office'), /Download the specification/)
  const path = `/orgs/${w.organizationId}/openapi/offered`
  const { body } = await w.call('PATCH', path, { body: { visibility: 'public' } })
  const [, href] =
    /<a href="([^"]+)"[^>]*>Download the specification/.exec(await shown(space, '/office')) ?? []
  assert.ok(href?.endsWith(`/openapi/${body.id}.json`), href)
})

test('an answer quotes pages that are computed, and names them', async () => {
  const description = 'A booking of the rooftop terrace ends after ninety minutes.'
  const booking = { post: { summary: 'Book the terrace', description, tags: ['office'], responses: {} } }
  await keep('booked', JSON.stringify({ ...OFFICE, paths: { '/bookings': booking } }))
  const space = await computedSpace('booked')
  const { body } = await w.call('POST', `/orgs/${w.organizationId}/ask`, {
    body: { query: 'When does a booking of the rooftop terrace end?' },
  })
  const { answer, sources } = body.answer
  assert.match(answer.markdown, /A booking of the rooftop terrace ends after ninety minutes\./)
  assert.match(answer.markdown, new RegExp(`/s/${space}/office#book-the-terrace`))
  const page = await w.call('GET', `/spaces/${space}/content/page/${sources[0].page}`)
  assert.equal(page.body.path, 'office')
})

test('a search of an organization finds computed pages among more spaces than are read at once', async () => {
  const lift = { get: { summary: 'Call the paternoster', tags: ['office'], responses: {} } }
  await keep('lifts', JSON.stringify({ ...OFFICE, paths: { '/lifts': lift } }))
  const space = await computedSpace('lifts')
  for (let made = 0; made < 20; made++) await w.createSpace()
  const { body } = await w.call('GET', `/orgs/${w.organizationId}/search?query=paternoster`)
  assert.deepEqual(
    body.items.map((found: { id: string }) => found.id),
    [space],
  )
})
