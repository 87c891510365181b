// What only adds depth is tried by `node test/torture.ts`; the suite has a slice of it.

export const isWhole = process.env.OCTAVO_TEST_WHOLE !== undefined
