// Where the sentences of a paragraph are, in any script.

export type Span = { readonly start: number; readonly end: number }

const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' })

// The segmenter takes more time per character for a long text than for a short one.
const PORTION_CHARACTERS_MAX = 2_000

// Unicode ends a sentence after each of these if a capital letter follows.
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|no|fig|resp|dr|mr|mrs|ms|st|z\.\s?b|bzw|ca|nr|vgl|d\.h|p\.\s?ej|ej|env)\.\s*$/i

/** The sentences of one paragraph without white space around them; one that is too long is cut between words. */
export function sentencesOf(text: string): Span[] {
  const spans: Span[] = []
  for (const portion of portionsOf(text)) {
    let start = portion.start
    for (const { segment, index } of SENTENCES.segment(text.slice(portion.start, portion.end))) {
      const end = portion.start + index + segment.length
      if (ABBREVIATION.test(text.slice(Math.max(start, end - 12), end)) && end < portion.end) continue
      const span = trimmed(text, start, end)
      if (span.end > span.start) spans.push(span)
      start = end
    }
  }
  return spans
}

function* portionsOf(text: string): Generator<Span> {
  for (let start = 0; start < text.length; ) {
    const far = start + PORTION_CHARACTERS_MAX
    const space = far < text.length ? text.lastIndexOf(' ', far) : -1
    const end = far >= text.length ? text.length : space > start ? space : far
    yield { start, end }
    start = end
  }
}

function trimmed(text: string, start: number, end: number): Span {
  const words = text.slice(start, end)
  const from = start + (words.length - words.trimStart().length)
  return { start: from, end: Math.max(from, start + words.trimEnd().length) }
}
