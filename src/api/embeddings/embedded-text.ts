// The text of a section for an embedding model. It depends on the document alone, so equal documents share embeddings.

/** Increment when `embeddedText` changes: everything is embedded again. */
export const EMBEDDED_TEXT_VERSION = 1

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
