// Code on a page of the reference: JSON and shell lines in colour, with room for the copy button of reference.js.
import { type Html, html } from '../html.ts'

const TOKENS = {
  json: /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g,
  shell: /(\$[A-Z_][A-Z0-9_]*)|("(?:[^"\\]|\\.)*"|'[^']*')|(?<=^|\s)(-\w+)(?=\s)|^curl\b/gm,
}

export type Language = keyof typeof TOKENS

export const renderCode = (language: Language, text: string): Html =>
  html`<pre class="ref-code" tabindex="0"><code>${paint(language, text)}</code></pre>`

/** A titled block; `data-copy` is where the script puts its button. */
export const renderPanel = (
  title: Html | string,
  language: Language,
  text: string,
): Html => html`<figure class="ref-panel" data-copy>
<figcaption>${title}</figcaption>
${renderCode(language, text)}
</figure>`

function paint(language: Language, text: string): Html[] {
  const parts: Html[] = []
  let end = 0
  for (const match of text.matchAll(TOKENS[language])) {
    parts.push(
      html`${text.slice(end, match.index)}${language === 'json' ? jsonToken(match) : shellToken(match)}`,
    )
    end = match.index + match[0].length
  }
  parts.push(html`${text.slice(end)}`)
  return parts
}

function jsonToken([token, string, colon]: RegExpMatchArray): Html {
  if (string === undefined) return html`<span class="ref-literal">${token}</span>`
  return colon === undefined
    ? html`<span class="ref-string">${token}</span>`
    : html`<span class="ref-key">${string}</span>${colon}`
}

function shellToken([token, variable, string, option]: RegExpMatchArray): Html {
  if (variable !== undefined) return html`<span class="ref-literal">${token}</span>`
  if (option !== undefined) return html`<span class="ref-key">${token}</span>`
  if (string === undefined) return html`<span class="ref-command">${token}</span>`
  // Variables inside double quotes are what a reader has to fill in: they keep their own colour.
  const pieces = token.startsWith('"') ? token.split(/(\$[A-Z_][A-Z0-9_]*)/) : [token]
  return html`<span class="ref-string">${pieces.map(piece => (/^\$[A-Z_]/.test(piece) ? html`<span class="ref-literal">${piece}</span>` : piece))}</span>`
}
