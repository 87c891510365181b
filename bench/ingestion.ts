// What do 10,000 conversations cost that come in at once, and who waits meanwhile?
//
//   node bench/ingestion.ts [conversations]
//
// On the embedded database, or on the PostgreSQL of DATABASE_URL. `answered` is until all of them are stored, `described`
// until each is in its cluster and every cluster is described; `processorSeconds` is of all threads of the server until
// then, with what the reader costs who asks for a page again and again meanwhile: `pageMs`, and both in `idle` before. `again` is the same conversations once
// more, as a help desk sends them that does not know what it has sent.
import { join } from 'node:path'
import { isCorpusThere, labelledQuestions, shuffled } from './conversations/labelled.ts'
import { DATABASE, report, round, temporaryFolder } from './measure.ts'
import { ownProcessorMs } from './processor.ts'
import { writeProject } from './prose.ts'
import { readBeside } from './read-beside.ts'
import { startServer } from './server.ts'

const COUNT = Number(process.argv[2] ?? 10_000)
const AT_ONCE = 1_000
const TOPICS = 40

if (!isCorpusThere()) {
  report('ingestion', { skipped: 'there is no documentation in ../shared/corpus' })
  process.exit(0)
}

const conversations = shuffled(labelledQuestions(1, COUNT / TOPICS), 1).map(({ text }, at) => ({
  id: `ticket-${at}`,
  parts: [
    { type: 'message', role: 'user', body: text },
    { type: 'message', role: 'team-member', body: 'Thank you, we will have a look at it.' },
  ],
}))

const server = await startServer()
const project = join(temporaryFolder(), 'project')
writeProject(project, 50, 4_000)
const { call, send, organization } = server
const space = await server.importFolder(project)
const { pages } = await call('GET', `${space}/content/pages`)
const page = `${space}/content/page/${pages.at(-1).id}?format=markdown`

/** Seconds of a processor that the server has taken, in all threads. */
const processorSeconds = () => ownProcessorMs(server.pid) / 1_000

async function bring(): Promise<void> {
  for (let from = 0; from < conversations.length; from += AT_ONCE) {
    await send('POST', `${organization}/conversations`, conversations.slice(from, from + AT_ONCE))
  }
}

const countOf = async (path: string): Promise<number> => (await call('GET', `${organization}/${path}`)).count

/** When the last thing changed: nothing has for a while, and every cluster is described. */
async function settled(): Promise<{ at: number; processor: number }> {
  const now = () => ({ at: performance.now(), processor: processorSeconds() })
  let last = now()
  let before = ''
  for (;;) {
    const issues = await countOf('conversations-issues?limit=1')
    const clusters = await countOf('conversations-clusters?limit=1')
    const pending = await countOf('conversations-clusters?limit=1&status=pending')
    const analysing = await countOf('conversations-clusters?limit=1&status=analysing')
    const state = `${issues} ${clusters} ${pending} ${analysing}`
    if (state !== before || pending + analysing > 0) last = now()
    else if (performance.now() - last.at > QUIET_MS) return last
    before = state
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}
// Longer than the job waits for further conversations, when there are so many of them.
const QUIET_MS = 25_000
const IDLE_SECONDS = 3

async function measure() {
  const beganCpu = processorSeconds()
  const began = performance.now()
  const { result, pageMs } = await readBeside(
    server,
    page,
    (async () => {
      await bring()
      const answered = performance.now()
      return { answered, described: await settled() }
    })(),
  )
  return {
    answeredSeconds: round((result.answered - began) / 1000),
    describedSeconds: round((result.described.at - began) / 1000),
    processorSeconds: round(result.described.processor - beganCpu),
    pageMs,
  }
}

await readBeside(server, page, new Promise(resolve => setTimeout(resolve, 1_000)))
const idleCpu = processorSeconds()
const idle = await readBeside(server, page, new Promise(resolve => setTimeout(resolve, IDLE_SECONDS * 1_000)))
const idleProcessor = round((processorSeconds() - idleCpu) / IDLE_SECONDS)
const first = await measure()
const clusters = await countOf('conversations-clusters?limit=1')
const again = await measure()
await server.stop()
report('ingestion', {
  database: DATABASE,
  conversations: conversations.length,
  clusters,
  idle: { processorSecondsPerSecond: idleProcessor, pageMs: idle.pageMs },
  first,
  again,
})
