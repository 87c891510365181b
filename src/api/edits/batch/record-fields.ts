// The fields of a page's record as its text says them: what an import of that text would read.
import type { PageRecord, Reference } from '../../../engines/content/records.ts'
import { type Complain, coverOf, readFacts } from '../../content/facts.ts'
import type { MetadataField } from './metadata.ts'

type Fields = { readonly [K in MetadataField]?: unknown }

/** A record with these of its fields read anew; `findFile` says which file a destination leads to. */
export function withFields(
  record: PageRecord,
  text: string,
  names: Iterable<MetadataField>,
  findFile: (destination: string) => string | undefined,
  complain: Complain,
): PageRecord {
  const facts = readFacts(Buffer.from(text), complain)
  const find = (destination: string): Reference | undefined => {
    if (/^https?:\/\//i.test(destination)) return { kind: 'url', url: destination }
    const file = findFile(destination)
    return file === undefined ? undefined : { kind: 'file', file }
  }
  const said: Fields = { ...facts.fields, cover: facts.cover && coverOf(facts.cover, find) }
  const fields: { [name: string]: unknown } = { ...record }
  for (const name of names) {
    if (said[name] === undefined) delete fields[name]
    else fields[name] = said[name]
  }
  return fields as PageRecord
}
