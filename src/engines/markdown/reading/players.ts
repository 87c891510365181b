// Frames and players in HTML.
import { type Element, isNamed } from '../syntax/syntax.ts'

const PLAYERS: ReadonlySet<string> = new Set(['iframe', 'video', 'audio'])

/** What an element plays; `src` is undefined where nothing is named. Undefined for elements that are no players. */
export function playerOf({ name, attributes, children }: Element): { readonly src?: string } | undefined {
  if (!PLAYERS.has(name)) return undefined
  const sources = children.filter(child => isNamed(child, 'source'))
  const [src] = [attributes.src, ...sources.map(source => source.attributes.src)].flatMap(
    written => written?.trim() || [],
  )
  if (src === undefined) return {}
  return { src: src.startsWith('//') ? `https:${src}` : src }
}
