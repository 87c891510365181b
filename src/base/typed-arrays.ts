// Reading typed arrays at indices that are in bounds by construction: noUncheckedIndexedAccess adds undefined to the
// type of each element, and the casts remove it. One function per element type, so that V8 compiles each to a single
// load.
//
// The innermost loops of search (postings, strengths, slips, string tables, sorting words) use `!` instead: large
// functions do not inline these calls, which costs them 10 to 40 % (measured with queries of common words and with
// misspelled ones).

export const int8At = (numbers: Int8Array, index: number): number => numbers[index] as number
export const uint8At = (numbers: Uint8Array, index: number): number => numbers[index] as number
export const uint32At = (numbers: Uint32Array, index: number): number => numbers[index] as number
export const int32At = (numbers: Int32Array, index: number): number => numbers[index] as number
export const float32At = (numbers: Float32Array, index: number): number => numbers[index] as number
export const float64At = (numbers: Float64Array, index: number): number => numbers[index] as number
