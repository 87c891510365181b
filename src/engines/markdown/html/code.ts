// Code: plain at first, coloured once the highlighter has answered for the whole page.
import {
  type AttributesOf,
  dataAttributes,
  readAttributes,
  TAG_ATTRIBUTES,
} from '../attributes/attributes.ts'
import { type Code, childrenOf, type Element, isNamed, type Node } from '../syntax/syntax.ts'
import { type Child, el, flat, type Hast } from './build.ts'
import { type HighlightedCode, TOKEN_KINDS } from './highlight.ts'
import type { Scope } from './scope.ts'
import { asScroller } from './scrollers.ts'

/** What a `{% code %}` tag, or a `<pre>`, asks for. */
export type CodeLook = AttributesOf<typeof TAG_ATTRIBUTES.code>

const FIRST_LINE_MAX = 60

/** The name of a language; nothing longer is one. */
const LANGUAGE = /^[a-z0-9+#.-]{1,40}$/

const KINDS: ReadonlySet<string> = new Set(TOKEN_KINDS)

export const renderCode = (node: Code, look: CodeLook, scope: Scope): Hast =>
  draw({ code: node.value, language: node.lang ?? '', look, marked: new Set() }, scope)

/**
 * `<pre class="language-js" data-title="…"><code>`: how GitBook writes code with marked lines; `<strong>` marks.
 */
export function renderPre(node: Element, scope: Scope): Hast {
  const code = node.children.find(child => isNamed(child, 'code'))
  const { attributes } = node
  const look = readAttributes(dataAttributes(node), TAG_ATTRIBUTES.code)
  const language = /(?:^|\s)lang(?:uage)?-([^\s]{1,40})/.exec(
    `${attributes.class ?? ''} ${code?.attributes.class ?? ''}`,
  )
  const source = readSource(code ?? node)
  return draw({ code: source.code, language: language?.[1] ?? '', look, marked: source.marked }, scope)
}

/** The text of a `<code>` with its marked lines. */
function readSource(node: Element): { code: string; marked: Set<number> } {
  let code = ''
  const spans: [start: number, end: number][] = []
  const visit = (nodes: readonly Node[]) => {
    for (const child of nodes) {
      if ('value' in child) code += child.value
      else if (isNamed(child, 'br')) code += '\n'
      else {
        const start = code.length
        visit(childrenOf(child))
        const isMark =
          child.type === 'strong' ||
          (child.type === 'element' && ['strong', 'mark', 'b'].includes(child.name))
        if (isMark) spans.push([start, code.length])
      }
    }
  }
  visit(node.children)
  return { code: code.replace(/\n$/, ''), marked: linesOf(code, spans) }
}

function linesOf(code: string, spans: readonly (readonly [number, number])[]): Set<number> {
  const marked = new Set<number>()
  let at = 0
  let line = 0
  for (const [start, end] of spans) {
    for (; at < start; at++) if (code[at] === '\n') line++
    if (end > start) marked.add(line)
    for (; at < end; at++)
      if (code[at] === '\n' && at + 1 < end) marked.add(++line)
      else if (code[at] === '\n') line++
  }
  return marked
}

interface Drawing {
  readonly code: string
  readonly language: string
  readonly look: CodeLook
  readonly marked: ReadonlySet<number>
}

function draw({ code, language: written, look, marked }: Drawing, scope: Scope): Hast {
  const asked = written.toLowerCase()
  const language = LANGUAGE.test(asked) ? asked : ''
  const hasLines = look.lineNumbers === true || marked.size > 0
  const lines: Child[][] = hasLines ? code.split('\n').map(line => [line]) : [[code]]
  const name = language !== '' && `language-${language}`
  const inner = el('code', { className: name }, layLines(lines, hasLines, marked))
  if (language !== '')
    scope.addCode({ code, language }, highlighted => {
      const coloured = colourLines(highlighted, code)
      if (coloured === undefined) return
      inner.children = hasLines
        ? layLines(coloured, true, marked)
        : flat(coloured.map((line, index) => [index > 0 && '\n', line]))
    })
  const title = look.title ?? (language === 'mermaid' ? 'Mermaid diagram, shown as its source' : undefined)
  const classes = [
    look.overflow === 'wrap' && 'code-wrap',
    look.lineNumbers && 'code-numbered',
    look.expandable && 'code-expandable',
  ]
  return el(
    'figure',
    { className: ['code', ...classes] },
    title !== undefined && el('figcaption.code-head', {}, title),
    el('pre', { dir: 'ltr', ...asScroller(nameOf(title, code), scope) }, inner),
  )
}

const nameOf = (title: string | undefined, code: string): string =>
  `Code: ${title ?? code.trimStart().slice(0, FIRST_LINE_MAX).split('\n', 1)[0]}`

/** Lines as blocks, each with the line feed that ends it, so that copying them copies the code. */
function layLines(
  lines: readonly (readonly Child[])[],
  hasLines: boolean,
  marked: ReadonlySet<number>,
): Hast[] {
  if (!hasLines) return flat(lines)
  return lines.map((line, index) =>
    el(
      'span',
      { className: ['line', marked.has(index) && 'is-marked'] },
      line,
      index < lines.length - 1 && '\n',
    ),
  )
}

/** The runs as elements; undefined if they do not add up to the code, so that colours never change the text. */
function colourLines(highlighted: HighlightedCode, code: string): Child[][] | undefined {
  if (highlighted.map(line => line.map(([run]) => run).join('')).join('\n') !== code.replaceAll('\r\n', '\n'))
    return undefined
  return highlighted.map(line =>
    line.map(
      ([run, kind]): Child =>
        kind === 'plain' || !KINDS.has(kind) ? run : el('span', { className: `tok-${kind}` }, run),
    ),
  )
}
