// Whether a page is wanted as Markdown.
import { readWeights } from '../../http/weights.ts'

/** RFC 9110 §12.5.1, each type with the weight of the range that says most of it. HTML wins where both weigh the same. */
export function prefersMarkdown(accept: string | undefined): boolean {
  const weights = readWeights(accept ?? '*/*')
  const weightOf = (type: string) => weights.get(type) ?? weights.get('text/*') ?? weights.get('*/*') ?? 0
  return weightOf('text/markdown') > weightOf('text/html')
}
