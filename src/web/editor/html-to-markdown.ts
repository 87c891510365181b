// HTML from the clipboard as Markdown: of browsers, Google Docs and Word. Nothing of it is loaded or runs: it stays in a
// document of its own, which is shown nowhere.
import type { RootContent } from 'hast'
import { toMdast } from 'hast-util-to-mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import { readMarkup } from '../parts/markup.tsx'

const CHARACTERS_MAX = 1_000_000
/** Deeper ones are their words. */
const DEPTH_MAX = 200
/** Without any of these it says no more than its words: programs copy code so. */
const MEANING = 'a[href],b,strong,i,em,del,s,h1,h2,h3,h4,h5,h6,li,table,img,pre,code,blockquote,hr'

/** Undefined if its words are all that it says, and for what is too much to convert. */
export default function htmlToMarkdown(html: string): string | undefined {
  if (html.length > CHARACTERS_MAX) return undefined
  const content = readMarkup(withoutEffects(html))
  for (const one of content.querySelectorAll('script,style,meta,link,title,template,o\\:p')) one.remove()
  nestWordLists(content)
  nameStyles(content)
  dropAddresses(content)
  if (content.querySelector(MEANING) === null) return undefined
  const tree = toMdast({ type: 'root', children: childrenOf(content, 0) })
  const markdown = toMarkdown(tree, {
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
    bullet: '*',
    rule: '-',
    listItemIndent: 'one',
  }).trim()
  return markdown === '' ? undefined : markdown
}

/** Styles and handlers under other names: the policy of the page would report each of them. */
const withoutEffects = (html: string): string =>
  html.replace(/<[a-z][^<>]*>/gi, tag => tag.replace(/\s(style|on\w+)=/gi, ' data-$1='))

const childrenOf = (node: Node, depth: number) => [...node.childNodes].flatMap(child => toHast(child, depth))

function toHast(node: Node, depth: number): Extract<RootContent, { type: 'element' | 'text' }>[] {
  if (node instanceof Text || depth > DEPTH_MAX) return [{ type: 'text', value: node.textContent ?? '' }]
  if (!(node instanceof Element)) return []
  const properties = Object.fromEntries(
    PROPERTIES.flatMap(([name, attribute]) => {
      const value = node.getAttribute(attribute)
      return value === null ? [] : [[name, name === 'className' ? value.split(/\s+/) : value]]
    }),
  )
  const children = childrenOf(node, depth + 1)
  return [{ type: 'element', tagName: node.localName, properties, children }]
}

/** By their names in the tree (hast) and in HTML. */
const PROPERTIES = [
  ...['href', 'src', 'alt', 'title', 'type', 'checked', 'start', 'align'].map(name => [name, name] as const),
  ['className', 'class'],
] as const

/** Google Docs writes bold words as spans with a style, and everything in a `<b>` that is not bold. */
function nameStyles(content: ParentNode): void {
  for (const element of content.querySelectorAll<HTMLElement>('b,strong,i,em,span')) {
    const style = element.getAttribute('data-style') ?? ''
    const fontWeight = /font-weight:\s*(\w+)/.exec(style)?.[1] ?? ''
    const fontStyle = /font-style:\s*(\w+)/.exec(style)?.[1]
    const isPlain =
      (element.matches('b,strong') && /^(?:normal|400)$/.test(fontWeight)) ||
      (element.matches('i,em') && fontStyle === 'normal')
    if (isPlain) {
      element.replaceWith(...element.childNodes)
      continue
    }
    if (!element.matches('span') || element.closest('h1,h2,h3,h4,h5,h6') !== null) continue
    if (/^(?:bold|[6-9]00)$/.test(fontWeight)) wrapWords(element, 'strong')
    if (fontStyle === 'italic') wrapWords(element, 'em')
    if (style.includes('line-through')) wrapWords(element, 'del')
  }
}

function wrapWords(element: HTMLElement, name: 'strong' | 'em' | 'del'): void {
  const around = element.ownerDocument.createElement(name)
  around.append(...element.childNodes)
  element.append(around)
}

/** Word writes the items of a list as paragraphs, with their sign as words and their depth in a style. */
function nestWordLists(content: DocumentFragment): void {
  let lists: Element[] = []
  let last: Element | null = null
  for (const item of content.querySelectorAll('p[data-style*="mso-list"]')) {
    const depth = Math.min(9, Number(/level(\d)/.exec(item.getAttribute('data-style') ?? '')?.[1] ?? 1))
    const sign = item.querySelector(
      'span[data-style*="mso-list:Ignore"],span[data-style*="mso-list: Ignore"]',
    )
    const isNumber = /^\s*(?:\d+|[a-z]+)[.)]/i.test(sign?.textContent ?? '')
    sign?.remove()
    if (last === null || item.previousElementSibling !== last) lists = []
    lists = lists.slice(0, depth)
    const entry = content.ownerDocument.createElement('li')
    entry.append(...item.childNodes)
    for (let missing = lists.length; missing < depth; missing += 1) {
      const list = content.ownerDocument.createElement(isNumber ? 'ol' : 'ul')
      const above = lists.at(-1)
      if (above === undefined) item.before(list)
      else (above.lastElementChild ?? above).append(list)
      lists.push(list)
    }
    lists.at(-1)?.append(entry)
    item.remove()
    last = lists[0] ?? null
  }
}

const KEPT_LINK = /^(?:https?|mailto|tel):/i
const KEPT_PICTURE = /^https?:/i

/** What leads nowhere from here is its words: places of another page, and files of somebody's machine. */
function dropAddresses(content: ParentNode): void {
  for (const link of content.querySelectorAll('a'))
    if (!KEPT_LINK.test(link.getAttribute('href') ?? '')) link.replaceWith(...link.childNodes)
  for (const picture of content.querySelectorAll('img'))
    if (!KEPT_PICTURE.test(picture.getAttribute('src') ?? '')) picture.replaceWith(picture.alt)
}
