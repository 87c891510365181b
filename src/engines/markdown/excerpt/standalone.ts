// A page's Markdown as it can be read by itself, away from its repository: without the settings at its head and the
// heading that says its title, with reusable content and the values of variables in place, and with addresses that work
// from anywhere. Every other byte stays as it was written.

import { applyEdits, type Edit, isLineStart, neutralWords, referenceEdits, wholeLines } from '../edit/edit.ts'
import { type MarkdownReference, titleOf } from '../page/page.ts'
import { blockOf, captionOf } from '../reading/reading.ts'
import { plainWords } from '../render/render.ts'
import {
  blockSignAt,
  childrenOf,
  findFrontmatter,
  includedPath,
  inOneLine,
  type Node,
  type Root,
  splitExpressions,
  type Tag,
  type Text,
  variableIn,
  variableOf,
  variableOfCode,
} from '../syntax/syntax.ts'

export type StandaloneOptions = {
  /** The first heading is left out if it says this. */
  readonly title?: string
  /** Values of `{% vars.name %}` and of `<code class="expression">space.vars.name</code>`. */
  readonly variables: Readonly<Record<string, string | number | boolean>>
  /** The new destination; null turns the reference into plain words, undefined leaves it. */
  address(reference: MarkdownReference): string | null | undefined
  /** The content of `{% include "path" %}`; undefined removes the tag. */
  include(path: string): string | undefined
  /** Replaces a block that names a part of an API description; undefined leaves the block. */
  part?(tag: Tag): string | undefined
}

/** Without blank lines at either end. */
export function standalone(source: string, root: Root, options: StandaloneOptions): string {
  const edits = [
    ...referenceEdits(source, root, options.address, leaveCover),
    ...replacements(source, root, options),
  ]
  const frontmatter = findFrontmatter(source)
  if (frontmatter !== undefined) edits.push({ start: 0, end: frontmatter.bodyStart, text: '' })
  const title = options.title === undefined ? undefined : titleOf(root, options.title)
  if (title !== undefined) edits.push({ ...wholeLines(source, title.position), text: '' })
  return withoutBlankEnds(applyEdits(source, edits))
}

/** Covers are settings. */
const leaveCover = () => undefined

function replacements(source: string, root: Root, { variables, include, part }: StandaloneOptions): Edit[] {
  const edits: Edit[] = []
  const visit = (node: Node, isInElement: boolean): void => {
    const value =
      node.type === 'tag'
        ? placeValue(source, node, variableOf(node), variables, isInElement)
        : node.type === 'element' && node.name === 'code'
          ? placeValue(source, node, variableOfCode(node), variables, isInElement)
          : undefined
    const [text, caption] =
      node.type === 'tag' && value === undefined ? placedText(node, include, part) : NOTHING
    if (value !== undefined) edits.push(value)
    if (node.type === 'text') edits.push(...placeExpressions(source, node, variables, isInElement))
    if (text !== undefined) edits.push(...placeText(source, node, text, caption))
    const inside = value !== undefined ? [] : text !== undefined ? caption : childrenOf(node)
    for (const child of inside) visit(child, isInElement || node.type === 'element')
  }
  visit(root, false)
  return edits
}

/** Variables among words. Words that are not in the source as they are read, such as `\\{{`, stay. */
function placeExpressions(
  source: string,
  { value, position }: Text,
  variables: StandaloneOptions['variables'],
  isInElement: boolean,
): Edit[] {
  if (source.slice(position.start, position.end) !== value) return []
  return splitExpressions(value).flatMap(part => {
    if (!('expression' in part)) return []
    const place = { start: position.start + part.start, end: position.start + part.end }
    return placeValue(source, { position: place }, variableIn(part.expression), variables, isInElement) ?? []
  })
}

/** The value of a variable as words, or its name as code if it has none. */
function placeValue(
  source: string,
  { position }: Pick<Node, 'position'>,
  name: string | undefined,
  variables: StandaloneOptions['variables'],
  isInElement: boolean,
): Edit | undefined {
  if (name === undefined) return undefined
  if (!Object.hasOwn(variables, name)) return { ...position, text: `<code>${name}</code>` }
  const value = String(variables[name])
  if (isInElement) return { ...position, text: neutralWords(value) }
  const words = plainWords(value).replaceAll('|', '\\|')
  const sign = isLineStart(source, position.start) ? blockSignAt(words) : undefined
  return { ...position, text: sign === undefined ? words : `${words.slice(0, sign)}\\${words.slice(sign)}` }
}

type Placed = readonly [text: string | undefined, caption: readonly Node[]]

const NOTHING: Placed = [undefined, []]

/** The text in place of a tag, and what the tag says beside it. */
function placedText(
  tag: Tag,
  include: StandaloneOptions['include'],
  part: StandaloneOptions['part'],
): Placed {
  const block = blockOf(tag)
  if (block?.name === 'include') {
    const text = include(includedPath(tag)) ?? ''
    return [tag.isInline ? inOneLine(text) : text, tag.children]
  }
  if (block === undefined || tag.isInline) return NOTHING
  return [part?.(tag), captionOf(block, 'src' in block.data ? block.data.src : undefined)]
}

/** The caption keeps its place below the text. */
function placeText(source: string, { position }: Node, text: string, caption: readonly Node[]): Edit[] {
  const mark = containerAt(source, position.start)
  const placed = text.replaceAll('\n', `\n${mark}`)
  const [first, last] = [caption[0], caption.at(-1)]
  if (first === undefined || last === undefined) return [{ ...position, text: placed }]
  return [
    { start: position.start, end: first.position.start, text: `${placed}\n${mark}\n${mark}` },
    { start: last.position.end, end: position.end, text: '' },
  ]
}

// The marks of nested lists and quotations, as people write them.
const CONTAINER_CHARACTERS_MAX = 20

/** The prefix of each further line of a block that begins here, in a list or a quotation. */
function containerAt(source: string, at: number): string {
  let start = at
  while (start > 0 && at - start <= CONTAINER_CHARACTERS_MAX && !/[\r\n]/.test(source.charAt(start - 1)))
    start--
  const before = source.slice(start, at)
  return before.length > CONTAINER_CHARACTERS_MAX || !isLineStart(source, at)
    ? ''
    : before.replace(/[^\s>]/g, ' ')
}

function withoutBlankEnds(text: string): string {
  const trimmed = text.trimEnd()
  const first = trimmed.length - trimmed.trimStart().length
  return first === 0 ? trimmed : trimmed.slice(trimmed.lastIndexOf('\n', first - 1) + 1)
}
