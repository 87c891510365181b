// What does the pool of threads cost, and what does it keep from the event loop?
//
//   node bench/stalls.ts
//
// `hopMicroseconds` is what a task of the pool takes beyond the same task carried out at once (`directMicroseconds`).
// `threadMegabytes` is what the process holds more for each thread that has done a page. Then pages are rendered both
// ways, taking turns in one run: `prose` is pages of 4 KB a second, `holdMs` and `p99Ms` the longest and the 99th
// percentile of the delays of a timer of 5 ms beside one page of 10,000 formulas. At last `shapes`: for a page of each
// costly shape, of 50,000 characters, what rendering it takes (`ms`) and the longest delay beside it in the pool.
import { availableParallelism } from 'node:os'
import { createCompute } from '../src/compute/compute.ts'
import { type AsksOfPage, pageHtml } from '../src/compute/page-html.ts'
import { destinations } from '../src/compute/page-projection.ts'
import { costlyPages } from '../test/support/costly-pages.ts'
import { median, report, round, timeMs } from './measure.ts'

const HOPS = 300
const PROSE_PAGES = 60
const ROUNDS = 3
const PROSE = 'Some words of *prose* with a [link](https://example.com), and what follows them.\n\n'.repeat(
  50,
)
const SHAPE_CHARACTERS = 50_000
const HOSTILE = '$$x^2$$ '.repeat(10_000)

const compute = createCompute()
const ask: AsksOfPage = {
  addresses: async asked => asked.map(() => ({ href: '#', isExternal: false, isBroken: false })),
  texts: async () => [],
  codes: async () => ({ codes: [], isComplete: true }),
  parts: async () => [],
}
const inputOf = (markdown: string) => ({ markdown, isColoured: false })

const inLoop = (markdown: string) => pageHtml(inputOf(markdown), ask)
const inPool = (markdown: string, lane: string) => compute.run('pageHtml', lane, inputOf(markdown), ask)

const ways = {
  inLoop: (markdown: string, _lane: string): Promise<unknown> => Promise.resolve(inLoop(markdown)),
  inPool: (markdown: string, lane: string): Promise<unknown> => inPool(markdown, lane),
} as const

async function pagesPerSecond(render: (markdown: string, lane: string) => Promise<unknown>): Promise<number> {
  const pages = Array.from({ length: PROSE_PAGES }, (_, page) => `# Page ${page}\n\n${PROSE}`)
  const ms = await timeMs(() => Promise.all(pages.map((page, at) => render(page, `lane ${at % 4}`))))
  return (PROSE_PAGES / ms) * 1_000
}

/** How late a timer is while the work is done. */
async function delaysBeside(work: () => Promise<unknown>): Promise<number[]> {
  const delays: number[] = []
  let last = performance.now()
  const timer = setInterval(() => {
    delays.push(performance.now() - last)
    last = performance.now()
  }, 5)
  await work()
  await new Promise(resolve => setTimeout(resolve, 10))
  clearInterval(timer)
  return delays.sort((a, b) => a - b)
}

const before = process.memoryUsage().rss
await Promise.all([1, 2, 3, 4].map(lane => inPool(PROSE, `lane ${lane}`)))
const threads = compute.counts().tasks.threads
const megabytes = (process.memoryUsage().rss - before) / 2 ** 20 / threads

// Beyond the size that is thought about at once, of a text that is one paragraph.
const short = { markdown: 'words '.repeat(180) }
const hops: number[] = []
const direct: number[] = []
for (let turn = 0; turn < HOPS; turn++) {
  hops.push(await timeMs(() => compute.run('destinations', 'lane', short)))
  direct.push(await timeMs(async () => destinations(short, {})))
}

const result: Record<string, object> = {}
for (const [name, render] of Object.entries(ways)) {
  await render(PROSE, 'lane')
  result[name] = { prose: [] as number[], holdMs: [] as number[], p99Ms: [] as number[] }
}
for (let turn = 0; turn < ROUNDS; turn++) {
  for (const [name, render] of Object.entries(ways)) {
    const figures = result[name] as { prose: number[]; holdMs: number[]; p99Ms: number[] }
    figures.prose.push(await pagesPerSecond(render))
    const delays = await delaysBeside(() => render(HOSTILE, 'lane'))
    figures.holdMs.push(delays.at(-1) as number)
    figures.p99Ms.push(delays[Math.floor(delays.length * 0.99)] ?? (delays.at(-1) as number))
  }
}
const shapes: Record<string, object> = {}
for (const [name, markdown] of Object.entries(costlyPages(SHAPE_CHARACTERS))) {
  let ms = 0
  const delays = await delaysBeside(async () => {
    ms = await timeMs(() => inPool(markdown, 'lane'))
  })
  shapes[name] = { ms: round(ms), holdMs: round(delays.at(-1) ?? 0) }
}
const settled = Object.fromEntries(
  Object.entries(result).map(([name, figures]) => [
    name,
    Object.fromEntries(Object.entries(figures).map(([what, values]) => [what, round(median(values))])),
  ]),
)
report('stalls', {
  processors: availableParallelism(),
  threads,
  threadMegabytes: round(megabytes),
  hopMicroseconds: round((median(hops) - median(direct)) * 1_000),
  directMicroseconds: round(median(direct) * 1_000),
  ...settled,
  shapes,
})
await compute.end()
