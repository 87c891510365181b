// What does the workspace cost, in the browser and on the server?
//
//   node bench/workspace.ts [--part screens,keys,paints,talk,spaces,tree,writing,streams]    all of them by default
//
// The whole server on the embedded database, and Chromium with an empty cache for each page. `screens`: what is sent,
// with Brotli as it is, for each screen until its content is shown; `files` counts the shell too, `calls` are those of
// the API. `keys`: script for each arrow key in a tree of 2,000 pages, none below another, and in a list of 1,000 change
// requests that were all read. `paints`: milliseconds until the next paint while somebody reviews a page, with the
// processor slowed down four times; `nothing` is a key that does nothing. `talk`: 1,000 comments in a conversation and
// beside a page, and 1,000 revisions, read to the end. `spaces`: script for each arrow key in lists of 1,000 spaces.
// `tree`: milliseconds until the next paint where a tree of 2,000 pages is changed by keys.
// `streams`: 200 open streams, idle and with a comment a second. `load` is that of the machine before and after: with
// other work beside it, times say little.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { DATABASE, report, round } from './measure.ts'
import { inBrowser } from './workspace/browser.ts'
import { measureKeys } from './workspace/keys.ts'
import { measurePaints } from './workspace/paints.ts'
import { makeScene } from './workspace/scene.ts'
import { measureScreens } from './workspace/screens.ts'
import { measureSpaces } from './workspace/spaces.ts'
import { measureStreams } from './workspace/streams.ts'
import { measureTalk } from './workspace/talk.ts'
import { measureTree } from './workspace/tree.ts'
import { measureWriting } from './workspace/writing.ts'

const IN_BROWSER = { screens: measureScreens, keys: measureKeys, paints: measurePaints, talk: measureTalk }
const PARTS = [...Object.keys(IN_BROWSER), 'spaces', 'tree', 'writing', 'streams']

const { values } = parseArgs({ options: { part: { type: 'string', default: PARTS.join() } } })
const asked = values.part.split(',')
const unknown = asked.filter(part => !PARTS.includes(part))
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join()}: name ${PARTS.join(', ')}.`)

const load = [round(loadavg()[0] ?? 0)]
const result: Record<string, object> = {}
const inPages = Object.entries(IN_BROWSER).filter(([part]) => asked.includes(part))
if (inPages.length > 0) {
  const scene = await makeScene()
  for (const [part, measure] of inPages) result[part] = await inBrowser(browser => measure(browser, scene))
  await scene.server.stop()
}
if (asked.includes('spaces')) result.spaces = await inBrowser(measureSpaces)
if (asked.includes('tree')) result.tree = await inBrowser(measureTree)
if (asked.includes('writing')) result.writing = await inBrowser(measureWriting)
if (asked.includes('streams')) result.streams = await measureStreams()
load.push(round(loadavg()[0] ?? 0))
report('workspace', { database: DATABASE, load, ...result })
process.exit(0)
