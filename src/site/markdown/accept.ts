// Whether a page is wanted as Markdown.
import { parseQualityValues } from '../../http/quality-values.ts'

/**
 * RFC 9110 §12.5.1: each type has the weight of the most specific range. If both weigh the same, those who name
 * Markdown get it: browsers do not, and programs that do also name HTML for servers that have nothing else.
 */
export function prefersMarkdown(accept: string | undefined): boolean {
  const weights = parseQualityValues(accept ?? '*/*')
  const weightOf = (type: string) => weights.get(type) ?? weights.get('text/*') ?? weights.get('*/*') ?? 0
  const [markdown, html] = [weightOf('text/markdown'), weightOf('text/html')]
  return markdown > html || (markdown > 0 && markdown === html && weights.has('text/markdown'))
}
