// Code: a fence, in GitBook's tag if it has a title or a look; HTML if lines are marked or carry footnotes.
import { type BlockOf, type Text, text, type Words } from '../../document/document.ts'
import {
  attributesOf,
  type BlockRenderers,
  filled,
  footnoteAnchor,
  htmlText,
  type Lines,
  on,
  type Rendering,
  startTag,
  taggedLines,
  wordsOfFootnote,
} from '../../render/tagging.ts'
import { readable } from '../../syntax/syntax.ts'

type Code = BlockOf<'code'>
type CodeLine = { readonly nodes: Words; readonly isHighlighted: boolean }

function write(code: Code, rendering: Rendering): Lines {
  const lines = linesOf(code)
  if (lines.some(line => line.isHighlighted || line.nodes.some(node => node.object === 'inline')))
    return preLines(code, lines, rendering)
  const fenced = fence(
    lines.map(line => plainLine(line.nodes)),
    code.data.syntax,
  )
  const look = attributesOf('code', code.data)
  const isPlain = Object.values(look).every(one => one === undefined)
  return isPlain ? fenced : taggedLines('code', look, fenced)
}

/** Each line by itself, whatever line ends its text holds. */
function linesOf({ nodes = [] }: Code): CodeLine[] {
  return nodes.flatMap(line => {
    const isHighlighted = line.data.highlighted === true
    let last: Words[number][] = []
    const lines = [{ nodes: last, isHighlighted }]
    for (const node of line.nodes ?? []) {
      if (node.object === 'inline') {
        last.push(node)
        continue
      }
      const [first = '', ...rest] = readable(textOf(node)).split('\n')
      last.push(text(first))
      for (const words of rest) {
        last = [text(words)]
        lines.push({ nodes: last, isHighlighted })
      }
    }
    return lines
  })
}

const textOf = ({ leaves }: Text): string => leaves.map(leaf => leaf.text).join('')

const plainLine = (nodes: Words): string =>
  nodes.map(node => (node.object === 'text' ? textOf(node) : '')).join('')

/** A fence longer than any in the code; of tildes if the language's name holds a backtick. */
function fence(lines: readonly string[], syntax: string | undefined): Lines {
  const info = readable(syntax ?? '')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/[\\&]/g, sign => `\\${sign}`)
  const char = info.includes('`') ? '~' : '`'
  // In an item, a tab is only the spaces to the next stop.
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
  const name = data.syntax ? nameOf(data.syntax) : undefined
  const pre = startTag('pre', {
    class: name === undefined ? undefined : `language-${name}`,
    'data-title': filled(data.title),
    'data-overflow': data.overflow,
    'data-line-numbers': data.lineNumbers,
    'data-full-width': on(data.fullWidth),
    'data-expandable': on(data.expandable),
    'data-collapsed-line-count': data.collapsedLineCount?.toString(),
  })
  const code = startTag('code', { class: name === undefined ? undefined : `lang-${name}` })
  return `${pre}${code}${lines.map(line => lineHtml(line, rendering)).join('')}</code></pre>`
}

const nameOf = (syntax: string): string => readable(syntax).trim().replace(/\s+/g, '-')

/** A line with its end; a marked one is `<strong>`, end and all. */
function lineHtml({ nodes, isHighlighted }: CodeLine, rendering: Rendering): string {
  const words = `${nodes.map(node => nodeHtml(node, rendering)).join('')}\n`
  return isHighlighted ? `<strong>${words}</strong>` : words
}

function nodeHtml(node: Words[number], rendering: Rendering): string {
  if (node.object === 'text') return htmlText(textOf(node))
  if (node.type === 'expression')
    return `<code class="expression">${htmlText(readable(node.data.expression))}</code>`
  const words = (node.nodes ?? []).map(one => nodeHtml(one, rendering)).join('')
  if (node.type !== 'annotation') return words
  const footnote = rendering.footnote(node.fragments ?? [])
  if (footnote === undefined) return `${words} (${htmlText(wordsOfFootnote(node.fragments ?? []))})`
  return `${footnoteAnchor(footnote.identifier)}${words}</a>`
}

export const code = { code: write } satisfies BlockRenderers
