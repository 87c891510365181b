// How often a property is tried. Each run of the suite draws other examples, so what few find at once, many find in
// time; OCTAVO_PROPERTY_TIMES=10 tries all of them ten times as often.
const TIMES = Number(process.env.OCTAVO_PROPERTY_TIMES ?? 1)

export const tried = (times: number) => ({ numRuns: Math.ceil(times * TIMES) })
