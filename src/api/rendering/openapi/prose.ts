// Descriptions in an OpenAPI document are short CommonMark. Paragraphs, lists, fences, code, emphasis and links are
// shown; anything else is shown as written. HTML in a description is text.

import { type Html, html } from '../../../base/html.ts'
import { safeHref } from '../../../engines/markdown/html/values.ts'

const PROSE_CHARACTERS_MAX = 50_000

export function renderProse(text: string): Html {
  const lines = text.slice(0, PROSE_CHARACTERS_MAX).replaceAll('\r\n', '\n').split('\n')
  const lastFence = lines.findLastIndex(line => FENCE_END.test(line))
  const blocks: Html[] = []
  let start = 0
  const endParagraphs = (end: number) => {
    const between = lines
      .slice(start, end)
      .join('\n')
      .split(/\n[ \t]*\n/)
    blocks.push(html`${between.map(paragraph)}`)
  }
  for (let at = 0; at < lastFence; at++) {
    if (!lines[at]?.startsWith('```')) continue
    endParagraphs(at)
    let end = at + 1
    while (!FENCE_END.test(lines[end] ?? '```')) end += 1
    blocks.push(fence(lines.slice(at + 1, end)))
    start = end + 1
    at = end
  }
  endParagraphs(lines.length)
  return html`${blocks}`
}

const FENCE_END = /^```[ \t]*$/

const fence = (lines: readonly string[]): Html =>
  html`<figure class="code ref-code"><pre tabindex="0"><code>${lines.map(line => `${line}\n`).join('')}</code></pre></figure>`

const ITEM = /^[ \t]*[-*+] /

function paragraph(block: string): Html | null {
  const lines = block.split('\n').filter(line => line.trim() !== '')
  const first = lines.findIndex(line => ITEM.test(line))
  const lead = lines.slice(0, first === -1 ? lines.length : first).join('\n')
  const heading = /^#{1,6} +([^ \n][^\n]*)$/.exec(lead)?.[1]
  const words = heading === undefined ? renderInline(lead) : html`<strong>${renderInline(heading)}</strong>`
  return html`${lead !== '' && html`<p>${words}</p>`}${first !== -1 && list(lines.slice(first))}`
}

/** A line that does not begin an item continues the previous one. */
function list(lines: readonly string[]): Html {
  const items: string[][] = []
  for (const line of lines) {
    if (ITEM.test(line)) items.push([line.replace(ITEM, '')])
    else items.at(-1)?.push(line.trim())
  }
  return html`<ul>${items.map(item => html`<li>${renderInline(item.join(' '))}</li>`)}</ul>`
}

const INLINE =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\[([^[\]\n]+)\]\(([^[)\s]+)\)|(?<![\w*])\*([^*\s][^*\n]*)\*(?!\w)/g

/** One line of prose: code, strong, emphasis, links. */
export function renderInline(text: string): Html {
  const parts: (Html | string)[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(end, match.index), inlineOf(match))
    end = match.index + match[0].length
  }
  return html`${[...parts, text.slice(end)]}`
}

function inlineOf([whole, code, strong, words, target, emphasis]: RegExpMatchArray): Html {
  if (code !== undefined) return html`<code>${code}</code>`
  if (strong !== undefined) return html`<strong>${strong}</strong>`
  if (emphasis !== undefined) return html`<em>${emphasis}</em>`
  const href = safeHref(target ?? '')
  return href === undefined ? html`${whole}` : html`<a href="${href}">${words}</a>`
}
