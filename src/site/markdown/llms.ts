// What a space offers to programs that read documentation: `llms.txt`, the list of its pages (https://llmstxt.org), and
// `llms-full.txt`, their text. Both are made piece by piece, so that a large space costs time but no memory.
import type { SpecSight } from '../../access/spec-sight.ts'
import { indexOf } from '../../api/content/index-of-content.ts'
import { spaceHref } from '../../api/rendering/addresses.ts'
import { KEPT_MILLISECONDS } from '../../api/rendering/render.ts'
import type { SpaceRow } from '../../api/spaces/rows.ts'
import { assert } from '../../base/assert.ts'
import { inSlices, pause } from '../../base/slices.ts'
import type { Content } from '../../engines/content/content.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import { markdownLink, plainWords } from '../../engines/markdown/render/render.ts'
import { inOneLine } from '../../engines/markdown/syntax/syntax.ts'
import type { Services } from '../../http/context.ts'
import type { Made } from '../kept-answers.ts'
import { listed, toSpaceView } from '../views.ts'
import { markdownAddress } from './addresses.ts'
import { renderText, type TextSite } from './text.ts'

/** Documents of the navigation in reading order, without those that programs are asked to leave out. */
async function pagesForPrograms(content: Content): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const id of inSlices(listed(content, indexOf(content)))) {
    const record = content.pages.get(id)
    if (record?.noIndex !== true && record?.noRobotsIndex !== true) ids.push(id)
  }
  return ids
}

type ListedSpace = { readonly space: SpaceRow; readonly content: Content }

// Pages outside the groups of a space have no heading, and the format requires one.
const UNGROUPED = 'Pages'

/** A section for each top-level group with pages; pages outside of groups come first. */
export async function* renderList(
  { urls }: Pick<Services, 'urls'>,
  { space, content }: ListedSpace,
): AsyncGenerator<string> {
  const ids = await pagesForPrograms(content)
  const address = markdownAddress(urls, spaceHref(space.id), content)
  yield `# ${plainWords(toSpaceView(space).title)}\n`
  const description = content.pages.get(ids[0] ?? '')?.description
  if (description !== undefined) yield `\n> ${plainWords(inOneLine(description))}\n`
  if (ids.length > 0)
    yield `\nThe text of all pages: <${urls.root(`${spaceHref(space.id)}/llms-full.txt`)}>\n`
  for (const [group, members] of await sectionsOf(content, ids)) {
    const title = group === null ? UNGROUPED : (content.pages.get(group)?.title ?? '')
    yield `\n## ${plainWords(title)}\n\n`
    for await (const id of inSlices(members)) yield lineOf(content.pages.get(id), address(id, ''))
  }
}

function lineOf(record: PageRecord | undefined, url: string): string {
  assert(record !== undefined, 'a listed page is there')
  const { title, description } = record
  const words = description === undefined ? '' : `: ${plainWords(inOneLine(description))}`
  return `- ${markdownLink(title, url)}${words}\n`
}

/** Pages by their top-level group; null for those outside of groups. */
async function sectionsOf(content: Content, ids: readonly string[]): Promise<Map<string | null, string[]>> {
  const sections = new Map<string | null, string[]>([[null, []]])
  for await (const id of inSlices(ids)) {
    const top = topOf(content, id)
    const group = content.pages.get(top)?.type === 'group' ? top : null
    const members = sections.get(group) ?? []
    members.push(id)
    sections.set(group, members)
  }
  if (sections.get(null)?.length === 0) sections.delete(null)
  return sections
}

function topOf(content: Content, id: string): string {
  let top = id
  for (let at: string | null = id; at !== null; at = content.pages.get(at)?.parent ?? null) top = at
  return top
}

// Documents read at once, so that a large space takes hundreds of queries, not thousands.
const DOCUMENTS_READ = 50

/** Every page of the list with its address, in order. */
export async function* renderAllTexts(
  site: TextSite,
  { space, content, sight }: ListedSpace & { readonly sight: SpecSight },
  made: Pick<Made, 'keepAtMost'>,
): AsyncGenerator<string> {
  const { services } = site
  const ids = await pagesForPrograms(content)
  const { paths } = indexOf(content)
  const place = { spaceId: space.id, base: spaceHref(space.id), content, sight }
  for (let at = 0; at < ids.length; at += DOCUMENTS_READ) {
    const records = ids.slice(at, at + DOCUMENTS_READ).map(id => [id, content.pages.get(id)] as const)
    const documents = records
      .flatMap(([, record]) => record?.document ?? [])
      .filter(document => !content.expansion?.texts.has(document))
    const bodies = await services.objects.getMany(documents)
    for (const [index, [id, record]] of records.entries()) {
      assert(record !== undefined, 'a listed page is there')
      const body = record.document === null ? undefined : bodies.get(record.document)
      const computed = content.expansion?.texts.get(record.document ?? '')
      const written =
        body === undefined
          ? (computed ?? '')
          : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
      const source = services.urls.page(space.id, paths.get(id) ?? '')
      const { text, how } = await renderText(site, place, record, written, source)
      if (how !== 'whole') made.keepAtMost(KEPT_MILLISECONDS[how])
      yield `${at + index === 0 ? '' : '\n'}${text}`
      await pause()
    }
  }
}
