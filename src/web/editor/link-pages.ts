// `[[` lists the pages of the content that is edited, and after `#` the headings of a page. A link is a path of files, as
// the server writes it: it lasts when the address of the page changes.
import { cache } from '../data/cache.ts'
import { headingTargets, type LinkTarget } from '../data/link-targets.ts'
import { t } from '../messages/messages.ts'
import { addressFrom, link, readTargets } from './addresses.ts'
import type { PageWriting } from './page-writing.ts'
import { ranked } from './rank.ts'
import { lineBefore, type Suggested, type Suggestion, type Typing } from './suggestion.ts'

const TYPED = /\[\[([^[\]\n]{0,100})$/

export async function suggestLinks(typing: Typing, writing: PageWriting): Promise<Suggested | null> {
  const { doc, caret } = typing
  const before = lineBefore(typing)
  const typed = TYPED.exec(before.text)
  if (typed === null) return null
  // The editor closes brackets by itself.
  const closed = /^\]{0,2}/.exec(doc.sliceString(caret, caret + 2))?.[0].length ?? 0
  return {
    from: before.start + typed.index,
    to: caret + closed,
    suggestions: await suggestionsFor(writing, typed[1] ?? ''),
  }
}

async function suggestionsFor(writing: PageWriting, query: string): Promise<readonly Suggestion[]> {
  const { targets, own } = await readTargets(writing)
  const at = query.indexOf('#')
  const named = ranked(targets, at === -1 ? query : query.slice(0, at), textsOf)
  if (at === -1)
    return named.map(target => ({
      label: target.title,
      detail: target.above.join(' / '),
      insert: { text: link(target.title, addressFrom(own?.file, { kind: 'pages', ...target })) },
    }))
  const [page] = at === 0 ? [own] : named
  if (page === undefined) return []
  const headings = await cache.fetchQuery(headingTargets(writing.place.get(), page.id))
  const address = page === own ? '' : addressFrom(own?.file, { kind: 'pages', ...page })
  return ranked(headings, query.slice(at + 1), ({ text }) => [text]).map(({ anchor, text }) => ({
    label: text,
    detail: page === own ? t('suggestions.onThisPage') : page.title,
    insert: { text: link(text, `${address}#${anchor}`) },
  }))
}

const textsOf = ({ title, above }: LinkTarget) => [title, above.join(' ')] as const
