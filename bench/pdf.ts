// How long does a PDF file of a documentation take, beside a browser that prints the same pages?
//
//   node bench/pdf.ts [--corpus ../shared/corpus/beefree-sdk-docs] [--keep file.pdf]
//
// The corpus is imported by the running server, on the embedded database unless DATABASE_URL says otherwise. Its PDF is
// asked for twice: the second answer is the file that was kept. Then Chromium, where it is installed, prints the print
// view of the same revision. Memory is the most that the process of the server had since the import, or that of the
// browser and its children.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT, report, round, temporaryFolder } from './measure.ts'
import { peakMegabytesOf, residentMegabytesOf } from './memory.ts'
import { startServer } from './server.ts'

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', default: join(ROOT, '../shared/corpus/beefree-sdk-docs') },
    keep: { type: 'string' },
  },
})
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

const folder = temporaryFolder()
const server = await startServer()
const space = await server.importFolder(resolve(values.corpus))
const { url } = await server.call('GET', `${space}/pdf`)

writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
const before = peakMegabytesOf(server.pid)
const { seconds, bytes } = await fetched(url)
const after = peakMegabytesOf(server.pid)
const again = await fetched(url)
if (values.keep !== undefined) writeFileSync(values.keep, bytes)
const pages = pagesOf(bytes)

const browser = BROWSERS.find(path => existsSync(path))
const printed = browser === undefined ? null : await printWith(browser, url.replace('/pdf/', '/print/'))
await server.stop()
report('pdf', {
  corpus: values.corpus.split('/').at(-1),
  pages,
  seconds: round(seconds),
  pagesPerSecond: round(pages / seconds),
  secondsOf200Pages: round((200 * seconds) / pages),
  keptMs: round(again.seconds * 1000),
  megabytes: round(bytes.length / 1024 / 1024),
  peakMegabytes: after,
  peakMegabytesBefore: before,
  browser: printed,
})

async function fetched(address: string): Promise<{ seconds: number; bytes: Buffer }> {
  const start = performance.now()
  const answer = await fetch(address)
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(`${answer.status}: ${bytes.toString().slice(0, 300)}`)
  return { seconds: (performance.now() - start) / 1000, bytes }
}

async function printWith(program: string, address: string) {
  const file = join(folder, 'printed.pdf')
  const start = performance.now()
  const child = spawn(
    program,
    ['--headless', '--no-sandbox', '--no-pdf-header-footer', `--print-to-pdf=${file}`, address],
    { stdio: 'ignore' },
  )
  let peak = 0
  const look = setInterval(() => {
    peak = Math.max(peak, residentMegabytesOfAll(child.pid ?? 0))
  }, 200)
  await new Promise(resolve => child.once('exit', resolve))
  clearInterval(look)
  const took = (performance.now() - start) / 1000
  const count = pagesOf(readFileSync(file))
  return { pages: count, seconds: round(took), pagesPerSecond: round(count / took), peakMegabytes: peak }
}

/** Objects of the type: the root of a tree of pages says how many there are. */
function pagesOf(pdf: Buffer): number {
  const counts = [...pdf.toString('latin1').matchAll(/\/Type\s*\/Pages\b[^>]*?\/Count (\d+)/g)].map(
    ([, count]) => Number(count),
  )
  return Math.max(0, ...counts)
}

/** With its children. */
function residentMegabytesOfAll(root: number): number {
  if (!existsSync('/proc')) return 0
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc'))
    if (/^\d+$/.test(name)) {
      const pid = Number(name)
      try {
        parents.set(pid, Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]))
      } catch {
        // It ended meanwhile.
      }
    }
  let sum = 0
  for (const pid of parents.keys()) {
    let at: number | undefined = pid
    while (at !== undefined && at !== root && at !== 0) at = parents.get(at)
    if (at === root) sum += residentMegabytesOf(pid)
  }
  return sum
}
