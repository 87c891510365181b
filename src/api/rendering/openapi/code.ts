// Code on a page of the reference: JSON and shell lines, coloured with the reader's token classes. They are made here,
// so they need no grammar.
import { type Html, html } from '../../../base/html.ts'

// An unclosed string continues to the end.
const TOKENS = {
  json: /("(?:[^"\\]|\\.?)*"?)(:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g,
  program:
    /("(?:[^"\\]|\\.?)*"?|`[^`]*`?)|\b(?:const|await|import|if|nil|err|None|True|False|true|false|null)\b|\b\d+\b/g,
  shell: /(\$[A-Z_][A-Z0-9_]*)|("(?:[^"\\]|\\.?)*"?|'[^']*')|(?<=^|\s)(-\w+)(?=\s)|^curl\b/gm,
}

export type Language = keyof typeof TOKENS

/** A titled block, with a copy button where scripts run. */
export const renderCode = (title: Html | string, language: Language, text: string): Html =>
  html`<figure class="code ref-code ref-${language}"><figcaption class="code-head"><span>${title}</span></figcaption>
<pre tabindex="0"><code>${paint(language, text)}</code></pre></figure>`

/** A value as JSON; null if JSON cannot express it. */
export const renderJson = (title: Html | string, value: unknown): Html =>
  renderCode(title, 'json', JSON.stringify(value ?? null, null, 2))

function paint(language: Language, text: string): Html[] {
  const parts: Html[] = []
  let end = 0
  for (const match of text.matchAll(TOKENS[language])) {
    parts.push(html`${text.slice(end, match.index)}${TOKEN_OF[language](match)}`)
    end = match.index + match[0].length
  }
  parts.push(html`${text.slice(end)}`)
  return parts
}

const token = (kind: string, text: string | undefined): Html => html`<span class="tok-${kind}">${text}</span>`

function jsonToken([whole, string, colon]: RegExpMatchArray): Html {
  if (string === undefined) return token(/^[tfn]/.test(whole) ? 'constant' : 'number', whole)
  return colon === undefined ? token('string', whole) : html`${token('property', string)}${colon}`
}

function programToken([whole, string]: RegExpMatchArray): Html {
  if (string !== undefined) return token('string', whole)
  return token(/^\d/.test(whole) ? 'number' : 'keyword', whole)
}

/** Readers have to fill in variables, so these keep their colour inside double quotes. */
function shellToken([whole, variable, string, option]: RegExpMatchArray): Html {
  if (variable !== undefined) return token('constant', whole)
  if (option !== undefined) return token('property', whole)
  if (string === undefined) return token('function', whole)
  const pieces = whole.startsWith('"') ? whole.split(/(\$[A-Z_][A-Z0-9_]*)/) : [whole]
  return html`${pieces.map(piece => token(/^\$[A-Z_]/.test(piece) ? 'constant' : 'string', piece))}`
}

const TOKEN_OF = { json: jsonToken, program: programToken, shell: shellToken } as const
