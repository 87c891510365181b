// A text that somebody writes, as its page would be shown, with what is wrong in it.
import { type HtmlProblem, type RenderedHtml, toHtml } from '../engines/markdown/html/html.ts'
import { lastStart, type TextProblem, textProblems } from '../engines/markdown/page/page.ts'
import type { Position, Root } from '../engines/markdown/syntax/syntax.ts'
import { type AsksOfPage, type PageHtml, type PageHtmlInput, renderPage, toPageHtml } from './page-html.ts'
import type { Task } from './task.ts'

export type PreviewProblem = {
  readonly code: HtmlProblem['code'] | TextProblem['code']
  readonly message: string
  readonly about: string
  readonly allowed?: readonly string[]
  /** From 1, both. */
  readonly line: number
  readonly column: number
  /** In UTF-16 code units of the source. It ends in the line that it begins in. */
  readonly start: number
  readonly end: number
}

export type PagePreview = PageHtml & {
  /** In the order of the text. */
  readonly problems: readonly PreviewProblem[]
  /** How many more there are. */
  readonly moreProblems: number
  /** In which line each block begins, by the key that its elements have. */
  readonly blocks: readonly { readonly key: string; readonly line: number }[]
}

const PROBLEMS_MAX = 200
const BLOCKS_MAX = 5_000
const WORDS_CHARACTERS_MAX = 200

export const pagePreview: Task<PageHtmlInput, PagePreview, AsksOfPage> = async (input, ask) => {
  const lines = lineStartsOf(input.markdown)
  const { root, rendered, blocks } = await renderPage(input, ask, async (root, options) => ({
    root,
    rendered: await toHtml(root, options),
    blocks: root.children.slice(0, BLOCKS_MAX).flatMap(block => {
      const key = options.blockKey?.(block)
      return key === undefined ? [] : [{ key, line: lastStart(lines, block.position.start) + 1 }]
    }),
  }))
  return { ...toPageHtml(rendered), ...problemsOf(input.markdown, root, rendered, lines), blocks }
}

type Located = (HtmlProblem | TextProblem) & { readonly position: Position }

function problemsOf(
  markdown: string,
  root: Root,
  { problems, moreProblems }: RenderedHtml,
  lines: readonly number[],
): Pick<PagePreview, 'problems' | 'moreProblems'> {
  const found = distinct(
    [...problems.filter(isInSource), ...textProblems(root)].toSorted(
      ({ position: one }, { position: other }) => one.start - other.start || one.end - other.end,
    ),
  )
  return {
    problems: found.slice(0, PROBLEMS_MAX).map(one => placed(one, markdown, lines)),
    moreProblems: moreProblems + Math.max(0, found.length - PROBLEMS_MAX),
  }
}

/** What is wrong in a text that the page includes is mended there. */
const isInSource = (problem: HtmlProblem): problem is HtmlProblem & Located => problem.position !== undefined

/** The renderer may draw a node twice, as a card and on paper. */
function distinct(problems: readonly Located[]): Located[] {
  const said = new Set<string>()
  return problems.filter(({ code, about, position }) => {
    const key = `${code} ${position.start} ${about}`
    const isNew = !said.has(key)
    said.add(key)
    return isNew
  })
}

function placed(
  { code, message, about, position, ...rest }: Located,
  markdown: string,
  lines: readonly number[],
): PreviewProblem {
  const { start } = position
  const at = lastStart(lines, start)
  const lineStart = lines[at] ?? 0
  const line = markdown.slice(start, lines[at + 1] ?? markdown.length)
  const inLine = line.length - (/(?:\r\n?|\n)$/.exec(line)?.[0].length ?? 0)
  return {
    ...{
      code,
      message: message.slice(0, WORDS_CHARACTERS_MAX * 2),
      about: about.slice(0, WORDS_CHARACTERS_MAX),
    },
    ...('allowed' in rest && rest.allowed !== undefined ? { allowed: rest.allowed } : {}),
    ...{ line: at + 1, column: start - lineStart + 1 },
    ...{ start, end: Math.max(start, Math.min(position.end, start + inLine)) },
  }
}

/** Lines end as CommonMark has it (0.31, 2.1). */
function lineStartsOf(markdown: string): number[] {
  const starts = [0]
  for (const { index, 0: end } of markdown.matchAll(/\r\n?|\n/g)) starts.push(index + end.length)
  return starts
}
