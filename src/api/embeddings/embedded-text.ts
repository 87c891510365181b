// What a model of embeddings reads of a section. It is made of the document alone: sections of equal documents have one
// embedding.

/** Moves with every change of what is made of a section: what was embedded before is embedded again. */
export const EMBEDDED_MAKING = 1

/** With the title of its page, without which "Overview" or "Limits" could be about anything. */
export const embeddedText = ({
  title,
  heading,
  body,
}: {
  readonly title: string
  readonly heading: string
  readonly body: string
}): string => [...(title === '' || title === heading ? [] : [title]), heading, body].join('\n')
