// How long does the largest specification take, how much memory, and what do other requests notice of it?
//
//   npm install --no-save @octokit/openapi && node bench/openapi.ts [file.json]
//
// Without a file it is the specification of GitHub's API, the largest that a package of the registry ships (13 MB). The
// running server reads it, on the embedded database unless DATABASE_URL says otherwise, while one reader asks for a page
// again and again; then the pages that it computes are shown for the first time. `parseMs` is `JSON.parse` of the same text.
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ROOT, report, round, temporaryFolder } from './measure.ts'
import { peakMegabytesOf, residentMegabytesOf } from './memory.ts'
import { writeFile } from './prose.ts'
import { readBeside } from './read-beside.ts'
import { startServer } from './server.ts'

const PUBLISHED = join(ROOT, 'node_modules/@octokit/openapi/generated/api.github.com.json')
const POLL_MS = 50

const file = process.argv[2] ?? PUBLISHED
if (!existsSync(file)) {
  console.error(`${file} is not there. Install it: npm install --no-save @octokit/openapi`)
  process.exit(2)
}
const text = readFileSync(file, 'utf8')
const began = performance.now()
JSON.parse(text)
const parseMs = performance.now() - began

const folder = temporaryFolder()
const home = join(folder, 'home')
const project = join(folder, 'project')
writeFile(join(project, 'README.md'), '# Start\n\nHere it begins.\n')
writeFile(
  join(project, 'SUMMARY.md'),
  [
    '* [Start](README.md)',
    '* ```yaml',
    '  type: builtin:openapi',
    '  dependencies:',
    '    spec:',
    '      ref:',
    '        kind: openapi',
    '        spec: largest',
    '  ```',
    '',
  ].join('\n'),
)
// The first start makes the database, which would be the peak.
await (await startServer({}, home)).stop()
const server = await startServer({}, home)
const { pid } = server
const space = await server.importFolder(project)
const organization = (await server.call('GET', space)).organization
const page = `${space}/content/path/readme`
await server.send('GET', page)
const atRest = residentMegabytesOf(pid)

const { result, pageMs } = await readBeside(server, page, untilRead())
const peak = peakMegabytesOf(pid)
const first = await shown()
const again = await shown()
const peakShown = peakMegabytesOf(pid)
await server.stop()
report('openapi', {
  specification: basename(file),
  megabytes: round(text.length / 2 ** 20),
  parseMs: round(parseMs),
  seconds: round(result.seconds),
  state: result.state,
  besides: pageMs,
  restMegabytes: atRest,
  peakMegabytes: peak,
  pages: first.pages,
  firstPageMs: round(first.ms),
  nextPageMs: round(again.ms),
  peakMegabytesShown: peakShown,
})

/** Until the job has read it. */
async function untilRead(): Promise<{ seconds: number; state: string }> {
  const path = `/orgs/${organization}/openapi/largest`
  const start = performance.now()
  await server.send('PUT', path, { source: { text } })
  for (;;) {
    const { processingState: state } = await server.call('GET', path)
    if (state === 'complete' || state === 'error')
      return { seconds: (performance.now() - start) / 1000, state }
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
}

async function shown(): Promise<{ ms: number; pages: number }> {
  const start = performance.now()
  const { pages } = await server.call('GET', `${space}/content/pages?computed=true`)
  const count = (all: readonly { pages?: [] }[]): number =>
    all.reduce((sum, { pages = [] }) => sum + 1 + count(pages), 0)
  return { ms: performance.now() - start, pages: count(pages) }
}
