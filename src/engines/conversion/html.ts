// Pages that another workspace exported as HTML, as GitBook Markdown.
import type { Element, ElementContent, Nodes, Root } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import { defaultHandlers, type Handle, toMdast } from 'hast-util-to-mdast'
import type { Text } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown, type Unsafe } from 'mdast-util-to-markdown'
import type { Note } from './arrangement.ts'
import { cellLine } from './cells.ts'

/** Real pages are not this deep, and the parser recurses into each level. */
const DEPTH_MAX = 200

/** Throws a RangeError for HTML that is nested too deep for the parser. */
export const parseHtml = (text: string): Root => fromHtml(text, { fragment: false })

/** The same; a page that cannot be read is an empty one. */
export function parseHtmlIfPossible(text: string): Root {
  try {
    return parseHtml(text)
  } catch {
    return { type: 'root', children: [] }
  }
}

export const isElement = (node: Nodes | undefined): node is Element => node?.type === 'element'

export const classesOf = (node: Nodes): readonly string[] => {
  const { className } = isElement(node) ? node.properties : {}
  return Array.isArray(className) ? className.map(String) : []
}

export const hasClass = (node: Nodes, name: string): boolean => classesOf(node).includes(name)

/** The first element, in the order of the page, that `is` accepts. */
export function findElement(node: Nodes, is: (element: Element) => boolean, depth = 0): Element | undefined {
  if (isElement(node) && is(node)) return node
  if (!('children' in node) || depth > DEPTH_MAX) return undefined
  for (const child of node.children) {
    const found = findElement(child, is, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

export function textOf(node: Nodes, depth = 0): string {
  if (node.type === 'text') return node.value
  if (!('children' in node) || depth > DEPTH_MAX) return ''
  return node.children.map(child => textOf(child, depth + 1)).join('')
}

/** The words of a line of HTML; the line itself if it has none. */
export function wordsOfLine(html: string): string {
  if (!/[<&]/.test(html)) return html
  const words = textOf(parseHtmlIfPossible(html.replaceAll(/<br\b[^<>]*>/gi, ' ')))
  return words.replaceAll(/\s+/g, ' ').trim() || html
}

/**
 * Changes a tree in place, from the leaves up: `change` returns a replacement for the element, or undefined to leave
 * it. Throws a RangeError for a tree that is too deep.
 */
export function changeElements(
  parent: Root | Element,
  change: (element: Element) => readonly ElementContent[] | undefined,
  depth = 0,
): void {
  if (depth > DEPTH_MAX) throw new RangeError(`it is nested deeper than ${DEPTH_MAX} levels`)
  // A root may also hold a doctype, which passes through like text.
  const children = (parent.children as ElementContent[]).flatMap(child => {
    if (!isElement(child)) return [child]
    changeElements(child, change, depth + 1)
    return change(child) ?? [child]
  })
  parent.children = children
}

/** A line of its own, such as a tag, that is written verbatim. */
export const rawLine = (value: string): Element => ({
  ...{ type: 'element', tagName: 'p', properties: { dataRaw: value }, children: [] },
})

export const codeBlock = (language: string, value: string): Element => ({
  type: 'element',
  tagName: 'pre',
  properties: {},
  children: [
    {
      type: 'element',
      tagName: 'code',
      properties: language === '' ? {} : { className: [`language-${language}`] },
      children: [{ type: 'text', value }],
    },
  ],
})

/** The same within a line. */
export const rawWords = (value: string): Element => ({
  ...{ type: 'element', tagName: 'span', properties: { dataRaw: value }, children: [] },
})

/** At the beginning of a list item, it makes the item a task. */
export const checkbox = (isChecked: boolean): Element => ({
  ...{ type: 'element', tagName: 'input', children: [] },
  properties: { type: 'checkbox', checked: isChecked },
})

/** A frame of another site as an embed of its address; nothing if it has none that everybody can open. */
export function embedOf({ properties }: Element): readonly Element[] {
  const { src } = properties
  return typeof src === 'string' && /^https?:[^"\s]+$/i.test(src) ? [rawLine(`{% embed url="${src}" %}`)] : []
}

export const FRAMES_LEFT_OUT: Note = {
  reason: 'frame',
  message: 'A frame without an address on the web is left out.',
}

export const hasLostFrame = (content: Element): boolean =>
  findElement(content, one => one.tagName === 'iframe' && embedOf(one).length === 0) !== undefined

/** In words, GitBook reads these as the beginning and the end of a tag, and of a formula. */
const UNSAFE: Unsafe[] = [
  { before: String.raw`\{`, character: '%', inConstruct: 'phrasing' },
  { before: '%', character: '}', inConstruct: 'phrasing' },
  { character: '$', after: String.raw`\$`, inConstruct: 'phrasing' },
  { before: String.raw`\$`, character: '$', inConstruct: 'phrasing' },
]
/** Expressions are found after escapes are undone. */
const EXPRESSION = /\{(?=\{\s*(?:space|page|visitor)\.)/g

/** A cell of a Markdown table is one line. */
const writeCell: Handle = (state, element) =>
  defaultHandlers.td(state, { ...element, children: cellLine(element) })

export function writeMarkdown(node: Root | Element): string {
  const tree = toMdast(node, {
    handlers: {
      td: writeCell,
      th: writeCell,
      p(state, element) {
        const { dataRaw } = element.properties
        if (typeof dataRaw === 'string') return { type: 'html', value: dataRaw }
        const children = state.all(element)
        // HTML has only words and inlines in a paragraph, but their type is that of any content.
        return children.length === 0 ? undefined : ({ type: 'paragraph', children } as never)
      },
      span(state, element) {
        const { dataRaw } = element.properties
        return typeof dataRaw === 'string' ? { type: 'html', value: dataRaw } : state.all(element)
      },
    },
  })
  return toMarkdown(tree, {
    bullet: '*',
    rule: '-',
    fences: true,
    unsafe: UNSAFE,
    handlers: {
      text: (node: Text, _, state, info) => state.safe(node.value, info).replace(EXPRESSION, '{<!-- -->'),
    },
    extensions: [gfmToMarkdown()],
  })
}
