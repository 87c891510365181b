// How many source files a request runs, and which: the files of src with a function that V8's precise coverage counts
// between the beginning of a request and its answer, on the main thread of a real server. Every request is made
// several times, after two that only warm up; a file counts when each of them ran it, so that jobs and timers beside
// them do not.
//   node tools/files-of-request.ts            the counts
//   node tools/files-of-request.ts --list     with the files
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '../src/cli/serve.ts'
import { readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/log.ts'

const WARM_UPS = 2
const ROUNDS = 3
const PASSWORD = 'a long password for one test'
const SOURCES = new URL('../', import.meta.url).href

const home = mkdtempSync(join(tmpdir(), 'octavo-files-'))
const printed: string[] = []
const config = readConfig({ OCTAVO_HOME: home, PORT: '0' })
const print = (line: string) => void printed.push(line)
const { url, stop } = await serve(config, createLog('error'), print, new AbortController().signal)
const token = readFileSync(join(home, 'admin-token'), 'utf8').trim()

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

async function filesRun(run: () => Promise<unknown>): Promise<Set<string>> {
  await session.post('Profiler.takePreciseCoverage')
  await run()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return new Set(
    result
      .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
      .filter(script => script.url.startsWith(`${SOURCES}src/`))
      .map(script => script.url.slice(SOURCES.length)),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: the script reads what each answer has
async function call(method: string, path: string, body?: object): Promise<any> {
  const reply = await fetch(`${url}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return reply.json()
}

/** Loads the page of a form; what it returns sends the form, as the browser that loaded it. */
async function openForm(path: string, fields: Record<string, string>): Promise<() => Promise<void>> {
  const shown = await fetch(url + path)
  const cookie = shown.headers.getSetCookie().map(text => text.split(';')[0])
  const form = /name="form" value="([^"]+)"/.exec(await shown.text())?.[1] ?? ''
  return async () => {
    const reply = await fetch(url + path, {
      method: 'POST',
      headers: { origin: url, 'sec-fetch-site': 'same-origin', cookie: cookie.join('; ') },
      body: new URLSearchParams({ ...fields, form }),
      redirect: 'manual',
    })
    if (reply.status !== 303) throw new Error(`POST ${path}: ${reply.status} ${await reply.text()}`)
  }
}

const passwordPath = /\/password\/\S+/.exec(printed.join('\n'))?.[0] ?? ''
await (await openForm(passwordPath, { password: PASSWORD, repeat: PASSWORD }))()
const { items } = await call('GET', '/orgs')
const space = await call('POST', `/orgs/${items[0].id}/spaces`, { title: 'A space', empty: true })
const insert = (title: string) => ({
  operation: 'insert_page',
  document: { markdown: `# ${title}\n\nWords.\n` },
})
const content = `/spaces/${space.id}/content`
await call('POST', content, { changes: [insert('First')] })
const { pages } = await call('GET', `${content}/pages`)
const page: string = pages[0].id
let count = 0

async function proposed(): Promise<string> {
  count += 1
  const { id } = await call('POST', `/spaces/${space.id}/change-requests`, { subject: `Change ${count}` })
  const path = `/spaces/${space.id}/change-requests/${id}`
  await call('POST', `${path}/content`, { changes: [insert(`Page ${count}`)] })
  return path
}

/** What a request needs is prepared before it is counted. */
const REQUESTS: Record<string, () => Promise<() => Promise<unknown>>> = {
  read: async () => () => call('GET', `${content}/page/${page}?format=markdown`),
  edit: async () => {
    count += 1
    const document = { markdown: `# First\n\nWords ${count}.\n` }
    return () => call('POST', content, { changes: [{ operation: 'update_page', page, document }] })
  },
  merge: async () => {
    const path = await proposed()
    return () => call('POST', `${path}/merge`)
  },
  'sign-in': () => openForm('/sign-in', { email: 'admin@localhost', password: PASSWORD }),
}

try {
  for (const [name, prepare] of Object.entries(REQUESTS)) {
    let files: Set<string> | undefined
    for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
      const run = await filesRun(await prepare())
      if (round >= WARM_UPS) files = new Set([...run].filter(file => files?.has(file) ?? true))
    }
    console.log(`${name}: ${files?.size} files`)
    if (process.argv.includes('--list')) console.log([...(files ?? [])].sort().join('\n'))
  }
} finally {
  session.disconnect()
  await stop(0)
  rmSync(home, { recursive: true, force: true })
}
