// Code: fences, and the HTML in which GitBook writes code that has marked lines, footnotes or variables.
import { assertDefined } from '../../../../base/assert.ts'
import type { BlockData } from '../../reading/reading.ts'
import { readAttributes } from '../../schema/schema.ts'
import {
  type Code,
  childrenOf,
  dataAttributes,
  type Element,
  expressionOf,
  footnoteOf,
  isFootnoteElement,
  isNamed,
  type Node,
} from '../../syntax/syntax.ts'
import { code as schema } from './schema.ts'

/** What a `{% code %}` tag, or a `<pre>`, asks for. */
export type CodeLook = BlockData<'code'>

/** A part of a line: a variable, or text, which may have a footnote. */
export type CodePart = { readonly expression: string } | { readonly text: string; readonly footnote?: string }

export type CodeLine = { readonly parts: readonly CodePart[]; readonly isMarked: boolean }

export type ReadCode = {
  readonly node: Code | Element
  /** As written; empty if none is named. */
  readonly language: string
  readonly look: CodeLook
  readonly lines: readonly CodeLine[]
}

/** Whether a node is code, as a fence or in HTML. */
export const isCode = (node: Node): node is Code | Element => node.type === 'code' || isNamed(node, 'pre')

/** Code in a tag, which says how it looks where the tag does. */
export function readCode(node: Code | Element, look: CodeLook): ReadCode {
  if (node.type === 'code') return readFence(node, look)
  const read = readPre(node)
  return { ...read, look: { ...read.look, ...look } }
}

const splitLines = (text: string): string[] => text.split(text.includes('\r') ? /\r\n?|\n/ : '\n')

/** The lines of code without markup. */
export const linesOfText = (text: string): CodeLine[] =>
  splitLines(text).map(line => ({ parts: line === '' ? [] : [{ text: line }], isMarked: false }))

const readFence = (node: Code, look: CodeLook): ReadCode => ({
  node,
  language: node.lang ?? '',
  look,
  // Not everybody takes it apart.
  get lines() {
    return linesOfText(node.value)
  },
})

/**
 * `<pre class="language-js" data-title="a.js"><code>…</code></pre>`: `<strong>` marks the lines that it touches,
 * `<a data-footnote-ref>` carries a footnote, `<code class="expression">` is a variable, everything else is text.
 */
export function readPre(node: Element): ReadCode {
  const code = node.children.find(child => isNamed(child, 'code'))
  const classes = `${node.attributes.class ?? ''} ${code?.attributes.class ?? ''}`
  return {
    node,
    language: /(?:^|\s)lang(?:uage)?-(\S+)/.exec(classes)?.[1] ?? '',
    look: readAttributes(dataAttributes(node), schema.attributes),
    lines: new Lines().read(contentOf(node, code)),
  }
}

/** White space between `<pre>` and `<code>` is layout. */
const contentOf = (node: Element, code: Element | undefined): readonly Node[] =>
  code !== undefined &&
  expressionOf(code) === undefined &&
  node.children.every(child => child === code || (child.type === 'text' && child.value.trim() === ''))
    ? code.children
    : node.children

const MARKS: ReadonlySet<string> = new Set(['strong', 'b', 'mark'])

/** A footnote, and the line on which its words began: those on other lines do not carry it. */
type Note = { readonly identifier: string; line?: OpenLine }
type OpenPart = { expression: string } | { text: string; note: Note | undefined }
type OpenLine = { parts: OpenPart[]; isMarked: boolean }
type Place = { readonly isMarked: boolean; readonly note: Note | undefined }

class Lines {
  readonly #all: OpenLine[] = [{ parts: [], isMarked: false }]

  read(nodes: readonly Node[]): CodeLine[] {
    this.#visit(nodes, { isMarked: false, note: undefined })
    if (this.#all.length > 1 && this.#last.parts.length === 0) this.#all.pop()
    return this.#all.map(({ parts, isMarked }) => ({ parts: parts.map(closed), isMarked }))
  }

  get #last(): OpenLine {
    return assertDefined(this.#all.at(-1), 'there is always a line')
  }

  #visit(nodes: readonly Node[], place: Place): void {
    for (const node of nodes) {
      const expression = isNamed(node, 'code') ? expressionOf(node) : undefined
      if ('value' in node) this.#write(node.value, place)
      else if (isNamed(node, 'br')) this.#write('\n', place)
      else if (expression !== undefined) {
        this.#last.isMarked ||= place.isMarked
        this.#last.parts.push({ expression })
      } else this.#visit(childrenOf(node), insideOf(node, place))
    }
  }

  /** A mark marks each line that it touches, but not one that it only ends at. */
  #write(value: string, { isMarked, note }: Place): void {
    const lines = splitLines(value)
    for (const [index, text] of lines.entries()) {
      if (index > 0) this.#all.push({ parts: [], isMarked: false })
      if (text !== '') this.#put(text, note)
      if (text !== '' || index < lines.length - 1) this.#last.isMarked ||= isMarked
    }
  }

  #put(text: string, wanted: Note | undefined): void {
    const line = this.#last
    if (wanted !== undefined) wanted.line ??= line
    const note = wanted?.line === line ? wanted : undefined
    const last = line.parts.at(-1)
    if (last !== undefined && 'text' in last && last.note === note) last.text += text
    else line.parts.push({ text, note })
  }
}

const insideOf = (node: Node, { isMarked, note }: Place): Place => ({
  isMarked: isMarked || node.type === 'strong' || (node.type === 'element' && MARKS.has(node.name)),
  note: note ?? (isFootnoteElement(node) ? { identifier: footnoteOf(node) } : undefined),
})

function closed(part: OpenPart): CodePart {
  if ('expression' in part) return part
  return part.note === undefined ? { text: part.text } : { text: part.text, footnote: part.note.identifier }
}
