// Highlights one block of code in its own thread: it may be slow or stuck on hostile input.

import { createHighlighterCore, type HighlighterCore, type ThemeRegistration } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { bundledLanguages } from 'shiki/langs'
import { isNameOf, keysOf } from '../../base/objects.ts'
import {
  type CodeBlock,
  type HighlightedCode,
  TOKEN_KINDS,
  type Token,
  type TokenKind,
} from '../../engines/markdown/html/values.ts'

/** Grammars are quadratic in the length of a line: 8,000 characters took 1.4 s, so longer lines stay plain. */
const LINE_LENGTH_MAX = 2_000

/**
 * A line that takes longer is cut, and the lines after it are read in a wrong state, so this is generous: the first
 * lines of a language compile its patterns, 500 ms on a busy machine. highlight.ts ends a block that takes too long.
 */
const LINE_TIME_MS_MAX = 2_000

/** TextMate scopes by kind; a more specific scope wins, as in every theme. */
const SCOPES = {
  comment: ['comment', 'punctuation.definition.comment'],
  keyword: [
    'keyword',
    'storage',
    'keyword.operator.new',
    'keyword.operator.expression',
    'keyword.operator.logical.python',
    'variable.language',
    'support.type.property-name.toml',
  ],
  string: ['string', 'punctuation.definition.string', 'string.regexp', 'markup.inline.raw'],
  number: ['constant.numeric', 'keyword.other.unit'],
  constant: ['constant', 'constant.language', 'support.constant', 'constant.character.escape'],
  function: ['entity.name.function', 'support.function', 'meta.function-call.generic', 'entity.name.command'],
  type: [
    'entity.name.type',
    'entity.name.class',
    'support.type',
    'support.class',
    'entity.other.inherited-class',
    'storage.type.java',
  ],
  property: [
    'support.type.property-name',
    'meta.object-literal.key',
    'variable.other.property',
    'entity.name.tag.yaml',
  ],
  variable: ['variable', 'variable.parameter', 'variable.other'],
  tag: ['entity.name.tag', 'punctuation.definition.tag'],
  attribute: ['entity.other.attribute-name'],
  operator: ['keyword.operator'],
  punctuation: ['punctuation', 'meta.brace'],
  heading: ['markup.heading', 'entity.name.section'],
  link: ['markup.underline.link', 'string.other.link'],
  inserted: ['markup.inserted', 'punctuation.definition.inserted'],
  deleted: ['markup.deleted', 'punctuation.definition.deleted'],
} as const satisfies Partial<Record<TokenKind, readonly string[]>>

/** A theme whose colours are only names of kinds: `#000003` is TOKEN_KINDS[3]. */
const colourOf = (kind: TokenKind): string => `#${TOKEN_KINDS.indexOf(kind).toString(16).padStart(6, '0')}`
const kindOf = (colour: string | undefined): TokenKind =>
  TOKEN_KINDS[Number.parseInt(colour?.slice(1) ?? '0', 16)] ?? 'plain'

const theme: ThemeRegistration = {
  name: 'kinds',
  type: 'light',
  colors: { 'editor.foreground': colourOf('plain'), 'editor.background': '#ffffff' },
  settings: keysOf(SCOPES).map(kind => ({
    scope: [...SCOPES[kind]],
    settings: { foreground: colourOf(kind) },
  })),
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  curl: 'bash',
  'c++': 'cpp',
  golang: 'go',
  terminal: 'bash',
}

let highlighter: Promise<HighlighterCore> | undefined

async function highlightBlock({ code, language }: CodeBlock): Promise<HighlightedCode | undefined> {
  const name = OTHER_NAMES[language] ?? language
  if (!isNameOf(bundledLanguages, name)) return undefined
  highlighter ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  const core = await highlighter
  if (!core.getLoadedLanguages().includes(name)) await core.loadLanguage(bundledLanguages[name])
  const lines = core.codeToTokensBase(code, {
    lang: name,
    theme: 'kinds',
    tokenizeMaxLineLength: LINE_LENGTH_MAX,
    tokenizeTimeLimit: LINE_TIME_MS_MAX,
  })
  return lines.map(line => mergeRuns(line.map((token): Token => [token.content, kindOf(token.color)])))
}

/** Neighbours of one kind become one run: a third fewer elements on a page. */
function mergeRuns(tokens: readonly Token[]): Token[] {
  const runs: Token[] = []
  for (const [text, kind] of tokens) {
    const last = runs.at(-1)
    if (last !== undefined && (last[1] === kind || text.trim() === ''))
      runs[runs.length - 1] = [last[0] + text, last[1]]
    else runs.push([text, kind])
  }
  return runs
}

/** For platform/pool/worker.ts. */
export const tasks = { highlight: highlightBlock }
