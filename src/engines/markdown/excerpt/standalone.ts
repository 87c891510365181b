// A page's Markdown as it can be read by itself, away from its repository: without the settings at its head and the
// heading that says its title, with reusable content and the values of variables in place, and with addresses that work
// from anywhere. Every other byte stays as it was written.

import { applyEdits, type Edit, isLineStart, neutralWords, referenceEdits, wholeLines } from '../edit/edit.ts'
import { type MarkdownReference, titleOf } from '../page/page.ts'
import { plainWords } from '../render/render.ts'
import {
  blockSignAt,
  childrenOf,
  type Element,
  findFrontmatter,
  includedPath,
  inOneLine,
  type Node,
  type Root,
  type Tag,
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
    const edit =
      node.type === 'tag'
        ? (placeValue(source, node, variableOf(node), variables, isInElement) ??
          placeInclude(source, node, include) ??
          placeBlock(source, node, node.isInline ? undefined : part?.(node)))
        : node.type === 'element' && node.name === 'code'
          ? placeValue(source, node, variableOfCode(node), variables, isInElement)
          : undefined
    if (edit !== undefined) edits.push(edit)
    else for (const child of childrenOf(node)) visit(child, isInElement || node.type === 'element')
  }
  visit(root, false)
  return edits
}

/** The value of a variable as words, or its name as code if it has none. */
function placeValue(
  source: string,
  { position }: Tag | Element,
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

function placeInclude(source: string, tag: Tag, include: StandaloneOptions['include']): Edit | undefined {
  if (tag.name !== 'include') return undefined
  const text = include(includedPath(tag)) ?? ''
  if (tag.isInline) return { ...tag.position, text: inOneLine(text) }
  return placeBlock(source, tag, text)
}

function placeBlock(source: string, { position }: Tag, text: string | undefined): Edit | undefined {
  if (text === undefined) return undefined
  const mark = containerAt(source, position.start)
  return { ...position, text: text.replaceAll('\n', `\n${mark}`) }
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
