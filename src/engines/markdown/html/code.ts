// Code: plain at first, coloured once the highlighter has answered for the whole page.
import { type CodeLine, type CodeLook, type CodePart, type ReadCode, readCode } from '../blocks/readings.ts'
import { type Code, type Element, inOneLine, variableIn } from '../syntax/syntax.ts'
import { type Child, el, flat, type Hast, type Properties, readable } from './build.ts'
import { showDiagram } from './diagrams.ts'
import { DIAGRAMS, type HighlightedCode, isDiagram, TOKEN_KINDS, type Token } from './highlight.ts'
import { variableValue } from './phrasing-elements.ts'
import type { Scope } from './scope.ts'
import { asScroller } from './scrollers.ts'

export type { CodeLook }

const FIRST_LINE_MAX = 60

/** The name of a language; nothing longer is one. */
const LANGUAGE = /^[a-z0-9+#.-]{1,40}$/

const KINDS: ReadonlySet<string> = new Set(TOKEN_KINDS)

/** `look` is what a tag around it says. */
export const renderCode = (node: Code | Element, look: CodeLook, scope: Scope): Hast =>
  draw(readCode(node, look), scope)

/** A part of a line as it is shown; words with a footnote link to it, so that copying them copies the code alone. */
type Part = { readonly text: string; readonly link?: Properties }

const isText = (part: CodePart): part is Part => 'text' in part && part.footnote === undefined

const partsOf = ({ parts }: CodeLine, scope: Scope): readonly Part[] =>
  parts.every(isText) ? parts : parts.map(part => partOf(part, scope))

function partOf(part: CodePart, scope: Scope): Part {
  if ('expression' in part) {
    const name = variableIn(part.expression)
    const value = name === undefined ? undefined : variableValue(name, scope)
    return { text: inOneLine(value ?? part.expression) }
  }
  const used = part.footnote === undefined ? undefined : scope.page.footnotes.use(part.footnote)
  if (used === undefined) return part
  return { text: part.text, link: { href: used.href, id: used.id, title: `Footnote ${used.number}` } }
}

const textOf = (parts: readonly Part[]): string =>
  parts.length === 1 ? (parts[0]?.text ?? '') : parts.map(({ text }) => text).join('')

function draw(read: ReadCode, scope: Scope): Hast {
  const { node, look } = read
  const wanted = read.language.toLowerCase()
  const language = LANGUAGE.test(wanted) ? wanted : ''
  // A fence is nothing but text.
  const lines = node.type === 'code' ? [] : read.lines
  const parts = lines.map(line => partsOf(line, scope))
  const code = node.type === 'code' ? node.value.replace(/\r\n?/g, '\n') : parts.map(textOf).join('\n')
  const marked = new Set([...lines.keys()].filter(index => lines[index]?.isMarked))
  const hasLines = look.lineNumbers === true || marked.size > 0
  const layLines = (runs: HighlightedCode): Hast[] => {
    const laid = runs.map((line, index) => layRuns(line, parts[index] ?? []))
    return hasLines ? asLines(laid, marked) : flat(laid.map((line, index) => [index > 0 && '\n', line]))
  }
  const isOneText = !hasLines && parts.every(line => line.every(({ link }) => link === undefined))
  const name = language !== '' && `language-${language}`
  const inside = isOneText ? code : layLines(code.split('\n').map(text => [[text, 'plain']]))
  const inner = el('code', { className: name }, inside)
  if (language !== '')
    scope.addCode({ code, language }, shown => {
      if (isDiagram(shown)) showDiagram(figure, shown, look.title, scope)
      // Colours never change the text.
      else if (shown.map(line => line.map(([run]) => run).join('')).join('\n') === code)
        inner.children = layLines(shown)
    })
  const title = look.title ?? (language === DIAGRAMS ? 'Mermaid diagram, shown as its source' : undefined)
  const classes = [
    look.overflow === 'wrap' && 'code-wrap',
    look.lineNumbers && 'code-numbered',
    look.fullWidth && 'full-width',
    ...(look.expandable ? ['code-expandable', linesClass(look.collapsedLineCount)] : []),
  ]
  const figure = el(
    'figure',
    {
      className: ['code', ...classes],
      draws: {
        name: 'code',
        title: title === undefined ? undefined : readable(title),
        isNumbered: look.lineNumbers === true,
      },
    },
    title !== undefined && el('figcaption.code-head', {}, title),
    el('pre', { dir: 'ltr', part: 'inside', ...asScroller(nameOf(look.title, code), scope) }, inner),
  )
  return figure
}

const LINES_SHOWN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50]

/** How many lines are in sight of code that scrolls in itself: the next of a few numbers that have a rule. */
const linesClass = (count = 12): string =>
  `lines-${LINES_SHOWN.find(lines => lines >= count) ?? LINES_SHOWN.at(-1)}`

const nameOf = (title: string | undefined, code: string): string =>
  `Code: ${title ?? code.trimStart().slice(0, FIRST_LINE_MAX).split('\n', 1)[0]}`

/** Lines as blocks, each with the line feed that ends it, so that copying them copies the code. */
const asLines = (lines: readonly (readonly Child[])[], marked: ReadonlySet<number>): Hast[] =>
  lines.map((line, index) =>
    el(
      'span',
      {
        className: ['line', marked.has(index) && 'is-marked'],
        draws: marked.has(index) && { name: 'marked-line' },
      },
      line,
      index < lines.length - 1 && '\n',
    ),
  )

/** The runs of a line as elements; those of a part with a link are in the link. */
function layRuns(runs: readonly Token[], parts: readonly Part[]): Child[] {
  if (parts.every(({ link }) => link === undefined)) return runs.map(drawRun)
  let at = 0
  let from = 0
  return parts.map(({ text, link }) => {
    const taken: Child[] = []
    for (let left = text.length; left > 0; ) {
      const [run, kind] = runs[at] ?? [text, 'plain']
      const piece = run.slice(from, from + left)
      taken.push(drawRun([piece, kind]))
      left -= piece.length
      from += piece.length
      if (from < run.length) continue
      at++
      from = 0
    }
    return link === undefined ? taken : el('a', link, taken)
  })
}

const drawRun = ([run, kind]: Token): Child =>
  kind === 'plain' || !KINDS.has(kind) ? run : el('span', { className: `tok-${kind}` }, run)
