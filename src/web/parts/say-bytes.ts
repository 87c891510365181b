import { language } from '../messages/messages.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** As `1.4 MB` or `70 bytes`, in the language of the person. */
export function sayBytes(size: number): string {
  const step = size === 0 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(size) / 3))
  return new Intl.NumberFormat(language, {
    ...{ style: 'unit', maximumFractionDigits: 1 },
    unitDisplay: step === 0 ? 'long' : 'short',
    unit: UNITS[step] ?? 'byte',
  }).format(size / 1000 ** step)
}
