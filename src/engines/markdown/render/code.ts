// Code: a fence, in GitBook's tag where it has a title or a look; as HTML where lines are marked or carry notes.
import type { BlockOf, Inline, Text } from '../document/document.ts'
import { readable } from '../syntax/syntax.ts'
import { noteAnchor } from './inlines.ts'
import { htmlAttribute, htmlText, openTag } from './quoting.ts'
import { type Lines, type Rendering, wordsOfNote } from './rendering.ts'

type Code = BlockOf<'code'>
type CodeLine = { readonly nodes: readonly (Text | Inline)[]; readonly isHighlighted: boolean }

export function renderCode(code: Code, rendering: Rendering): Lines {
  const lines = linesOf(code)
  if (lines.some(line => line.isHighlighted || line.nodes.some(node => node.object === 'inline')))
    return preLines(code, lines, rendering)
  const fenced = fence(
    lines.map(line => wordsOf(line.nodes)),
    code.data.syntax,
  )
  const { title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount } = code.data
  const look = {
    title: title === '' ? undefined : title,
    overflow,
    lineNumbers: lineNumbers ? 'true' : undefined,
    fullWidth: fullWidth ? 'true' : undefined,
    expandable: expandable ? 'true' : undefined,
    collapsedLineCount: collapsedLineCount?.toString(),
  }
  if (Object.values(look).every(one => one === undefined)) return fenced
  return [openTag('code', look), ...fenced, '{% endcode %}']
}

/** Each line by itself, whatever line ends its text holds. */
function linesOf(code: Code): CodeLine[] {
  return (code.nodes as BlockOf<'code-line'>[]).flatMap(line => {
    const isHighlighted = line.data.highlighted === true
    const parts: (Text | Inline)[][] = [[]]
    for (const node of (line.nodes ?? []) as (Text | Inline)[]) {
      if (node.object === 'inline') {
        parts.at(-1)!.push(node)
        continue
      }
      const [first = '', ...rest] = readable(node.leaves.map(leaf => leaf.text).join('')).split('\n')
      parts.at(-1)!.push({ object: 'text', leaves: [{ object: 'leaf', text: first, marks: [] }] })
      for (const text of rest) parts.push([{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }])
    }
    return parts.map(nodes => ({ nodes, isHighlighted }))
  })
}

const wordsOf = (nodes: readonly (Text | Inline)[]): string =>
  nodes.map(node => (node.object === 'text' ? node.leaves.map(leaf => leaf.text).join('') : '')).join('')

/** A fence longer than any in the code; of tildes where the language's name holds a backtick. */
function fence(lines: readonly string[], syntax: string | undefined): Lines {
  const info = readable(syntax ?? '')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/[\\&]/g, sign => `\\${sign}`)
  const char = info.includes('`') ? '~' : '`'
  // In an item, a tab is no more than the blanks to the next stop.
  const opening = char === '`' ? /^[ \t]{0,3}(`{3,})/ : /^[ \t]{0,3}(~{3,})/
  let length = 3
  for (const line of lines) length = Math.max(length, (opening.exec(line)?.[1]?.length ?? 0) + 1)
  const body = lines.length === 0 || (lines.length === 1 && lines[0] === '') ? [] : lines
  return [char.repeat(length) + info, ...body, char.repeat(length)]
}

const preLines = (code: Code, lines: readonly CodeLine[], rendering: Rendering): Lines =>
  preHtml(code, lines, rendering).split('\n')

/** Code as HTML in one string, for cells; its blank lines are written so that they do not end the HTML around it. */
export const codeHtml = (code: Code, rendering: Rendering): string =>
  preHtml(code, linesOf(code), rendering).replace(/\n(?=[ \t]*\n)/g, '&#10;')

function preHtml({ data }: Code, lines: readonly CodeLine[], rendering: Rendering): string {
  const look = [
    ...(data.syntax ? [htmlAttribute('class', `language-${nameOf(data.syntax)}`)] : []),
    ...(data.title ? [htmlAttribute('data-title', data.title)] : []),
    ...(data.overflow === undefined ? [] : [htmlAttribute('data-overflow', data.overflow)]),
    ...(data.lineNumbers ? ['data-line-numbers'] : []),
    ...(data.fullWidth ? ['data-full-width="true"'] : []),
    ...(data.expandable ? ['data-expandable="true"'] : []),
    ...(data.collapsedLineCount === undefined
      ? []
      : [htmlAttribute('data-collapsed-line-count', String(data.collapsedLineCount))]),
  ]
  const lang = data.syntax ? ` ${htmlAttribute('class', `lang-${nameOf(data.syntax)}`)}` : ''
  const written = lines.map(line => lineHtml(line, rendering)).join('')
  return `<${['pre', ...look].join(' ')}><code${lang}>${written}</code></pre>`
}

const nameOf = (syntax: string): string => readable(syntax).trim().replace(/\s+/g, '-')

/** A line with its end; a marked one is `<strong>`, end and all. */
function lineHtml({ nodes, isHighlighted }: CodeLine, rendering: Rendering): string {
  const words = `${nodes.map(node => nodeHtml(node, rendering)).join('')}\n`
  return isHighlighted ? `<strong>${words}</strong>` : words
}

function nodeHtml(node: Text | Inline, rendering: Rendering): string {
  if (node.object === 'text') return htmlText(node.leaves.map(leaf => leaf.text).join(''))
  if (node.type === 'expression')
    return `<code class="expression">${htmlText(readable(node.data.expression))}</code>`
  const words = ((node.nodes ?? []) as (Text | Inline)[]).map(one => nodeHtml(one, rendering)).join('')
  if (node.type !== 'annotation') return words
  const note = rendering.note(node.fragments ?? [])
  if (note === undefined) return `${words} (${htmlText(wordsOfNote(node.fragments ?? []))})`
  return `${noteAnchor(note.identifier)}${words}</a>`
}
