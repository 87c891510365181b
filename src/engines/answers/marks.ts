// What a text has, as it is written, beside its words: code, names, addresses and terms. A sentence may repeat
// them, and never changes or translates them.
import { partsOf } from './code-spans.ts'
import type { TextReader } from './text-reader.ts'

/** The same for all forms of a term. */
export const termKeysIn = (
  text: string,
  language: string | null,
  { analyse, termsIn }: TextReader,
): string[] =>
  Array.from(termsIn(text), term => Array.from(analyse(term, language), ({ key }) => key).join(' '))

export const dense = (text: string): string => text.replace(/\s+/g, '')

/** Of a sentence, without the marks at its end. */
export const denseSentence = (text: string): string =>
  dense(text)
    .replaceAll('\\', '')
    .replace(/[.!。！]$/, '')

export const codeIn = (sentence: string): string[] => Array.from(partsOf(sentence), ({ code }) => code ?? '')

/** Names that are not at the beginning, without a plural; in German every noun has a capital. */
export const namesIn = (sentence: string, language: string | null): string[] =>
  /^(?:de|lb)/i.test(language ?? '')
    ? []
    : Array.from(sentence.matchAll(/(?<=[\p{L}\p{N},] )\p{Lu}\p{L}{2,40}/gu), ([name]) =>
        name.toLowerCase().replace(/s$/, ''),
      )

/** What programs turn into a link even if it is not written as one. */
const ADDRESS =
  /(?:\b[a-z][a-z\d+.-]{0,20}:\/\/|\bwww\.|\bmailto:|[\w.+-]{1,64}@[\w-]{1,63}\.)[^\s()[\]<>`]+/gi

export const addressesIn = (sentence: string): string[] =>
  (sentence.match(ADDRESS) ?? []).map(address => address.replace(/[.,;:!?。，；：！？*_]{1,4}$/, ''))
