// How often a property is tried. Each run of the suite draws other examples, so what few find at once, many find in
// time; `OCTAVO_PROPERTY_RUNS=5000` tries each so often.
export const runs = (times: number): number => Number(process.env.OCTAVO_PROPERTY_RUNS ?? times)

export const tried = (times: number) => ({ numRuns: runs(times) })
