// Any character, as a unit of the strings that properties draw. fast-check has the same as `binary`, for which it makes a
// table of all 1.1 million of them: 0.6 s of a processor and 100 MB in each process where one test asks for it.
import fc from 'fast-check'

const SURROGATES_FROM = 0xd800
const SURROGATES = 0x800
const LAST = 0x10ffff

export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: LAST - SURROGATES }).map(
  at => String.fromCodePoint(at < SURROGATES_FROM ? at : at + SURROGATES),
  character => {
    const code = (character as string).codePointAt(0) as number
    if (character !== String.fromCodePoint(code)) throw new Error('this is not one character')
    return code < SURROGATES_FROM ? code : code - SURROGATES
  },
)
